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
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

/// Contiguous pieces of the flattened space as plain loops along the innermost axis, cut into
/// blocks of a thousand examples. Functions without a context are tried first (math/trial.hpp);
/// they may be called twice for an example. Large outputs go past the caches.
template <class Body>
class HostLoop {
  static constexpr Form form = Body::template CallOf<>::form;
  static constexpr bool tries = !takes_context(form);
  using Stage = StageFor<Body>;

 public:
  /// Both have to live as long as it.
  HostLoop(const Body& body, FirstException* exception)
      : body_(&body),
        exception_(exception),
        unit_stride_(has_unit_stride()),
        in_place_(tries && outputs_overlap_inputs(body)),
        streams_(unit_stride_ && !in_place_ && Stage::pays(body)),
        tiles_(Tiles<Body>::pay(body, std::max(0, body.space.levels - 1))),
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
  using Offsets = typename Body::Offsets;

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
      Offsets offsets{};
      LevelExtents index{};
      body_->locate(begin, offsets, index);
      const std::int64_t left = last < 0 ? 1 : body_->space.extents[last] - index[last];
      const std::int64_t length = std::min(left, end - begin);
      if (tiles_ && length >= Tiles<Body>::length) {
        run_tiles(begin, offsets, index, length);
      } else {
        run_line<Unit>(begin, offsets, index, length);
      }
      begin += length;
    }
  }

  // A line: `length` examples along the innermost axis, from number `first` on.
  template <bool Unit>
  void run_line(std::int64_t first, const Offsets& start, const LevelExtents& index,
                std::int64_t length) const {
    const int last = std::max(0, body_->space.levels - 1);
    Stage stage;
    const bool staged = Unit && (Stage::always || streams_);
    std::optional<Body> to_stage;
    if (staged) to_stage.emplace(stage.instead_of(*body_));
    const Body& local = staged ? *to_stage : *body_;
    KeptInputs<Body> kept(in_place_);
    Trials trials;
    std::int64_t begin = 0;
    while (begin < length) {
      const std::int64_t end =
          std::min(length, begin + (staged ? stage.block(*body_, start, begin) : block_length));
      Offsets at = start;
      local.move(at, last, begin);
      if (staged) at.out = {};
      LevelExtents place = index;
      place[last] += begin;
      run_block<Unit>(trials, kept, local, first + begin, at, place, end - begin);
      if (staged) stage.flush(*body_, start, begin, end - begin, streams_);
      begin = end;
    }
  }

  // A line whose examples are interleaved in memory, a few of them at a time.
  void run_tiles(std::int64_t first, const Offsets& start, const LevelExtents& index,
                 std::int64_t length) const {
    const int last = std::max(0, body_->space.levels - 1);
    Tiles<Body> tiles;
    KeptInputs<Body> kept(in_place_);
    Trials trials;
    for (std::int64_t begin = 0; begin < length; begin += Tiles<Body>::length) {
      const std::int64_t count = std::min(length - begin, Tiles<Body>::length);
      Offsets at = start;
      body_->move(at, last, begin);
      LevelExtents place = index;
      place[last] += begin;
      const Body local = tiles.fill(*body_, at, last, count);
      run_block<false>(trials, kept, local, first + begin, at, place, count);
    }
  }

  // A trial of a block, and if it is in vain, the block again, from the same inputs.
  template <bool Unit>
  void run_block(Trials& trials, KeptInputs<Body>& kept, const Body& body, std::int64_t first,
                 const Offsets& at, const LevelExtents& index, std::int64_t length) const {
    const int last = std::max(0, body.space.levels - 1);
    kept.keep(body, at, last, length);
    if (try_block<Unit>(trials, body, first, at, index, length)) return;
    kept.restore(body, at, last, length);
    run_exactly(body, first, at, index, length);
    trials.forget();
  }

  // False if it was tried in vain.
  template <bool Unit>
  bool try_block([[maybe_unused]] Trials& trials, const Body& body, std::int64_t first,
                 const Offsets& at, const LevelExtents& index, std::int64_t length) const {
    using Loop = VectorLoop<Body, Unit, tries>;
    if constexpr (!tries) {
      Loop::run(body, first, at, index, length, exception_);
      return true;
    } else {
      if (!trials_) return false;
      bool failed = false;
      if constexpr (PackLoop<Body>::wanted) {
        failed = pack_loop(body, at, length);
      } else {
        failed = Loop::run(body, first, at, index, length, exception_);
      }
      return trials.end() && !failed;
    }
  }

  KMAP_DETAIL_FLATTEN static bool pack_loop(const Body& body, const Offsets& at,
                                            std::int64_t length) {
    const Body local = body;
    way = Way::trial;
    try {
      PackLoop<Body>::run(local, at, std::max(0, local.space.levels - 1), length);
      return false;
    } catch (...) {
      return true;
    }
  }

  // One by one.
  [[gnu::noinline]] void run_exactly(const Body& local, std::int64_t first, Offsets at,
                                     LevelExtents index, std::int64_t length) const {
    const int last = std::max(0, local.space.levels - 1);
    for (std::int64_t j = 0; j < length; ++j) {
      try {
        local.call(at, index);
      } catch (...) {
        exception_->keep(first + j);
        return;
      }
      local.move(at, last, 1);
      ++index[last];
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
