#pragma once
// sin, cos and tan. x is reduced by the nearest multiple of pi/2, by pi/2 in three pieces (W. J.
// Cody, W. Waite, "Software Manual for the Elementary Functions", 1980). For huge x see
// huge_angle.hpp. scripts/math/trigonometric.py makes the constants.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/huge_angle.hpp"
#include "kmap/detail/math/polynomial.hpp"
#include "kmap/detail/math/remainder.hpp"
#include "kmap/detail/math/trial.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace kmap::detail {

/// Up to here the short reduction is right: multiples of pi/2 have 16 bits.
template <class T>
inline constexpr T trigonometric_reach = 100000;

/// The multiple of pi/2 nearest to x, or one almost as near. The lowest bits of `quadrant` are
/// those of n.
template <class T>
struct Multiple {
  T n;
  BitsOf<T> quadrant;
};

/// `scaled` is x overflow_beyond(trigonometric_reach).
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Multiple<T> multiple_of_half_pi(T scaled) {
  // The last bits of a sum with `shift` are an integer.
  constexpr T shift = std::is_same_v<T, float> ? T(0x1.8p23) : T(0x1.8p52);
  constexpr auto per_half_pi =
      static_cast<T>(0x1.45f306dc9c883p-1 / overflow_beyond(trigonometric_reach<T>));
  const T shifted = mul_add(scaled, per_half_pi, shift);
  return {shifted - shift, to_bits(shifted)};
}

/// pi/2 as a sum. n times the first is exact or fused, and what it leaves of x exact; for doubles,
/// n times the second is exact.
template <class T>
struct HalfPi;
template <>
struct HalfPi<double> {
  static constexpr double first = fused ? 0x1.921fb54442d18p+0 : 0x1.921fb5444p+0;
  static constexpr double second = fused ? 0x1.1a6263314p-54 : 0x1.68c234c4cp-39;
  static constexpr double third = fused ? 0x1.701b839a25205p-92 : 0x1.98a2e03707345p-77;
};
template <>
struct HalfPi<float> {
  static constexpr float first = 0x1.921fb4p+0f;
  static constexpr float second = 0x1.4442dp-24f;
  static constexpr float third = 0x1.84698ap-48f;
};

/// x - n pi/2 = high - over. (A sum would not keep the sign of -0.)
template <class T>
struct Angle {
  T high;
  T over;
};

/// Without fma the product of n and the first piece is not exact for floats; as doubles it is.
KOKKOS_FORCEINLINE_FUNCTION double reduced_as_double(float x, float n) {
  constexpr double first = 0x1.921fb5444p+0;
  constexpr double second = 0x1.68c234c4c6629p-39;
  const double wide = n;
  return (static_cast<double>(x) - wide * first) - wide * second;
}

/// x - n pi/2, rounded.
KOKKOS_FORCEINLINE_FUNCTION float reduced(float x, float n) {
  using Pieces = HalfPi<float>;
  if constexpr (!fused) return static_cast<float>(reduced_as_double(x, n));
  return mul_add(-n, Pieces::third, mul_add(-n, Pieces::second, mul_add(-n, Pieces::first, x)));
}
KOKKOS_FORCEINLINE_FUNCTION Angle<double> reduced_exactly(double x, double n) {
  using Pieces = HalfPi<double>;
  const double rest = mul_add(-n, Pieces::first, x);
  const double high = mul_add(-n, Pieces::second, rest);
  return {high, mul_add(n, Pieces::third, mul_add(n, Pieces::second, high - rest))};
}
KOKKOS_FORCEINLINE_FUNCTION Angle<float> reduced_exactly(float x, float n) {
  if constexpr (!fused) {
    const double r = reduced_as_double(x, n);
    const auto narrow = static_cast<float>(r);
    return {narrow, static_cast<float>(static_cast<double>(narrow) - r)};
  }
  using Pieces = HalfPi<float>;
  const float rest = mul_add(-n, Pieces::first, x);
  const DoubleWord<float> second = exact_product(n, Pieces::second);
  const float high = rest - second.high;
  const float over = ((high - rest) + second.high) + second.low;
  return {high, mul_add(n, Pieces::third, over)};
}

/// The angle as sine_near_0 wants it: floats do without `over`, which costs them an eighth more.
KOKKOS_FORCEINLINE_FUNCTION Angle<double> reduced_for_sine(double x, double n) {
  return reduced_exactly(x, n);
}
KOKKOS_FORCEINLINE_FUNCTION Angle<float> reduced_for_sine(float x, float n) {
  return {reduced(x, n), 0};
}

/// r². For floats it is less than 0 for 0, so that sine_near_0 keeps the sign of -0.
KOKKOS_FORCEINLINE_FUNCTION double square_of_angle(double high) { return high * high; }
KOKKOS_FORCEINLINE_FUNCTION float square_of_angle(float high) {
  return mul_add(high, high, -0x1p-100f);
}

/// sin r, |r| <= pi/4. The polynomial's error is 2^-57.8 of it, for floats 2^-27.9.
KOKKOS_FORCEINLINE_FUNCTION double sine_near_0(Angle<double> r, double square) {
  const double p =
      polynomial(square, 0x1.5555555555548p-3, -0x1.111111110f731p-7, 0x1.a01a019beb6e3p-13,
                 -0x1.71de3559238eep-19, 0x1.ae5e500397ad3p-26, -0x1.5d8cfdb62fe40p-33);
  return r.high - mul_add(r.high * square, p, r.over);
}
KOKKOS_FORCEINLINE_FUNCTION float sine_near_0(Angle<float> r, float square) {
  const float p = polynomial(square, -0x1.555546p-3f, 0x1.110778p-7f, -0x1.9953fp-13f);
  return mul_add(r.high * square, p, r.high);
}

