#pragma once
// asin, acos, atan and atan2: polynomials around 0, and further out known angles less what is
// missing. What rounding takes away on the way is carried along. scripts/math/trigonometric.py
// makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/polynomial.hpp"
#include "kmap/detail/math/remainder.hpp"
#include "kmap/detail/math/root.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace kmap::detail {

/// pi/4; `high` times up to 4 is exact.
template <class T>
inline constexpr DoubleWord<T> quarter_pi = {
    std::is_same_v<T, float> ? T(0x1.921fb8p-1f) : T(0x1.921fb54442d18p-1),
    std::is_same_v<T, float> ? T(-0x1.5dde98p-24f) : T(0x1.1a62633145c07p-55)};

/// `quarters` pi/4 + (main + rest), where main is not larger than the multiple, if that is not 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T add_to_quarters(T quarters, T main, T rest) {
  const T base = quarters * quarter_pi<T>.high;
  const T high = base + main;
  const T low = (base - high) + main;
  return high + (low + mul_add(quarters, quarter_pi<T>.low, rest));
}

/// x with the sign changed where the mask has bits.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T negated_where(BitsOf<T> mask, T x) {
  return from_bits<T>(to_bits(x) ^ (mask & Format<T>::sign));
}

/// x where the mask has bits, else 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T where(BitsOf<T> mask, T x) {
  return from_bits<T>(to_bits(x) & mask);
}

/// (asin x - x) / x³, |x| <= 1/2. Error 2^-59.8 of asin x, for floats 2^-27.6.
KOKKOS_FORCEINLINE_FUNCTION double arcsine_terms(double square) {
  return polynomial(square, 0x1.5555555555577p-3, 0x1.333333332e10bp-4, 0x1.6db6db7215401p-5,
                    0x1.f1c71a93983a5p-6, 0x1.6e8bdf0cc9b4ap-6, 0x1.1c49ecdd51faep-6,
                    0x1.ca1fe90df9839p-7, 0x1.758263b2a431fp-7, 0x1.614f50516d8e8p-7,
                    0x1.e4ca6eaaa9aa2p-9, 0x1.63fbd4e0dc65cp-6, -0x1.588a5bd4441dbp-6,
                    0x1.0b7489856dea8p-5);
}
KOKKOS_FORCEINLINE_FUNCTION float arcsine_terms(float square) {
  return polynomial(square, 0x1.5555c8p-3f, 0x1.3301fcp-4f, 0x1.747d04p-5f, 0x1.8c2d98p-6f,
                    0x1.596d4ap-5f);
}

/// asin of |x|, where that is at most 1/2, else of sqrt((1 - |x|) / 2), as the sum of two.
template <class T>
struct Arcsine {
  DoubleWord<T> angle;
  BitsOf<T> far;
};

