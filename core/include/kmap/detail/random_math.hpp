#pragma once
// The functions that turn uniform numbers into others. They have neither branches nor calls, so
// that loops of draws vectorise, and give the same bits alone, in a loop and in a team.

#include "kmap/detail/math/bits.hpp"
#include "kmap/math.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <limits>

namespace kmap::random::detail {

/// How a floating-point type is made of bits, and what log_of needs of it.
template <class T>
struct Format;
template <>
struct Format<float> : kmap::detail::Format<float> {
  static constexpr Bits one = 0x3F800000u;
  static constexpr Bits sqrt_half = 0x3F3504F3u;
  // ln 2 in two parts; a product of the first and an exponent is exact.
  static constexpr float ln2_high = 0x1.62e4p-1f;
  static constexpr float ln2_low = 0x1.7f7d1cp-20f;
  static constexpr int log_terms = 5;
};
template <>
struct Format<double> : kmap::detail::Format<double> {
  static constexpr Bits one = 0x3FF0000000000000u;
  static constexpr Bits sqrt_half = 0x3FE6A09E667F3BCDu;
  static constexpr double ln2_high = 0x1.62e42fefa38p-1;
  static constexpr double ln2_low = 0x1.ef35793c7673p-45;
  static constexpr int log_terms = 10;
};

/// ln x for x positive and normal, else for 0 -inf, to about one unit in the last place. With x =
/// 2^e (1 + f), 1 + f between the roots of 1/2 and 2, and s = f / (2 + f): ln(1 + f) = 2 atanh(s) =
/// f - f²/2 + s (f²/2 + r), where r = 2 s²/3 + 2 s⁴/5 + … .
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log_of(T x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const auto bits = Kokkos::bit_cast<Bits>(x);
  const auto exponent = static_cast<std::int32_t>(
      static_cast<typename F::Signed>(bits - F::sqrt_half) >> F::mantissa);
  const auto e = static_cast<T>(exponent);
  const T f =
      Kokkos::bit_cast<T>(
          bits - (static_cast<Bits>(static_cast<typename F::Signed>(exponent)) << F::mantissa)) -
      T{1};
  const T s = f / (T{2} + f);
  const T z = s * s;
  T r = T{2} / static_cast<T>(2 * F::log_terms + 1);
  for (int k = F::log_terms - 1; k > 0; --k) r = kmap::fma(r, z, T{2} / static_cast<T>(2 * k + 1));
  const T half = T{0.5} * f * f;
  const T small = kmap::fma(s, kmap::fma(r, z, half), e * F::ln2_low);
  const T result = e * F::ln2_high + (f - (half - small));
  return x == T{0} ? -std::numeric_limits<T>::infinity() : result;
}

/// ln(1 + x) for -1 < x: what rounding takes from 1 + x is added again.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T log1p_of(T x) {
  const T y = T{1} + x;
  return log_of(y) + (x - (y - T{1})) / y;
}

/// By Horner's rule, written out, since what has a loop inside does not vectorise; the coefficients
/// are of falling degree.
template <class T, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T x, T first, Rest... rest) {
  T sum = first;
  ((sum = kmap::fma(sum, x, rest)), ...);
  return sum;
}

/// erf as XLA has it for float: x P(x²) / Q(x²), within 3e-7. The bounds of a truncated normal go
/// through it, and an error of the last place there is a large one in the tails.
KOKKOS_FORCEINLINE_FUNCTION float erf_of(float x) {
  constexpr float end = 3.832506856900711f;
  const float y = x < -end ? -end : x > end ? end : x;
  const float z = y * y;
  const float above = polynomial(z, 0.00022905065861350646f, 0.0034082910107109506f,
                                 0.050955695062380861f, 0.18520832239976145f, 1.128379143519084f);
  const float below =
      polynomial(z, -1.1791602954361697e-7f, 0.000023547966471313185f, 0.0010179625278914885f,
                 0.014070470171167667f, 0.11098505178285362f, 0.49746925110067538f, 1.0f);
  return y * above / below;
}
KOKKOS_FORCEINLINE_FUNCTION double erf_of(double x) { return kmap::erf(x); }

