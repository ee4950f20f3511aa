#pragma once
// Square and cubic roots, and the length of vectors.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/remainder.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>

namespace kmap::detail {

/// One instruction.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt_of(T x) {
  return std::sqrt(x);
}

/// 1 / sqrt(x) to one part in 28, for normal x > 0: minus half the exponent, and the mantissa
/// as if it were its logarithm.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T rough_inverse_sqrt(T x) {
  constexpr auto unit = static_cast<double>(BitsOf<T>{1} << Format<T>::mantissa);
  constexpr auto start = static_cast<BitsOf<T>>(1.5 * (Format<T>::bias - 0.045) * unit);
  return from_bits<T>(start - (to_bits(x) >> 1));
}

/// What to add to root = sqrt(x), rounded, for sqrt(x + rest).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sqrt_correction(T x, T rest, T root) {
  return (remainder(x, root, root) + rest) * (T(0.5) * rough_inverse_sqrt(x));
}

/// To five bits more than T has.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> exact_sqrt(T x) {
  const T root = std::sqrt(x);
  return {root, sqrt_correction(x, T{0}, root)};
}

/// Floats: products of two are exact as doubles, and sums of these do not overflow.
KOKKOS_FORCEINLINE_FUNCTION float hypot_of_numbers(float x, float y) {
  const double a = x;
  const double b = y;
  return static_cast<float>(std::sqrt(a * a + b * b));
}
KOKKOS_FORCEINLINE_FUNCTION double hypot_of_numbers(double x, double y) {
  const double a = magnitude(x);
  const double b = magnitude(y);
  const BitsOf<double> swap = larger_mask(b, a);
  const double more = select(swap, b, a);
  const double less = select(swap, a, b);
  const BitsOf<double> large = larger_mask(more, 0x1p500);
  const BitsOf<double> small = larger_mask(0x1p-450, more);
  const double scale = select(large, 0x1p-600, select(small, 0x1p600, 1.0));
  const DoubleWord<double> p = exact_product(more * scale, more * scale);
  const DoubleWord<double> q = exact_product(less * scale, less * scale);
  const DoubleWord<double> sum = ordered_sum(p.high, q.high);
  const double root = std::sqrt(sum.high);
  const double correction = sqrt_correction(sum.high, sum.low + (p.low + q.low), root);
  return (root + correction) * select(large, 0x1p600, select(small, 0x1p-600, 1.0));
}

/// All bits if x, which is not negative, is infinite.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> infinity_mask(T x) {
  return larger_mask(x, std::numeric_limits<T>::max()) & ~nan_mask(x);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T hypot_of(T x, T y) {
  const BitsOf<T> infinite = infinity_mask(magnitude(x)) | infinity_mask(magnitude(y));
  return select(infinite, std::numeric_limits<T>::infinity(), hypot_of_numbers(x, y));
}

/// x^(-1/3) to one part in 25, for normal x > 0: minus a third of the exponent, and the mantissa as
/// if it were its logarithm. The upper words of the numbers do.
KOKKOS_FORCEINLINE_FUNCTION double rough_inverse_cbrt(double x) {
  constexpr double integers = 0x1p52;
  const double word = from_bits<double>((to_bits(x) >> 32) | to_bits(integers)) - integers;
  const double start = (4.0 / 3 * (1023 - 0.05)) * 0x1p20;
  const double inverse = (start - word * (1.0 / 3)) + integers;
  return from_bits<double>(to_bits(inverse) << 32);
}

/// Steps from y towards x^(-1/3) by the series of (1 - e)^(-1/3), e = 1 - x y³.
KOKKOS_FORCEINLINE_FUNCTION double inverse_cbrt_step(double x, double y) {
  const double e = mul_add(-(x * y), y * y, 1.0);
  return mul_add(y * e, mul_add(e, mul_add(e, 14.0 / 81, 2.0 / 9), 1.0 / 3), y);
}

KOKKOS_FORCEINLINE_FUNCTION float cbrt_of_size(float x) {
  const double wide = x;
  const double y = inverse_cbrt_step(wide, inverse_cbrt_step(wide, rough_inverse_cbrt(wide)));
  return static_cast<float>(wide * y * y);
}
KOKKOS_FORCEINLINE_FUNCTION double cbrt_of_size(double x) {
  const BitsOf<double> small = larger_mask(0x1p-800, x);
  const BitsOf<double> large = larger_mask(x, 0x1p800);
  const double a = x * select(small, 0x1p600, select(large, 0x1p-600, 1.0));
  const double y = inverse_cbrt_step(a, inverse_cbrt_step(a, rough_inverse_cbrt(a)));
  const double root = a * y * y;
  const DoubleWord<double> square = exact_product(root, root);
  const double lack = mul_add(-square.low, root, remainder(a, square.high, root));
  const double corrected = mul_add(lack * (1.0 / 3), y * y, root);
  return corrected * select(small, 0x1p-200, select(large, 0x1p200, 1.0));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T cbrt_of(T x) {
  const T size = magnitude(x);
  const T root = cbrt_of_size(size);
  return select(larger_mask(size, std::numeric_limits<T>::max()), x + x, with_sign_of(x, root));
}

}  // namespace kmap::detail
