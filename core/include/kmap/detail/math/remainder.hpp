#pragma once

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>

namespace kmap::detail {

/// c - a b, where a b is c but for rounding: what a quotient or root lacks. Not for products that
/// underflow.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T remainder(T c, T a, T b) {
  if constexpr (fused) {
    return std::fma(-a, b, c);
  } else {
    const DoubleWord<T> p = exact_product(a, b);
    return (c - p.high) - p.low;
  }
}

}  // namespace kmap::detail
