#pragma once
// exp, exp2 and expm1: 2^n times a polynomial on half an octave. scripts/math/exponentials.py makes
// the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/polynomial.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

namespace kmap::detail {

template <class T>
struct ExpConstants;
template <>
struct ExpConstants<float> {
  // A number plus this is rounded to an integer, which then stands in the lowest bits.
  static constexpr float shifter = 0x1.8p23f;
  static constexpr float log2_e = 0x1.715476p+0f;
  // ln 2 in two parts; a product of the first and an exponent is exact.
  static constexpr float ln2_high = 0x1.62e4p-1f;
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  // Beyond these e^x and 2^x are 0 and infinite, and beyond the third e^x - 1 is -1.
  static constexpr float exp_low = -105.0f;
  static constexpr float exp_high = 89.0f;
  static constexpr float exp2_low = -151.0f;
  static constexpr float exp2_high = 129.0f;
  static constexpr float expm1_low = -18.0f;
  static constexpr float cosh_high = 89.5f;
  static constexpr float erf_high = 3.93f;
  static constexpr float erfc_high = 10.25f;
};
template <>
struct ExpConstants<double> {
  static constexpr double shifter = 0x1.8p52;
  static constexpr double log2_e = 0x1.71547652b82fep+0;
  static constexpr double ln2_high = 0x1.62e42fefa4p-1;
  static constexpr double ln2_low = -0x1.8432a1b0e2634p-43;
  static constexpr double exp_low = -746.0;
  static constexpr double exp_high = 710.0;
  static constexpr double exp2_low = -1076.0;
  static constexpr double exp2_high = 1025.0;
  static constexpr double expm1_low = -38.0;
  static constexpr double cosh_high = 710.6;
  static constexpr double erf_high = 5.93;
  static constexpr double erfc_high = 27.35;
};

/// x up to this bound; NaN stays.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T at_most(T x, T high) {
  return select(x > high, high, x);
}

/// x between these bounds; NaN stays.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T clamped(T x, T low, T high) {
  return select(x < low, low, at_most(x, high));
}

/// 2^n, where `shifted` is n plus the shifter and n an exponent of a normal number.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T power_of_two(BitsOf<T> shifted) {
  constexpr BitsOf<T> one = BitsOf<T>{Format<T>::bias} << Format<T>::mantissa;
  return from_bits<T>((shifted << Format<T>::mantissa) + one);
}

/// x 2^n, rounded once, for n of up to twice that range. In two steps: 2^n may be no number of T.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_power_of_two(T x, BitsOf<T> shifted) {
  const BitsOf<T> half = shifted >> 1;
  return x * power_of_two<T>(half) * power_of_two<T>(shifted - half);
}

/// The same for x between 1/2 and 3/2. Where the result is 0, it comes from a factor of 0:
/// processors take a hundred times as long for a product that underflows.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T times_power_or_zero(T x, BitsOf<T> shifted) {
  constexpr T least = ExpConstants<T>::shifter + ExpConstants<T>::exp2_low + T{1};
  const BitsOf<T> zero = sign_mask(from_bits<T>(shifted) - least);
  const BitsOf<T> half = shifted >> 1;
  return x * power_of_two<T>(half) * select(zero, T{0}, power_of_two<T>(shifted - half));
}

/// x = n ln 2 + rest.high + rest.low with |rest| <= ln(2) / 2.
template <class T>
struct Octaves {
  T n;
  BitsOf<T> shifted;
  DoubleWord<T> rest;
};

/// For x + low, where `low` is less than the last place of x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Octaves<T> octaves_of(T x, T low = T{0}) {
  using C = ExpConstants<T>;
  const T shifted = mul_add(x, C::log2_e, C::shifter);
  const T n = shifted - C::shifter;
  const T high = mul_add(n, -C::ln2_high, x);
  const T subtrahend = mul_add(n, C::ln2_low, -low);
  const T rest = high - subtrahend;
  return {n, to_bits(shifted), {rest, (high - rest) - subtrahend}};
}

/// 2^-n, or 0 where n is so large that it does not count beside 2^n.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T reciprocal_power(const Octaves<T>& octaves) {
  constexpr T digits = Format<T>::mantissa + 3;
  const T power = power_of_two<T>(to_bits(ExpConstants<T>::shifter - octaves.n));
  return select(sign_mask(octaves.n - digits), power, T{0});
}

