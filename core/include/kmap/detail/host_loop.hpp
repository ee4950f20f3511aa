#pragma once
// Maps on hosts: the loops over examples that compilers vectorise.

#include "kmap/detail/call.hpp"
#include "kmap/detail/first_exception.hpp"
#include "kmap/detail/independent.hpp"
#include "kmap/detail/inside_map.hpp"
#include "kmap/detail/kept_inputs.hpp"
#include "kmap/detail/math/trial.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/pack_call.hpp"
#include "kmap/detail/stage.hpp"
#include "kmap/detail/tiles.hpp"
#include "kmap/detail/vector_loop.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

/// What a line is run as: a map of one axis, as small as can be, since every block copies it.
/// Functions with a context see their place in the whole.
template <class Body, bool Whole>
struct LineOf {
  using type = Body;
};
template <class Body>
struct LineOf<Body, false> {
  using type =
      decltype(std::declval<const Body&>().line(std::declval<typename Body::Offsets>(), 0, 0));
};

/// Contiguous pieces of the flattened space as plain loops along the innermost axis, cut into
/// blocks of examples. Functions without a context are tried first (math/trial.hpp); they may be
/// called twice for an example. Large outputs go past the caches.
template <class Body>
class HostLoop {
  static constexpr Form form = Body::template CallOf<>::form;
  static constexpr bool tries = !takes_context(form);
  using Line = typename LineOf<Body, !tries>::type;
  using Offsets = typename Line::Offsets;
  using Index = typename Line::Index;
  using Stage = StageFor<Line>;

 public:
  /// Both have to live as long as it.
  HostLoop(const Body& body, FirstException* exception)
      : body_(&body),
        exception_(exception),
        unit_stride_(has_unit_stride()),
        in_place_(tries && outputs_overlap_inputs(body)),
        streams_(unit_stride_ && !in_place_ && Stage::pays(body.space.count())),
        tiles_(Tiles<Line>::pay(body, std::max(0, body.space.levels - 1))),
        trials_(tries && trials_work()) {}

  void run(std::int64_t begin, std::int64_t end) const {
    const InsideMap inside;
    if (unit_stride_) {
      run_pieces<true>(begin, end);
    } else {
      run_pieces<false>(begin, end);
    }
    if (streams_) finish_streams();
  }

 private:
  // Every mapped operand is a scalar that steps by one along the innermost axis: the loop then has
  // strides known to the compiler, which vectorises it with plain loads and stores.
  bool has_unit_stride() const {
    const int last = body_->space.levels - 1;
    if (last < 0) return false;
    const auto steps_by_one = [last](const auto& operand) {
      using O = std::remove_cvref_t<decltype(operand)>;
      return !O::mapped || (O::rank == 0 && operand.batch[last] == 1);
    };
    const auto all = [&](const auto&... operand) { return (steps_by_one(operand) && ...); };
    return std::apply(all, body_->ins) && std::apply(all, body_->outs);
  }

  template <bool Unit>
  void run_pieces(std::int64_t begin, std::int64_t end) const {
    const int last = body_->space.levels - 1;
    while (begin < end) {
      typename Body::Offsets offsets{};
      typename Body::Index index{};
      body_->locate(begin, offsets, index);
      const std::int64_t left = last < 0 ? 1 : body_->space.extents[last] - index[last];
      const std::int64_t length = std::min(left, end - begin);
      if constexpr (tries) {
        run_line<Unit>(body_->line(offsets, std::max(0, last), length), begin, {}, {}, length);
      } else {
        run_line<Unit>(*body_, begin, offsets, index, length);
      }
      begin += length;
    }
  }

  // `length` examples along the innermost axis, the first of which has the number `first`.
  template <bool Unit>
  void run_line(const Line& line, std::int64_t first, const Offsets& start, const Index& index,
                std::int64_t length) const {
    if (Unit && (Stage::always || streams_)) {
      run_staged(line, first, start, index, length);
    } else if (tiles_ && length >= Tiles<Line>::length) {
      run_tiles(line, first, start, index, length);
    } else {
      KeptInputs<Line> kept(in_place_);
      Trials trials;
      for (std::int64_t begin = 0; begin < length; begin += block_length) {
        const auto [at, place] = moved(line, start, index, begin);
        run_block<Unit>(trials, kept, line, first + begin, at, place,
                        std::min(length - begin, block_length));
      }
    }
  }

