#pragma once
// pow: 2^(y log2 |x|), the logarithm to about 68 digits (float: 35). scripts/math/exponentials.py
// makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/exp.hpp"
#include "kmap/detail/math/log.hpp"
#include "kmap/detail/math/polynomial.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

namespace kmap::detail {

template <class T>
struct PowConstants;
template <>
struct PowConstants<float> {
  // 2 / ln 2 and a third of it: the first two terms of 2 atanh(s) / ln 2.
  static constexpr DoubleWord<float> first = {0x1.715476p+1f, 0x1.4ae0cp-25f};
  static constexpr DoubleWord<float> second = {0x1.ec709ep-1f, -0x1.e2fe02p-28f};
  // Beyond this the power of any x but 1 overflows or is 0.
  static constexpr float greatest_y = 0x1p40f;
};
template <>
struct PowConstants<double> {
  static constexpr DoubleWord<double> first = {0x1.71547652b82fep+1, 0x1.777d0ffda0d24p-55};
  static constexpr DoubleWord<double> second = {0x1.ec709dc3a03fdp-1, 0x1.d27f05548af0cp-55};
  static constexpr double greatest_y = 0x1p66;
};

/// The terms after these, over z² = s⁴, within 2^-42 and 2^-72 of 1 / z².
KOKKOS_FORCEINLINE_FUNCTION float log2_terms(float z) {
  return polynomial(z, 0x1.2776c4p-1f, 0x1.a61914p-2f, 0x1.47be12p-2f, 0x1.1f9f3ap-2f);
}
KOKKOS_FORCEINLINE_FUNCTION double log2_terms(double z) {
  return split_polynomial(z, z * z, 0x1.2776c50ef9bfcp-1, 0x1.a61762a7aefbfp-2,
                          0x1.484b13d695378p-2, 0x1.0c9a8544af12ap-2, 0x1.c68ee4d3e2334p-3,
                          0x1.8a0a53e216601p-3, 0x1.58f199f5c1dbp-3, 0x1.62462dce0b104p-3);
}

/// log2 x for positive and finite x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<T> double_log2(T x) {
  using C = PowConstants<T>;
  const Scaled<T> parts = scaled(x);
  const T f = parts.m - T{1};
  // s = f / (2 + f)
  const T divisor = T{2} + f;
  const T divisor_low = f - (divisor - T{2});
  const T inverse = T{1} / divisor;
  const T s_high = f * inverse;
  const DoubleWord<T> back = exact_product(s_high, divisor);
  const T remainder = mul_add(-s_high, divisor_low, (f - back.high) - back.low);
  const DoubleWord<T> s = {s_high, remainder * inverse};
  DoubleWord<T> z = exact_product(s.high, s.high);
  z.low = mul_add(s.high + s.high, s.low, z.low);
  DoubleWord<T> terms = ordered_sum(C::second.high, z.high * log2_terms(z.high));
  terms.low += C::second.low;
  const DoubleWord<T> log2_m = product(s, ordered_sum(C::first, product(z, terms)));
  const DoubleWord<T> sum = ordered_sum(DoubleWord<T>{parts.e, T{0}}, log2_m);
  return ordered_sum(sum.high, sum.low);
}

/// All bits if a >= 0 is an integer or infinite, else none.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> integer_mask(T a) {
  constexpr T large = static_cast<T>(BitsOf<T>{1} << Format<T>::mantissa);
  const T fraction = ((a + large) - large) - a;
  return sign_mask(large - a) | ~sign_mask(T{0} - magnitude(fraction));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T pow_of(T x, T y) {
  using C = PowConstants<T>;
  using E = ExpConstants<T>;
  using Bits = BitsOf<T>;
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr Bits sign = Format<T>::sign;
  const T size = magnitude(x);
  const T power = magnitude(y);

  const DoubleWord<T> log2 = double_log2(size);
  const DoubleWord<T> exponent =
      product(DoubleWord<T>{clamped(y, -C::greatest_y, C::greatest_y), T{0}}, log2);
  const T bounded = clamped(exponent.high, E::exp2_low, E::exp2_high);
  // What is less than the bound in size has its low part.
  const T low = select(sign_mask(magnitude(exponent.high) + E::exp2_low), exponent.low, T{0});
  const T ordinary = exp2_within(bounded, low);

  const Bits zero = ~sign_mask(T{0} - size);
  const Bits extreme = zero | sign_mask(std::numeric_limits<T>::max() - size);
  const T positive = select(extreme, select(zero ^ sign_mask(y), T{0}, inf), ordinary);

  const Bits whole = integer_mask(power);
  const Bits odd = whole & ~integer_mask(T{0.5} * power);
  const T signed_power = from_bits<T>(to_bits(positive) | (to_bits(x) & sign & odd));
  const Bits complex = sign_mask(x) & ~extreme & ~whole;
  const T real = select(complex, std::numeric_limits<T>::quiet_NaN(), signed_power);

  // Not a number if one of them is not.
  const T sum = size + power;
  const T number = select(sum == sum, real, sum);
  return select(x == T{1}, T{1}, select(y == T{0}, T{1}, number));
}

}  // namespace kmap::detail
