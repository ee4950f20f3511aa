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
template <class T, int Rank, bool Mapped = true>
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
  LevelExtents batch;

  KOKKOS_FUNCTION example_type at(std::int64_t offset) const {
    if constexpr (Rank == 0 && std::is_const_v<T>) {
      return data[offset];
    } else {
      return Example<T, Rank>(data + offset, extents, strides);
    }
  }
};

/// A value that every example gets, given as a C++ scalar.
template <class T>
struct Constant {
  using element_type = const T;
  using value_type = T;
  static constexpr int rank = 0;
  static constexpr bool mapped = false;
  using example_type = T;

  T value;
  LevelExtents batch;

  KOKKOS_FUNCTION T at(std::int64_t) const { return value; }
};

/// The mapped axes of one map, outermost first.
struct IterationSpace {
  int levels = 0;
  LevelExtents extents;  // on this rank
  LevelExtents offset;   // global index of the first one (pmap), else 0
  LevelExtents length;   // global
  // With LateNames: the level that has each name.
  int level_of[max_levels] = {};

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

}  // namespace kmap::detail
