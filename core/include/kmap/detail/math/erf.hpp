#pragma once
// erf and erfc: a polynomial near 0, else e^-x² g(t) / (1 + 2x) with g a polynomial in t = (x -
// 7/4) / (x + 5/2), after M. Shepherd and J. Laframboise, "Chebyshev approximation of (1 + 2x)
// exp(x²) erfc x in 0 <= x < ∞", Mathematics of Computation 36, 1981. scripts/math/exponentials.py
// makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/exp.hpp"
#include "kmap/detail/math/polynomial.hpp"

#include <Kokkos_Core.hpp>

namespace kmap::detail {

/// erf(x) / x - 1 for z = x² <= 1, within 2^-34 and 2^-62.
KOKKOS_FORCEINLINE_FUNCTION float erf_terms(float z) {
  return split_polynomial(z, z * z, 0x1.06eba8p-3f, -0x1.812746p-2f, 0x1.ce2f0ap-4f,
                          -0x1.b829d8p-6f, 0x1.562b1ap-8f, -0x1.bcd7e2p-11f, 0x1.d8b898p-14f,
                          -0x1.44cfbep-17f);
}
KOKKOS_FORCEINLINE_FUNCTION double erf_terms(double z) {
  return split_polynomial(z, z * z, 0x1.06eba8214db69p-3, -0x1.812746b0379e6p-2,
                          0x1.ce2f21a042b34p-4, -0x1.b82ce31284f38p-6, 0x1.565bcd0dbd921p-8,
                          -0x1.c02db3db49762p-11, 0x1.f9a321e4b84f7p-14, -0x1.f4d1e434bc0afp-17,
                          0x1.b9df305cad588p-20, -0x1.5f1f40faedf2dp-23, 0x1.f7b99d7c7feebp-27,
                          -0x1.38ac2290bee72p-30, 0x1.062759c58992p-34);
}

/// (1 + 2x) e^x² erfc(x) for x from 0.476 to 10.25 and 27.35, within 2^-30 and 2^-59. With
/// terms of x - 7/4, and not - 3, errors of t count less where x is small.
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<float> erfc_terms(float t) {
  const float rest = split_polynomial(
      t, t * t, -0x1.5291d4p-4f, -0x1.2066aap-2f, 0x1.909ceep-2f, -0x1.002474p-2f, 0x1.0a4014p-4f,
      0x1.184deap-6f, -0x1.be5926p-7f, -0x1.a9192ap-10f, 0x1.56059cp-9f, -0x1.d9916ap-13f);
  return ordered_sum(0x1.4849bcp+0f, t * rest);
}
KOKKOS_FORCEINLINE_FUNCTION DoubleWord<double> erfc_terms(double t) {
  const double rest = split_polynomial(
      t, t * t, -0x1.5291d66436fe6p-4, -0x1.2066a38ffa909p-2, 0x1.909d1e5295069p-2,
      -0x1.0025731021f76p-2, 0x1.0a33297c427f6p-4, 0x1.193363fd81524p-6, -0x1.bc2e342571f3ep-7,
      -0x1.013ce1dcd11d5p-9, 0x1.53db67b43e8bbp-9, 0x1.2dea96deb0e5fp-11, -0x1.fc8b09e562184p-12,
      -0x1.c84c50a3e2fafp-13, 0x1.105416517d575p-14, 0x1.290b16835be35p-14, 0x1.60b6bb00de20cp-18,
      -0x1.0e45fe1ca1e2cp-16, -0x1.f99512d7fd10fp-18, -0x1.620ae2cd16361p-22, 0x1.0b21b2110d1cdp-18,
      0x1.5ea2ad8fea757p-19, -0x1.c01e44a6ea424p-19, 0x1.bb76e612fb2fbp-21);
  return ordered_sum(0x1.4849bb50180dcp+0, t * rest);
}

/// erf for 0 <= x <= 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erf_near(T x) {
  return mul_add(erf_terms(x * x), x, x);
}

/// erfc for x >= 0.476.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erfc_far(T x) {
  // e^-x² from x² to twice the digits
  const DoubleWord<T> square = exact_product(x, x);
  const Octaves<T> octaves = octaves_of(-square.high, -square.low);
  const DoubleWord<T> rest = ordered_sum(octaves.rest.high, exp_rest(octaves.rest));
  DoubleWord<T> exp = ordered_sum(T{1}, rest.high);
  exp.low += rest.low;
  // One division: that for t, and by 1 + 2x.
  const T sum = x + T{2.5};
  const T divisor = mul_add(T{2}, x, T{1});
  const T divisor_low = T{2} * x - (divisor - T{1});
  const T inverse = T{1} / (sum * divisor);
  const DoubleWord<T> g = erfc_terms((x - T{1.75}) * (divisor * inverse));
  const T divisor_inverse = sum * inverse;
  const T quotient = g.high * divisor_inverse;
  const DoubleWord<T> back = exact_product(quotient, divisor);
  const T remainder = mul_add(-quotient, divisor_low, ((g.high - back.high) - back.low) + g.low);
  const DoubleWord<T> result = product(exp, {quotient, remainder * divisor_inverse});
  return times_power_or_zero(result.high + result.low, octaves.shifted);
}

/// log2 erfc(1 + t) for t from 0 to 2.93 and 4.93, within 2^-29 and 2^-57 of 1 / erfc(1 + t).
KOKKOS_FORCEINLINE_FUNCTION float log2_erfc(float t) {
  return split_polynomial(t, t * t, -0x1.558eaep+1f, -0x1.e7532p+1f, -0x1.37638cp+0f,
                          -0x1.ea7a2p-5f, 0x1.d393cp-7f, -0x1.594d86p-9f, 0x1.18b1c4p-12f);
}
KOKKOS_FORCEINLINE_FUNCTION double log2_erfc(double t) {
  return split_polynomial(
      t, t * t, -0x1.558eada6637f3p+1, -0x1.e75328fe78c2bp+1, -0x1.37627e9b5d94ep+0,
      -0x1.eb313685cd246p-5, 0x1.da57640b880afp-7, -0x1.7603d96b8a4f1p-9, 0x1.6701a6f17dcb5p-12,
      0x1.3e3e61a23dd9cp-15, -0x1.492af5d013036p-15, 0x1.d42e76d38cfd5p-17, -0x1.9cd32937db0bdp-19,
      0x1.3d4e1a705b038p-22, 0x1.67630becb4a73p-24, -0x1.9dc08bd04eb5ep-25, 0x1.a63930fd986b2p-27,
      -0x1.0583beb84c72ap-29, 0x1.7a7f068b4c1cbp-33, -0x1.edcc6e2e3e9d3p-38);
}

/// erf for x >= 1, where 1 - erfc(x) needs few digits of erfc(x).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erf_far(T x) {
  using C = ExpConstants<T>;
  const T q = log2_erfc(at_most(x, C::erf_high) - T{1});
  const T shifted = q + C::shifter;
  const T r = q - (shifted - C::shifter);
  const T power = power_of_two<T>(to_bits(shifted));
  return mul_add(-power, exp2_terms(r) * r, T{1} - power);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erf_of(T x) {
  const T size = magnitude(x);
  return with_sign_of(x, select(size > T{1}, erf_far(size), erf_near(size)));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T erfc_of(T x) {
  using C = ExpConstants<T>;
  const T size = magnitude(x);
  const T far = erfc_far(at_most(size, C::erfc_high));
  const T near = T{1} - with_sign_of(x, erf_near(size));
  return select(size < T{0.4769}, near, select(x < T{0}, T{2} - far, far));
}

}  // namespace kmap::detail
