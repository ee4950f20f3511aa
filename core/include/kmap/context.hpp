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

/// Names whose levels are known only at run time: name i is that of level_of[i] of the iteration
/// space. A context then carries all levels.
template <class... Names>
struct LateNames : NameList<Names...> {
  static constexpr int size = max_levels;
};

/// The mapped level of a name, given the name's position.
template <class Names>
struct LevelTable {
  KOKKOS_FUNCTION explicit LevelTable(const IterationSpace&) {}
  KOKKOS_FUNCTION constexpr int operator()(int position) const { return position; }
};
template <class... Names>
struct LevelTable<LateNames<Names...>> {
  int levels[sizeof...(Names)];
  KOKKOS_FUNCTION explicit LevelTable(const IterationSpace& space) {
    for (int n = 0; n < static_cast<int>(sizeof...(Names)); ++n) levels[n] = space.level_of[n];
  }
  KOKKOS_FUNCTION int operator()(int position) const { return levels[position]; }
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
  detail::LevelTable<Names> level;      ///< of a name
  Replay replay;

  /// Of the example at these indices on this rank.
  KOKKOS_FUNCTION Context(const detail::IterationSpace& space, const detail::LevelExtents& here,
                          const Replay& replay_at)
      : level(space), replay(replay_at) {
    for (int a = 0; a < axes; ++a) {
      index[a] = space.offset[a] + here[a];
      length[a] = space.length[a];
    }
  }
  // A copy would count collectives for itself: functions take the context as `C& c`.
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
};

namespace detail {

/// The mapped level of an axis, by its name.
template <class Name, class Names, class Replay>
KOKKOS_FUNCTION int level_of(const Context<Names, Replay>& c) {
  return c.level(BoundAxis<Name, Names>::position);
}

}  // namespace detail

/// The example's index on the named axis, global under pmap: 0 … axis_size - 1. Of several names,
/// that on their product, first name major.
template <detail::FixedString... Name, class Names, class Replay>
KOKKOS_FUNCTION std::int32_t axis_index(const Context<Names, Replay>& c) {
  static_assert(sizeof...(Name) > 0, "kmap: axis_index wants the name of an axis");
  std::int64_t result = 0;
  ((result = result * c.length[detail::level_of<detail::CharsOf<Name>>(c)] +
             c.index[detail::level_of<detail::CharsOf<Name>>(c)]),
   ...);
  return static_cast<std::int32_t>(result);
}

/// The length of the named axis; under pmap that of the whole axis over all ranks. Of several
/// names, their product.
template <detail::FixedString... Name, class Names, class Replay>
KOKKOS_FUNCTION std::int64_t axis_size(const Context<Names, Replay>& c) {
  static_assert(sizeof...(Name) > 0, "kmap: axis_size wants the name of an axis");
  return (std::int64_t{1} * ... * c.length[detail::level_of<detail::CharsOf<Name>>(c)]);
}

/// True if a result that f got from a collective stands in for one that is not known yet: what f
/// does from here on is dropped, so it may return at once. The answer is that at the moment of the
/// question; in the last run it is always false.
template <class Names, class Replay>
KOKKOS_FUNCTION bool stands_in(const Context<Names, Replay>& c) {
  return c.replay.stands_in();
}

}  // namespace kmap
