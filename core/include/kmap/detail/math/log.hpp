#pragma once
// log, log2, log10 and log1p: x = 2^e (1 + f) with 1 + f between the roots of 1/2 and 2, and
// ln(1 + f) = 2 atanh(s), s = f / (2 + f), so that ln(1 + f) = f - (f²/2 - s (f²/2 + R(s²))): K. C.
// Ng's form, in which no error of s counts. scripts/math/exponentials.py makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/exp.hpp"
#include "kmap/detail/math/polynomial.hpp"

#include <Kokkos_Core.hpp>

#include <limits>

namespace kmap::detail {

template <class T>
struct LogConstants;
template <>
struct LogConstants<float> {
  static constexpr BitsOf<float> sqrt_half = 0x3f3504f3u;
  // 2^23: with an integer in its lowest bits it is that integer more.
  static constexpr float shifter = 0x1p23f;
  static constexpr DoubleWord<float> log2_e = {0x1.715476p+0f, 0x1.4ae0cp-26f};
  static constexpr DoubleWord<float> log10_e = {0x1.bcb7b2p-2f, -0x1.5b235ep-27f};
  // log10 2 in two parts; a product of the first and an exponent is exact.
  static constexpr float log10_2_high = 0x1.344p-2f;
  static constexpr float log10_2_low = 0x1.3509f8p-18f;
};
template <>
struct LogConstants<double> {
  static constexpr BitsOf<double> sqrt_half = 0x3fe6a09e667f3bcdu;
  static constexpr double shifter = 0x1p52;
  static constexpr DoubleWord<double> log2_e = {0x1.71547652b82fep+0, 0x1.777d0ffda0d24p-56};
  static constexpr DoubleWord<double> log10_e = {0x1.bcb7b1526e50ep-2, 0x1.95355baaafad3p-57};
  static constexpr double log10_2_high = 0x1.34413509f8p-2;
  static constexpr double log10_2_low = -0x1.80433b83b532ap-44;
};

/// (2 atanh(s) / s - 2) / z for z = s², within 2^-29 and 2^-58 of 1 / z.
KOKKOS_FORCEINLINE_FUNCTION float log_terms(float z) {
  return polynomial(z, 0x1.55557ap-1f, 0x1.995e9ap-2f, 0x1.31e6a6p-2f);
}
KOKKOS_FORCEINLINE_FUNCTION double log_terms(double z) {
  return split_polynomial(z, z * z, 0x1.5555555555593p-1, 0x1.999999997fb44p-2,
                          0x1.2492494216a6ap-2, 0x1.c71c51e8b22cap-3, 0x1.74664609d39dap-3,
                          0x1.39a0f82f4fc6fp-3, 0x1.2f0d716788977p-3);
}

/// x = 2^e m with m between the roots of 1/2 and 2; `biased` is e + the bias.
template <class T>
struct Scaled {
  T e;
  T m;
  BitsOf<T> biased;
};

/// For normal x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Scaled<T> scaled_normal(T x) {
  using F = Format<T>;
  using C = LogConstants<T>;
  constexpr BitsOf<T> bias = F::bias;
  const BitsOf<T> bits = to_bits(x);
  const BitsOf<T> biased = (bits + ((bias << F::mantissa) - C::sqrt_half)) >> F::mantissa;
  const T e = from_bits<T>(biased | to_bits(C::shifter)) - (C::shifter + T{F::bias});
  return {e, from_bits<T>(bits - ((biased - bias) << F::mantissa)), biased};
}

/// For positive x that may be subnormal; `biased` is then that of a multiple.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Scaled<T> scaled(T x) {
  constexpr int shift = Format<T>::mantissa + 1;
  constexpr T factor = static_cast<T>(BitsOf<T>{1} << shift);
  const BitsOf<T> small = sign_mask(x - std::numeric_limits<T>::min());
  const Scaled<T> result = scaled_normal(select(small, x * factor, x));
  return {result.e - select(small, T{shift}, T{0}), result.m, result.biased};
}

/// ln(1 + f) = f - square + rest, where square is f²/2.
template <class T>
struct LogParts {
  T square;
  T rest;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION LogParts<T> log_parts(T f) {
  const T s = f / (T{2} + f);
  const T z = s * s;
  const T square = T{0.5} * f * f;
  return {square, s * mul_add(log_terms(z), z, square)};
}

/// `result`, or what a logarithm of x is where x is not positive and finite.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_or_special(T x, T result) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  const T ordinary = select(x == T{0}, -inf, result);
  const T positive = select(x < inf, ordinary, x);
  return select(x < T{0}, std::numeric_limits<T>::quiet_NaN(), positive);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_of(T x) {
  using C = ExpConstants<T>;
  const Scaled<T> s = scaled(x);
  const T f = s.m - T{1};
  const LogParts<T> parts = log_parts(f);
  const T small = parts.square - mul_add(s.e, C::ln2_low, parts.rest);
  return log_or_special(x, mul_add(s.e, C::ln2_high, f - small));
}

/// e times `unit_high`, which is exact, + e times `unit_low` + ln(1 + f) times `factor`.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_to_base(T x, T unit_high, T unit_low, DoubleWord<T> factor) {
  const Scaled<T> s = scaled(x);
  const T f = s.m - T{1};
  const LogParts<T> parts = log_parts(f);
  DoubleWord<T> log = ordered_sum(f, -parts.square);
  log.low += parts.rest;
  const DoubleWord<T> multiple = product(log, factor);
  const DoubleWord<T> sum = ordered_sum(s.e * unit_high, multiple.high);
  return log_or_special(x, sum.high + (sum.low + mul_add(s.e, unit_low, multiple.low)));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log2_of(T x) {
  return log_to_base(x, T{1}, T{0}, LogConstants<T>::log2_e);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log10_of(T x) {
  using C = LogConstants<T>;
  return log_to_base(x, C::log10_2_high, C::log10_2_low, C::log10_e);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log1p_of(T x) {
  using C = ExpConstants<T>;
  const T u = T{1} + x;
  const T x_part = u - T{1};
  const T lost = (x - x_part) + (T{1} - (u - x_part));
  const Scaled<T> s = scaled_normal(u);
  // What is lost of a large x does not count, and 2^-e may be no number.
  constexpr BitsOf<T> bias = Format<T>::bias;
  const T unit = from_bits<T>(((bias + bias) - s.biased) << Format<T>::mantissa);
  constexpr T large = static_cast<T>(BitsOf<T>{1} << (Format<T>::mantissa + 3));
  const T scaled_lost = select(sign_mask(x - large), lost * unit, T{0});
  // Of a small x nothing is lost then: the sum of f is x.
  const DoubleWord<T> f = ordered_sum(s.m - T{1}, scaled_lost);
  const LogParts<T> parts = log_parts(f.high);
  const T correction = mul_add(s.e, C::ln2_low, mul_add(f.low, -f.high, f.low));
  const T small = parts.square - (parts.rest + correction);
  const T result = mul_add(s.e, C::ln2_high, f.high - small);
  return log_or_special(u, with_sign_of(x, result));
}

}  // namespace kmap::detail
