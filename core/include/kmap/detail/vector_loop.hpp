#pragma once
// The loop over examples that compilers vectorise. No other loop is in this file: what they say of
// it is found by the file's name (KmapVectorReport.cmake).

#include "kmap/detail/call.hpp"
#include "kmap/detail/first_exception.hpp"
#include "kmap/detail/independent.hpp"
#include "kmap/detail/operand.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace kmap::detail {

/// Examples along the innermost axis; Unit if every operand steps by one there.
template <class Body, bool Unit>
class VectorLoop {
  using Offsets = typename Body::Offsets;
  template <std::size_t I>
  using In = std::tuple_element_t<I, decltype(Body::ins)>;
  template <std::size_t O>
  using Out = std::tuple_element_t<O, decltype(Body::outs)>;
  static constexpr bool keeps_exceptions = takes_context(Body::template CallOf<>::form);

 public:
  /// `length` examples, the first at `start`, with the number `first`. True if one has thrown: its
  /// exception is kept if f takes a context; that of a trial may mean nothing.
  static KOKKOS_FORCEINLINE_FUNCTION bool run(const Body& local, std::int64_t first,
                                              const Offsets& start, const LevelExtents& index,
                                              std::int64_t length, FirstException* exception) {
    return run(local, first, start, index, length, exception, typename Body::InSequence{},
               typename Body::OutSequence{});
  }

 private:
  // An exception may not leave a loop that is vectorised by command; where none can be thrown,
  // catching costs nothing.
  template <std::size_t... I, std::size_t... O>
  static KOKKOS_FORCEINLINE_FUNCTION bool run(
      const Body& local, [[maybe_unused]] std::int64_t first, const Offsets& start,
      const LevelExtents& index, std::int64_t length, [[maybe_unused]] FirstException* exception,
      std::index_sequence<I...>, std::index_sequence<O...>) {
    const int last = std::max(0, local.space.levels - 1);
    [[maybe_unused]] const Extents<Body::inputs> in_step = {
        {step(std::get<I>(local.ins), last)...}};
    [[maybe_unused]] const Extents<Body::outputs> out_step = {
        {step(std::get<O>(local.outs), last)...}};
    bool failed = false;
    KMAP_DETAIL_INDEPENDENT
    for (std::int64_t j = 0; j < length; ++j) {
      if (failed) continue;
      Offsets offsets;
      ((offsets.in[static_cast<int>(I)] =
            start.in[static_cast<int>(I)] + at<In<I>>(j, in_step[static_cast<int>(I)])),
       ...);
      ((offsets.out[static_cast<int>(O)] =
            start.out[static_cast<int>(O)] + at<Out<O>>(j, out_step[static_cast<int>(O)])),
       ...);
      LevelExtents place = index;
      place[last] += j;
      try {
        local.call(offsets, place);
      } catch (...) {
        if constexpr (keeps_exceptions) exception->keep(first + j);
        failed = true;
      }
    }
    return failed;
  }

  template <class O>
  static std::int64_t step(const O& operand, int last) {
    return Unit ? 1 : operand.batch[last];
  }

  template <class O>
  static std::int64_t at([[maybe_unused]] std::int64_t j, [[maybe_unused]] std::int64_t stride) {
    if constexpr (!O::mapped) {
      return 0;
    } else if constexpr (Unit) {
      return j;
    } else {
      return j * stride;
    }
  }
};

}  // namespace kmap::detail