/// (cosh r - 1) / z for z = r² <= (ln(2) / 2)², within 2^-32 and 2^-55 of r / z.
KOKKOS_FORCEINLINE_FUNCTION float cosh_terms(float z) {
  return polynomial(z, 0x1p-1f, 0x1.5554acp-5f, 0x1.6d754cp-10f);
}
KOKKOS_FORCEINLINE_FUNCTION double cosh_terms(double z) {
  return polynomial(z, 0x1.0000000000005p-1, 0x1.55555555520a2p-5, 0x1.6c16c17f471f5p-10,
                    0x1.a019a65fb6b35p-16, 0x1.28a2cbb59177ep-22);
}

/// (sinh r / r - 1) / z likewise, within 2^-26 and 2^-61 of 1 / z.
KOKKOS_FORCEINLINE_FUNCTION float sinh_terms(float z) {
  return polynomial(z, 0x1.5554bp-3f, 0x1.12281p-7f);
}
KOKKOS_FORCEINLINE_FUNCTION double sinh_terms(double z) {
  return polynomial(z, 0x1.5555555555559p-3, 0x1.111111110f6aep-7, 0x1.a01a01afe5942p-13,
                    0x1.71ddf8525a3f7p-19, 0x1.af5ec17333cb1p-26);
}

/// e^r - 1 - r, r in two parts.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp_rest(DoubleWord<T> r) {
  const T z = r.high * r.high;
  return mul_add(mul_add(sinh_terms(z), r.high, cosh_terms(z)), z, r.low);
}

/// (2^r - 1) / r for |r| <= 1/2, within 2^-28 and 2^-58.
KOKKOS_FORCEINLINE_FUNCTION float exp2_terms(float r) {
  return split_polynomial(r, r * r, 0x1.62e43p-1f, 0x1.ebfbep-3f, 0x1.c6aecep-5f, 0x1.3b29a8p-7f,
                          0x1.5f47eep-10f, 0x1.44920ap-13f);
}
KOKKOS_FORCEINLINE_FUNCTION double exp2_terms(double r) {
  return split_polynomial(r, r * r, 0x1.62e42fefa39efp-1, 0x1.ebfbdff82c5a5p-3,
                          0x1.c6b08d704a0d8p-5, 0x1.3b2ab6fb9ff25p-7, 0x1.5d87fe78a0a8ep-10,
                          0x1.4309130f3a291p-13, 0x1.ffcbfc7d7b722p-17, 0x1.62bfc6b018af2p-20,
                          0x1.b524cb3038405p-24, 0x1.e61cdcb984b2p-28, 0x1.ea1cb243fe736p-32);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp_of(T x) {
  using C = ExpConstants<T>;
  const Octaves<T> octaves = octaves_of(clamped(x, C::exp_low, C::exp_high));
  const T result = T{1} + (octaves.rest.high + exp_rest(octaves.rest));
  return times_power_or_zero(result, octaves.shifted);
}

/// 2^(x + low), where `low` is less than the last place of x, and x within the bounds above.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp2_within(T x, T low = T{0}) {
  using C = ExpConstants<T>;
  const T shifted = x + C::shifter;
  const T r = (x - (shifted - C::shifter)) + low;
  return times_power_or_zero(mul_add(exp2_terms(r), r, T{1}), to_bits(shifted));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T exp2_of(T x) {
  using C = ExpConstants<T>;
  return exp2_within(clamped(x, C::exp2_low, C::exp2_high));
}

/// 2^n ((1 - 2^-n) + e^r - 1): the difference is exact, or what it loses is too small to count.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T expm1_of(T x) {
  using C = ExpConstants<T>;
  const Octaves<T> octaves = octaves_of(clamped(x, C::expm1_low, C::exp_high));
  const T reciprocal = reciprocal_power(octaves);
  const DoubleWord<T> sum = ordered_sum(T{1} - reciprocal, octaves.rest.high);
  const T result =
      times_power_of_two(sum.high + (sum.low + exp_rest(octaves.rest)), octaves.shifted);
  // -0 has become 0.
  return with_sign_of(x, result);
}

}  // namespace kmap::detail