template <class T>
KOKKOS_FORCEINLINE_FUNCTION Arcsine<T> arcsine_near_0(T x) {
  const T size = magnitude(x);
  const BitsOf<T> far = larger_mask(size, T(0.5));
  const T square = select(far, (1 - size) * T(0.5), size * size);
  const DoubleWord<T> root = exact_sqrt(square);
  const T sine = select(far, root.high, size);
  const T rest = mul_add(sine * square, arcsine_terms(square), where(far, root.low));
  return {{sine, rest}, far};
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T asin_of(T x) {
  const Arcsine<T> a = arcsine_near_0(x);
  // pi/2 - 2 angle, or the angle.
  const T factor = select(a.far, T{-2}, T{1});
  const T result = add_to_quarters(where(a.far, T{2}), factor * a.angle.high, factor * a.angle.low);
  return with_sign_of(x, result);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T acos_of(T x) {
  const Arcsine<T> a = arcsine_near_0(x);
  const BitsOf<T> negative = sign_mask(x);
  // 2 angle, or pi - 2 angle for negative x; pi/2 - angle, or pi/2 + angle.
  const T quarters = select(a.far, where(negative, T{4}), T{2});
  const T factor = negated_where<T>(negative ^ ~a.far, select(a.far, T{2}, T{1}));
  return add_to_quarters(quarters, factor * a.angle.high, factor * a.angle.low);
}

/// (atan x - x) / x³, |x| <= sqrt(2) - 1. Error 2^-59.4 of atan x, for floats 2^-30.3.
KOKKOS_FORCEINLINE_FUNCTION double arctangent_terms(double square) {
  return polynomial(square, -0x1.555555555553cp-2, 0x1.9999999995651p-3, -0x1.24924922a08b6p-3,
                    0x1.c71c70e11a3c5p-4, -0x1.745cf84e2752dp-4, 0x1.3b110f3423a93p-4,
                    -0x1.10eb472865982p-4, 0x1.df08d36db998cp-5, -0x1.9cb566a233307p-5,
                    0x1.378a93393c9ap-5, -0x1.24c4b83161767p-6);
}
KOKKOS_FORCEINLINE_FUNCTION float arctangent_terms(float square) {
  return polynomial(square, -0x1.55554ap-2f, 0x1.9991ep-3f, -0x1.23b966p-3f, 0x1.b2200cp-4f,
                    -0x1.f2cc5cp-5f);
}

/// The angle, between 0 and pi, of a point whose coordinates have the sizes `less` and `more` > 0:
/// the larger one is y where `steep` has bits, and x is negative where `negative` has.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T angle_of_point(T less, T more, BitsOf<T> steep, BitsOf<T> negative) {
  // atan q = pi/4 + atan((q - 1) / (q + 1)).
  const BitsOf<T> middle = larger_mask(less, T(0.41421356) * more);
  const T difference = less - more;
  const T sum = less + more;
  const T lost_above = where(middle, less - (difference + more));
  const T lost_below = where(middle, less - (sum - more));
  const T above = select(middle, difference, less);
  const T below = select(middle, sum, more);
  const T inverse = 1 / below;
  const T q = above * inverse;
  const T lack = remainder(above, q, below) + mul_add(-q, lost_below, lost_above);
  const T square = q * q;
  const T rest = mul_add(q * square, arctangent_terms(square), lack * inverse);
  const T quarters = where(middle, T{1});
  const T turned = select(steep, 2 - quarters, quarters);
  const BitsOf<T> sign = steep ^ negative;
  return add_to_quarters(select(negative, 4 - turned, turned), negated_where<T>(sign, q),
                         negated_where<T>(sign, rest));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atan_of(T x) {
  // Beyond, the angle is pi/2 but for rounding; infinities are numbers here.
  constexpr T most = std::is_same_v<T, float> ? T(0x1p40f) : T(0x1p100);
  const T size = magnitude(x);
  const T y = select(larger_mask(size, most), most, size);
  const BitsOf<T> steep = larger_mask(y, T{1});
  const T angle =
      angle_of_point<T>(select(steep, T{1}, y), select(steep, y, T{1}), steep, BitsOf<T>{0});
  return select(nan_mask(size), x, with_sign_of(x, angle));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T atan2_of(T y, T x) {
  using Limits = std::numeric_limits<T>;
  constexpr bool single = std::is_same_v<T, float>;
  const T tall = magnitude(y);
  const T wide = magnitude(x);
  const BitsOf<T> steep = larger_mask(tall, wide);
  const T less = select(steep, wide, tall);
  const T more = select(steep, tall, wide);
  // Neither sums and inverses of the larger one shall overflow, nor what rounding takes away from
  // the smaller one underflow.
  const BitsOf<T> large = larger_mask(more, single ? T(0x1p100f) : T(0x1p900));
  const BitsOf<T> small = larger_mask(T{1}, more);
  const T scale = select(large, single ? T(0x1p-30f) : T(0x1p-200),
                         select(small, single ? T(0x1p100f) : T(0x1p900), T{1}));
  // Of infinities only which it is counts; of two zeros, their signs.
  const BitsOf<T> infinite = larger_mask(more, Limits::max());
  const BitsOf<T> both = larger_mask(less, Limits::max());
  const T finite_less = select(infinite, where(both, T{1}), less * scale);
  const BitsOf<T> unit = infinite | ~larger_mask(more, T{0});
  const T finite_more = select(unit, T{1}, more * scale);
  const T angle = angle_of_point(finite_less, finite_more, steep, sign_mask(x));
  return select(nan_mask(tall) | nan_mask(wide), x + y, with_sign_of(y, angle));
}

}  // namespace kmap::detail
