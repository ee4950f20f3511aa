#pragma once
// How one argument or output of a map is found in memory for every example: an axis is a stride.

#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace kmap::detail {

/// Mapped axes that one map can have, nesting included.
inline constexpr int max_levels = 8;

using LevelExtents = Extents<max_levels>;

/// A strided array: base pointer, the example's own extents and strides, and a stride per mapped
/// axis (0 where the argument does not have that axis). Mapped is false if it has none of them.
/// Levels is how many there may be: short calls and loops copy no more than they need.
template <class T, int Rank, bool Mapped = true, int Levels = max_levels>
struct Operand {
  using element_type = T;
  using value_type = std::remove_cv_t<T>;
  static constexpr int rank = Rank;
  static constexpr bool mapped = Mapped;
  // What f gets: rank 0 by value, others as a view.
  using example_type =
      std::conditional_t<Rank == 0 && std::is_const_v<T>, value_type, Example<T, Rank>>;

  T* data = nullptr;
  Extents<Rank> extents;
  Extents<Rank> strides;
  Extents<Levels> batch;

  KOKKOS_FUNCTION example_type at(std::int64_t offset) const {
    if constexpr (Rank == 0 && std::is_const_v<T>) {
      return data[offset];
    } else {
      return Example<T, Rank>(data + offset, extents, strides);
    }
  }
};

/// A value that every example gets, given as a C++ scalar.
template <class T, int Levels = max_levels>
struct Constant {
  using element_type = const T;
  using value_type = T;
  static constexpr int rank = 0;
  static constexpr bool mapped = false;
  using example_type = T;

  T value;
  Extents<Levels> batch;

  KOKKOS_FUNCTION T at(std::int64_t) const { return value; }
};

/// The mapped axes of one map, outermost first, at most Levels of them.
template <int Levels>
struct SpaceOf {
  int levels = 0;
  Extents<Levels> extents;  // on this rank
  Extents<Levels> offset;   // global index of the first one (pmap), else 0
  Extents<Levels> length;   // global
  // With LateNames: the level that has each name.
  int level_of[Levels] = {};

  std::int64_t count() const {
    std::int64_t n = 1;
    for (int l = 0; l < levels; ++l) n *= extents[l];
    return n;
  }

  int add(std::int64_t extent, std::int64_t first = 0, std::int64_t whole = -1) {
    extents[levels] = extent;
    offset[levels] = first;
    length[levels] = whole < 0 ? extent : whole;
    return levels++;
  }
};

using IterationSpace = SpaceOf<max_levels>;

/// An operand along the axis `level` alone, from the example at `offset` on.
template <class T, int Rank, bool Mapped, int Levels>
KOKKOS_FUNCTION Operand<T, Rank, Mapped, 1> line_of(const Operand<T, Rank, Mapped, Levels>& operand,
                                                    std::int64_t offset, int level) {
  return {operand.data + offset, operand.extents, operand.strides, {{operand.batch[level]}}};
}
template <class T, int Levels>
KOKKOS_FUNCTION Constant<T, 1> line_of(const Constant<T, Levels>& operand, std::int64_t, int) {
  return {operand.value, {}};
}

}  // namespace kmap::detail