/// The inverse of erf on [-1, 1], by polynomials in w = -ln(1 - x²) or its root: M. Giles,
/// "Approximating the erfinv function", GPU Computing Gems Jade Edition, 2011. w is formed as there
/// and in JAX from x² rounded: a draw in the far tail has the error that this means in both.
KOKKOS_FORCEINLINE_FUNCTION float inverse_erf(float x) {
  const float w = -log1p_of(-x * x);
  const float centre =
      polynomial(w - 2.5f, 2.81022636e-08f, 3.43273939e-07f, -3.5233877e-06f, -4.39150654e-06f,
                 0.00021858087f, -0.00125372503f, -0.00417768164f, 0.246640727f, 1.50140941f);
  const float tail = polynomial(Kokkos::sqrt(w) - 3.0f, -0.000200214257f, 0.000100950558f,
                                0.00134934322f, -0.00367342844f, 0.00573950773f, -0.0076224613f,
                                0.00943887047f, 1.00167406f, 2.83297682f);
  const float result = (w < 5.0f ? centre : tail) * x;
  return x * x == 1.0f ? x * std::numeric_limits<float>::infinity() : result;
}

KOKKOS_FORCEINLINE_FUNCTION double inverse_erf(double x) {
  const double w = -log1p_of(-x * x);
  const double root = Kokkos::sqrt(w);
  const double centre =
      polynomial(w - 3.125, -3.6444120640178196996e-21, -1.685059138182016589e-19,
                 1.2858480715256400167e-18, 1.115787767802518096e-17, -1.333171662854620906e-16,
                 2.0972767875968561637e-17, 6.6376381343583238325e-15, -4.0545662729752068639e-14,
                 -8.1519341976054721522e-14, 2.6335093153082322977e-12, -1.2975133253453532498e-11,
                 -5.4154120542946279317e-11, 1.051212273321532285e-09, -4.1126339803469836976e-09,
                 -2.9070369957882005086e-08, 4.2347877827932403518e-07, -1.3654692000834678645e-06,
                 -1.3882523362786468719e-05, 0.0001867342080340571352, -0.00074070253416626697512,
                 -0.0060336708714301490533, 0.24015818242558961693, 1.6536545626831027356);
  const double tail =
      polynomial(root - 3.25, 2.2137376921775787049e-09, 9.0756561938885390979e-08,
                 -2.7517406297064545428e-07, 1.8239629214389227755e-08, 1.5027403968909827627e-06,
                 -4.013867526981545969e-06, 2.9234449089955446044e-06, 1.2475304481671778723e-05,
                 -4.7318229009055733981e-05, 6.8284851459573175448e-05, 2.4031110387097893999e-05,
                 -0.0003550375203628474796, 0.00095328937973738049703, -0.0016882755560235047313,
                 0.0024914420961078508066, -0.0037512085075692412107, 0.005370914553590063617,
                 1.0052589676941592334, 3.0838856104922207635);
  const double far_tail =
      polynomial(root - 5.0, -2.7109920616438573243e-11, -2.5556418169965252055e-10,
                 1.5076572693500548083e-09, -3.7894654401267369937e-09, 7.6157012080783393804e-09,
                 -1.4960026627149240478e-08, 2.9147953450901080826e-08, -6.7711997758452339498e-08,
                 2.2900482228026654717e-07, -9.9298272942317002539e-07, 4.5260625972231537039e-06,
                 -1.9681778105531670567e-05, 7.5995277030017761139e-05, -0.00021503011930044477347,
                 -0.00013871931833623122026, 1.0103004648645343977, 4.8499064014085844221);
  const double result = (w < 6.25 ? centre : w < 16.0 ? tail : far_tail) * x;
  return x * x == 1.0 ? x * std::numeric_limits<double>::infinity() : result;
}

}  // namespace kmap::random::detail
