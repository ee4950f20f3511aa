#pragma once
// Square and cubic roots, and the length of vectors.

#include "kmap/detail/math/bits.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>

namespace kmap::detail {

/// One instruction.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt_of(T x) {
  return std::sqrt(x);
}

}  // namespace kmap::detail
