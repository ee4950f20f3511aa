#pragma once
// What a run over the examples is for: the last one, which stores; one that records the operands of
// a collective; a probe of one example.

#include "kmap/context.hpp"
#include "kmap/detail/call.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/replay.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace kmap::detail {

/// Row-major number of an example, from its indices on this rank.
KOKKOS_INLINE_FUNCTION std::int64_t example_number(const IterationSpace& space,
                                                   const LevelExtents& index) {
  std::int64_t number = 0;
  for (int l = 0; l < space.levels; ++l) number = number * space.extents[l] + index[l];
  return number;
}

/// The only run of a function without a context, and the last of one with collectives.
struct FinalPass {
  using Replay = Replaying;
  static constexpr bool records = false;
  static constexpr bool stores = true;
  static constexpr bool notes_extents = false;
  KnownResults known;

  KOKKOS_FUNCTION Replay replay(const IterationSpace&, const LevelExtents&) const {
    return Replay(known);
  }
  /// True if f came to its end, so that what it returns is to be stored.
  KOKKOS_FUNCTION bool finish(const Replay& replay, const IterationSpace& space,
                              const LevelExtents& index) const {
    if (replay.steps() != known.known)
      known.flag(known.first_example + example_number(space, index));
    return true;
  }
};

/// What the runs share in which results may be unknown.
struct RecordingPass {
  using Replay = Recording;
  static constexpr bool records = true;
  Recorder recorder;

  KOKKOS_FUNCTION Replay replay(const IterationSpace& space, const LevelExtents& index) const {
    return Replay(recorder, recorder.known.first_example + example_number(space, index));
  }
};

struct RecordPass : RecordingPass {
  static constexpr bool stores = false;
  static constexpr bool notes_extents = false;

  KOKKOS_FUNCTION bool finish(const Replay& replay, const IterationSpace&,
                              const LevelExtents&) const {
    if (replay.steps() < recorder.known.known + recorder.window) {
      recorder.known.flag(replay.example());
    }
    return false;
  }
};

/// Stores too if f calls no further collective: its result is final then.
struct ProbePass : RecordingPass {
  static constexpr bool stores = true;
  static constexpr bool notes_extents = false;

  KOKKOS_FUNCTION bool finish(const Replay& replay, const IterationSpace&,
                              const LevelExtents&) const {
    return replay.steps() <= recorder.known.known;
  }
};

/// The same, but notes the extents of what f returns instead of storing that.
struct ShapePass : ProbePass {
  static constexpr bool stores = false;
  static constexpr bool notes_extents = true;
  ResultExtents* extents;
};

}  // namespace kmap::detail
