#pragma once
// sinh, cosh and tanh. scripts/math/exponentials.py makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"
#include "kmap/detail/math/exp.hpp"
#include "kmap/detail/math/polynomial.hpp"

#include <Kokkos_Core.hpp>

namespace kmap::detail {

/// For x >= 0: e^x / 4 = growing (cosh r + sinh r) and e^-x / 4 = falling (cosh r - sinh r). A
/// quarter, since 2^n may be too large for T where cosh and sinh are not.
template <class T>
struct Exponentials {
  T growing;
  T falling;
  DoubleWord<T> r;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Exponentials<T> exponentials_of(T x) {
  using C = ExpConstants<T>;
  const Octaves<T> octaves = octaves_of(at_most(x, C::cosh_high));
  const T growing = power_of_two<T>(octaves.shifted - 2);
  return {growing, T{0.25} * reciprocal_power(octaves), octaves.rest};
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sinh_of(T x) {
  const T size = magnitude(x);
  const Exponentials<T> e = exponentials_of(size);
  const T r = e.r.high;
  const T z = r * r;
  // (growing - falling) cosh r + (growing + falling) sinh r, of which the first two terms nearly
  // cancel where n is 1.
  const DoubleWord<T> difference = ordered_sum(e.growing, -e.falling);
  const DoubleWord<T> main = ordered_sum(difference.high, e.growing * r);
  const T sinh_rest = mul_add(sinh_terms(z) * z, r, e.r.low);
  const T rest = mul_add(difference.high, cosh_terms(z) * z, (e.growing + e.falling) * sinh_rest);
  const T small = mul_add(e.falling, r, (main.low + difference.low) + rest);
  const T result = T{2} * (main.high + small);
  // A quarter of a subnormal number may be none.
  const T sized = select(size < T{0x1p-30}, size, result);
  return with_sign_of(x, sized);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T cosh_of(T x) {
  const Exponentials<T> e = exponentials_of(magnitude(x));
  const T r = e.r.high;
  const T z = r * r;
  const T sinh_rest = mul_add(sinh_terms(z) * z, r, e.r.low);
  const T cosh_rest = cosh_terms(z) * z;
  // (growing + falling) cosh r + (growing - falling) sinh r
  const DoubleWord<T> sum = ordered_sum(e.growing, e.falling);
  const DoubleWord<T> main = ordered_sum(sum.high, e.growing * r);
  const T rest = mul_add(sum.high, cosh_rest, (e.growing - e.falling) * sinh_rest);
  const T small = mul_add(-e.falling, r, (main.low + sum.low) + rest);
  return T{2} * (main.high + small);
}

/// (tanh x / x - 1) / z for z = x² <= 0.56², within 2^-34 and 2^-60 of 1 / z.
KOKKOS_FORCEINLINE_FUNCTION float tanh_terms(float z) {
  return split_polynomial(z, z * z, -0x1.555554p-2f, 0x1.1110d4p-3f, -0x1.ba076cp-5f,
                          0x1.64c3e4p-6f, -0x1.12e2f8p-7f, 0x1.36089ep-9f);
}
KOKKOS_FORCEINLINE_FUNCTION double tanh_terms(double z) {
  return split_polynomial(z, z * z, -0x1.555555555554dp-2, 0x1.1111111110449p-3,
                          -0x1.ba1ba1b94c151p-5, 0x1.664f484e29b7p-6, -0x1.226e2d9c4e327p-7,
                          0x1.d6d25f3f849f8p-9, -0x1.7d8cbf0bbd07bp-10, 0x1.3469fd751f17ep-11,
                          -0x1.e86713cdcc6a6p-13, 0x1.5a751d29e6715p-14, -0x1.3f975148b20a3p-16);
}

/// A polynomial near 0, elsewhere 1 - 2 / (e^2x + 1).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T tanh_of(T x) {
  const T size = magnitude(x);
  const T z = x * x;
  const T near = mul_add(size * z, tanh_terms(z), size);
  const Octaves<T> octaves = octaves_of(clamped(T{2} * size, T{0}, T{40}));
  const T power = power_of_two<T>(octaves.shifted);
  const T divisor = mul_add(power, octaves.rest.high + exp_rest(octaves.rest), power + T{1});
  const T far = T{1} - T{2} / divisor;
  const T sized = select(size > T{0.55}, far, near);
  return with_sign_of(x, sized);
}

}  // namespace kmap::detail
