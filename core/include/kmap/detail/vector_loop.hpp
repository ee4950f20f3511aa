#pragma once
// The loop over examples that compilers vectorise. No other loop is in this file: what they say of
// it is found by the file's name (KmapVectorReport.cmake).

#include "kmap/detail/call.hpp"
#include "kmap/detail/first_exception.hpp"
#include "kmap/detail/independent.hpp"
#include "kmap/detail/math/trial.hpp"
#include "kmap/detail/operand.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

namespace kmap::detail {

/// Examples along the innermost axis; Unit if every operand steps by one there; Tries if it is a
/// trial (math/trial.hpp).
template <class Body, bool Unit, bool Tries>
class VectorLoop {
  using Offsets = typename Body::Offsets;
  using Index = typename Body::Index;
  template <std::size_t I>
  using In = std::tuple_element_t<I, decltype(Body::ins)>;
  template <std::size_t O>
  using Out = std::tuple_element_t<O, decltype(Body::outs)>;

 public:
  /// `length` examples, the first at `start`, with the number `first`. True if one has thrown: its
  /// exception is kept but in a trial, where it may mean nothing.
  static bool run(const Body& body, std::int64_t first, const Offsets& start, const Index& index,
                  std::int64_t length, FirstException* exception) {
    return run(body, first, start, index, length, exception, typename Body::InSequence{},
               typename Body::OutSequence{});
  }

 private:
  // An exception may not leave a loop that is vectorised by command; where none can be thrown,
  // catching costs nothing. All of f has to be inlined, however long it is and wherever else it is
  // called.
  template <std::size_t... I, std::size_t... O>
  KMAP_DETAIL_FLATTEN static bool run(const Body& body, [[maybe_unused]] std::int64_t first,
                                      const Offsets& start, const Index& index, std::int64_t length,
                                      [[maybe_unused]] FirstException* exception,
                                      std::index_sequence<I...>, std::index_sequence<O...>) {
    // Copies that no store can alias.
    const Body local = body;
    const Offsets from = start;
    const Index first_place = index;
    if constexpr (Tries) way = Way::trial;
    const int last = std::max(0, local.space.levels - 1);
    [[maybe_unused]] const Extents<Body::inputs> in_step = {
        {step(std::get<I>(local.ins), last)...}};
    [[maybe_unused]] const Extents<Body::outputs> out_step = {
        {step(std::get<O>(local.outs), last)...}};
    bool failed = false;
    KMAP_DETAIL_INDEPENDENT
    for (std::int64_t j = 0; j < length; ++j) {
      if (failed) continue;
      if (!one(local, from, first_place, in_step, out_step, j, first, exception,
               std::index_sequence<I...>{}, std::index_sequence<O...>{})) {
        failed = true;
      }
    }
    return failed;
  }

  // Example number j; false if it has thrown. A function of its own: variables of the loop itself
  // that have addresses become arrays of the vectors' length, which GCC 14 keeps in memory.
  template <std::size_t... I, std::size_t... O>
  [[gnu::always_inline]] static bool one(const Body& local, const Offsets& from,
                                         const Index& first_place,
                                         [[maybe_unused]] const Extents<Body::inputs>& in_step,
                                         [[maybe_unused]] const Extents<Body::outputs>& out_step,
                                         std::int64_t j, [[maybe_unused]] std::int64_t first,
                                         [[maybe_unused]] FirstException* exception,
                                         std::index_sequence<I...>, std::index_sequence<O...>) {
    Offsets offsets;
    ((offsets.in[static_cast<int>(I)] =
          from.in[static_cast<int>(I)] + at<In<I>>(j, in_step[static_cast<int>(I)])),
     ...);
    ((offsets.out[static_cast<int>(O)] =
          from.out[static_cast<int>(O)] + at<Out<O>>(j, out_step[static_cast<int>(O)])),
     ...);
    Index place = first_place;
    place[std::max(0, local.space.levels - 1)] += j;
    try {
      local.call(offsets, place);
      return true;
    } catch (...) {
      if constexpr (!Tries) exception->keep(first + j);
      return false;
    }
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