/// cos r likewise: 2^-63.8, 2^-33.
KOKKOS_FORCEINLINE_FUNCTION double cosine_near_0(double square) {
  return polynomial(square, 1.0, -0x1p-1, 0x1.555555555554bp-5, -0x1.6c16c16c15013p-10,
                    0x1.a01a019c8ed75p-16, -0x1.27e4f7f1491a6p-22, 0x1.1ee9db95a991ap-29,
                    -0x1.8fa66366f4342p-37);
}
KOKKOS_FORCEINLINE_FUNCTION float cosine_near_0(float square) {
  return polynomial(square, 1.0f, -0x1p-1f, 0x1.55554ap-5f, -0x1.6c0c28p-10f, 0x1.99e83ap-16f);
}

/// All bits in odd quadrants. Of 0 - (quadrant & 1) GCC 14 makes a condition, which it then does
/// not vectorise.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> odd_mask(BitsOf<T> quadrant) {
  return ((quadrant + 1) & 1) - 1;
}

/// x with the sign changed in the third and fourth quadrant.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T with_sign_in(BitsOf<T> quadrant, T x) {
  constexpr int to_sign = static_cast<int>(sizeof(T)) * 8 - 2;
  return from_bits<T>(to_bits(x) ^ ((quadrant << to_sign) & Format<T>::sign));
}

/// Of x = r + n pi/2.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sin_of_reduced(Angle<T> r, BitsOf<T> quadrant) {
  const T square = square_of_angle(r.high);
  const T sine = sine_near_0(r, square);
  const T cosine = cosine_near_0(square);
  return with_sign_in(quadrant, select(odd_mask<T>(quadrant), cosine, sine));
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T cos_of_reduced(Angle<T> r, BitsOf<T> quadrant) {
  const T square = square_of_angle(r.high);
  const T sine = sine_near_0(r, square);
  const T cosine = cosine_near_0(square);
  return with_sign_in(quadrant, select(odd_mask<T>(quadrant), -sine, cosine));
}

/// (tan x - x) / x³, |x| <= pi/4. The error is 2^-59 of tan x, for floats 2^-29.
KOKKOS_FORCEINLINE_FUNCTION double tangent_terms(double square) {
  return polynomial(square, 0x1.555555555555dp-2, 0x1.11111111106dap-3, 0x1.ba1ba1bab277bp-5,
                    0x1.664f485fb5217p-6, 0x1.226e3a31dbac6p-7, 0x1.d6d2f44b26f7bp-9,
                    0x1.7db0df6475b97p-10, 0x1.34c2d92548601p-11, 0x1.fecf64487cb07p-13,
                    0x1.605c0c65ff4e4p-14, 0x1.168a339a34a90p-14, -0x1.9cee1df807233p-16,
                    0x1.90dfd4f983f75p-15, -0x1.903b74237be2ep-16, 0x1.45b06e165f614p-17);
}
KOKKOS_FORCEINLINE_FUNCTION float tangent_terms(float square) {
  return polynomial(square, 0x1.55556p-2f, 0x1.110d9ep-3f, 0x1.bad9c4p-5f, 0x1.5cc0aap-6f,
                    0x1.62cc7ap-7f, 0x1.9b00b2p-14f, 0x1.1e943ep-8f);
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T tan_of_reduced(Angle<T> r, BitsOf<T> quadrant) {
  const T square = r.high * r.high;
  const T terms = tangent_terms(square);
  const T cube = r.high * square;
  const T about = mul_add(cube, terms, r.high);
  const T low_terms = mul_add(cube, terms, -r.over * mul_add(about, about, T{1}));
  const T high = r.high + low_terms;
  const T low = (r.high - high) + low_terms;
  // -1 / (high + low), and what that quotient lacks.
  const T inverse = -1 / high;
  const T lack = mul_add(inverse, low, remainder(T{1}, -inverse, high));
  return select(odd_mask<T>(quadrant), mul_add(inverse, lack, inverse), high);
}

/// An angle that was reduced as a pair of doubles.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Angle<T> angle_of(DoubleWord<double> r) {
  const T high = static_cast<T>(r.high);
  return {high, static_cast<T>((static_cast<double>(high) - r.high) - r.low)};
}

/// `of_reduced` is the function for an angle and its quadrant.
template <auto of_reduced, class T>
[[gnu::noinline, gnu::const]] inline T of_huge(T x) {
  if (!std::isfinite(x)) return x - x;
  const HugeAngle angle = reduce_huge(x);
  return of_reduced(angle_of<T>(angle.r), static_cast<BitsOf<T>>(angle.quadrant));
}

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T sin_of(T x) {
  const auto near = [](T y, T scaled) {
    const Multiple<T> m = multiple_of_half_pi(scaled);
    return sin_of_reduced(reduced_for_sine(y, m.n), m.quadrant);
  };
  return within_reach(x, trigonometric_reach<T>, near, of_huge<sin_of_reduced<T>, T>);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T cos_of(T x) {
  const auto near = [](T y, T scaled) {
    const Multiple<T> m = multiple_of_half_pi(scaled);
    return cos_of_reduced(reduced_for_sine(y, m.n), m.quadrant);
  };
  return within_reach(x, trigonometric_reach<T>, near, of_huge<cos_of_reduced<T>, T>);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T tan_of(T x) {
  const auto near = [](T y, T scaled) {
    const Multiple<T> m = multiple_of_half_pi(scaled);
    return tan_of_reduced(reduced_exactly(y, m.n), m.quadrant);
  };
  return within_reach(x, trigonometric_reach<T>, near, of_huge<tan_of_reduced<T>, T>);
}

}  // namespace kmap::detail