  // By way of this thread's own memory.
  void run_staged(const Line& line, std::int64_t first, const Offsets& start, const Index& index,
                  std::int64_t length) const {
    Stage stage;
    const Line staged = stage.instead_of(line);
    KeptInputs<Line> kept(in_place_);
    Trials trials;
    std::int64_t begin = 0;
    while (begin < length) {
      const std::int64_t count =
          std::min(length - begin, stage.block(line, start, begin, streams_));
      auto [at, place] = moved(line, start, index, begin);
      at.out = {};
      run_block<true>(trials, kept, staged, first + begin, at, place, count);
      stage.flush(line, start, begin, count, streams_);
      begin += count;
    }
  }

  // Examples that are interleaved in memory, a few of them at a time.
  void run_tiles(const Line& line, std::int64_t first, const Offsets& start, const Index& index,
                 std::int64_t length) const {
    Tiles<Line> tiles;
    KeptInputs<Line> kept(in_place_);
    Trials trials;
    for (std::int64_t begin = 0; begin < length; begin += Tiles<Line>::length) {
      const std::int64_t count = std::min(length - begin, Tiles<Line>::length);
      auto [at, place] = moved(line, start, index, begin);
      const Line local = tiles.fill(line, at, innermost(line), count);
      run_block<false>(trials, kept, local, first + begin, at, place, count);
    }
  }

  static int innermost(const Line& line) { return std::max(0, line.space.levels - 1); }

  static std::pair<Offsets, Index> moved(const Line& line, Offsets at, Index place,
                                         std::int64_t steps) {
    line.move(at, innermost(line), steps);
    place[innermost(line)] += steps;
    return {at, place};
  }

  // A trial of a block, and if it is in vain, the block again, from the same inputs.
  template <bool Unit>
  void run_block(Trials& trials, KeptInputs<Line>& kept, const Line& line, std::int64_t first,
                 const Offsets& at, const Index& index, std::int64_t length) const {
    kept.keep(line, at, innermost(line), length);
    if (try_block<Unit>(trials, line, first, at, index, length)) return;
    kept.restore(line, at, innermost(line), length);
    run_exactly(line, first, at, index, length);
    trials.forget();
  }

  // False if it was tried in vain.
  template <bool Unit>
  bool try_block([[maybe_unused]] Trials& trials, const Line& line, std::int64_t first,
                 const Offsets& at, const Index& index, std::int64_t length) const {
    using Loop = VectorLoop<Line, Unit, tries>;
    if constexpr (!tries) {
      Loop::run(line, first, at, index, length, exception_);
      return true;
    } else {
      if (!trials_) return false;
      bool failed = false;
      if constexpr (PackLoop<Line>::wanted) {
        failed = pack_loop(line, at, length);
      } else {
        failed = Loop::run(line, first, at, index, length, exception_);
      }
      return trials.end() && !failed;
    }
  }

  KMAP_DETAIL_FLATTEN static bool pack_loop(const Line& line, const Offsets& at,
                                            std::int64_t length) {
    const Line local = line;
    way = Way::trial;
    try {
      PackLoop<Line>::run(local, at, innermost(local), length);
      return false;
    } catch (...) {
      return true;
    }
  }

  // One by one.
  [[gnu::noinline]] void run_exactly(const Line& line, std::int64_t first, Offsets at, Index index,
                                     std::int64_t length) const {
    for (std::int64_t j = 0; j < length; ++j) {
      try {
        line.call(at, index);
      } catch (...) {
        exception_->keep(first + j);
        return;
      }
      line.move(at, innermost(line), 1);
      ++index[innermost(line)];
    }
  }

  const Body* body_;
  FirstException* exception_;
  bool unit_stride_;
  bool in_place_;
  bool streams_;
  bool tiles_;
  bool trials_;
};

/// A loop's part number i, for a thread.
template <class Loop>
struct HostChunks {
  Loop loop;
  std::int64_t begin;
  std::int64_t end;
  std::int64_t chunk;
  void operator()(std::int64_t i) const {
    const std::int64_t from = begin + i * chunk;
    loop.run(from, std::min(end, from + chunk));
  }
};

}  // namespace kmap::detail
