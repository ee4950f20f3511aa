#pragma once
// Numbers as unevaluated sums of two: what rounding would take away stands in `low`. T. J. Dekker,
// "A floating-point technique for extending the available precision", Numerische Mathematik 18,
// 1971.

#include "kmap/detail/math/bits.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>

namespace kmap::detail {

template <class T>
struct DoubleWord {
  T high;
  T low;
};

/// a + b, exactly, where |a| >= |b| or a is 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> ordered_sum(T a, T b) {
  const T sum = a + b;
  return {sum, (a - sum) + b};
}

/// The upper half of x's digits: what is left has as many or fewer.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T upper_half(T x) {
  constexpr int half = (Format<T>::mantissa + 2) / 2;
  return from_bits<T>(to_bits(x) & (~BitsOf<T>{0} << half));
}

/// a b, exactly but for underflow and, without fma, a last bit of `low`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> exact_product(T a, T b) {
  const T product = a * b;
  if constexpr (fused) {
    return {product, std::fma(a, b, -product)};
  } else {
    const T a_high = upper_half(a);
    const T b_high = upper_half(b);
    const T a_low = a - a_high;
    const T b_low = b - b_high;
    return {product,
            ((a_high * b_high - product) + (a_high * b_low + a_low * b_high)) + a_low * b_low};
  }
}

/// a b to about twice the digits of T, not normalised.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> product(DoubleWord<T> a, DoubleWord<T> b) {
  const DoubleWord<T> main = exact_product(a.high, b.high);
  return {main.high, main.low + mul_add(a.high, b.low, a.low * b.high)};
}

/// a + b likewise, where |a| >= |b| or a is 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> ordered_sum(DoubleWord<T> a, DoubleWord<T> b) {
  const DoubleWord<T> main = ordered_sum(a.high, b.high);
  return {main.high, main.low + (a.low + b.low)};
}

}  // namespace kmap::detail
