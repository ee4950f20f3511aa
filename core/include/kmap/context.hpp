#pragma once
/// \file
/// What a mapped function may ask about its place in the batch: it takes a context as its first
/// argument, and names an axis that an enclosing vmap or pmap has bound by `axis_name`.

#include "kmap/axes.hpp"
#include "kmap/detail/replay.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace kmap {

namespace detail {

/// Names of the mapped axes as Chars, outermost first; Chars<> for an axis without a name.
template <class... Names>
struct NameList {
  static constexpr int size = sizeof...(Names);

  /// Position of the innermost axis of that name (inner names shadow outer ones), or -1.
  template <class Wanted>
  static constexpr int find() {
    int position = 0;
    int found = -1;
    ((found = std::is_same_v<Names, Wanted> ? position : found, ++position), ...);
    return found;
  }

  static std::vector<std::string> texts() { return {text_of(Names{})...}; }
};

template <class Wanted, class Names>
struct BoundAxis {
  static constexpr int position = Names::template find<Wanted>();
  static_assert(!Wanted::empty, "kmap: the name of an axis must not be empty");
  static_assert(position >= 0,
                "kmap: unbound axis name: the name asked for (Wanted) is not among those that "
                "the enclosing vmap and pmap bind with axis_name (Names)");
};

}  // namespace detail

/// The place of one example on every mapped axis, and what its collectives have come to. Made by
/// vmap and pmap only.
template <class Names, class Replay = detail::Replaying>
struct Context {
  static constexpr int axes = Names::size;
  detail::Extents<Names::size> index;   ///< global indices
  detail::Extents<Names::size> length;  ///< global lengths
  Replay replay;

  /// Of the example at these indices on this rank.
  KOKKOS_FUNCTION Context(const detail::IterationSpace& space, const detail::LevelExtents& here,
                          const Replay& replay_at)
      : replay(replay_at) {
    for (int a = 0; a < axes; ++a) {
      index[a] = space.offset[a] + here[a];
      length[a] = space.length[a];
    }
  }
  // A copy would count collectives for itself: functions take the context as `C& c`.
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

/// The example's index on the named axis, global under pmap: 0 … axis_size - 1. Of several names,
/// that on their product, first name major.
template <detail::FixedString... Name, class Names, class Replay>
KOKKOS_FUNCTION std::int32_t axis_index(const Context<Names, Replay>& c) {
  static_assert(sizeof...(Name) > 0, "kmap: axis_index wants the name of an axis");
  std::int64_t result = 0;
  ((result = result * c.length[detail::BoundAxis<detail::CharsOf<Name>, Names>::position] +
             c.index[detail::BoundAxis<detail::CharsOf<Name>, Names>::position]),
   ...);
  return static_cast<std::int32_t>(result);
}

/// The length of the named axis; under pmap that of the whole axis over all ranks. Of several
/// names, their product.
template <detail::FixedString... Name, class Names, class Replay>
KOKKOS_FUNCTION std::int64_t axis_size(const Context<Names, Replay>& c) {
  static_assert(sizeof...(Name) > 0, "kmap: axis_size wants the name of an axis");
  return (std::int64_t{1} * ... *
          c.length[detail::BoundAxis<detail::CharsOf<Name>, Names>::position]);
}

}  // namespace kmap
