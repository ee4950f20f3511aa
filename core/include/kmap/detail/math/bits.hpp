#pragma once
// What the mathematical functions are made of: numbers as bits, choices without branches, and
// products that are fused where the processor can.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace kmap::detail {

/// How a floating-point type is made of bits.
template <class T>
struct Format;
template <>
struct Format<float> {
  using Bits = std::uint32_t;
  using Signed = std::int32_t;
  static constexpr int mantissa = 23;
  static constexpr int bias = 127;
  static constexpr Bits sign = 0x80000000u;
};
template <>
struct Format<double> {
  using Bits = std::uint64_t;
  using Signed = std::int64_t;
  static constexpr int mantissa = 52;
  static constexpr int bias = 1023;
  static constexpr Bits sign = 0x8000000000000000u;
};

template <class T>
using BitsOf = typename Format<T>::Bits;

template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> to_bits(T x) {
  return Kokkos::bit_cast<BitsOf<T>>(x);
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T from_bits(BitsOf<T> bits) {
  return Kokkos::bit_cast<T>(bits);
}

/// All bits if `condition`, else none.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> mask_of(bool condition) {
  return to_bits(condition ? from_bits<T>(~BitsOf<T>{0}) : T{0});
}

/// All bits if x is negative, or -0, else none. Without a comparison: of two that hang together
/// compilers work out the cases apart, with branches.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> sign_mask(T x) {
  return BitsOf<T>{0} - (to_bits(x) >> (sizeof(T) * 8 - 1));
}

/// All bits if a > b, else none, for a and b that are not negative; NaN counts as larger than all
/// numbers. Without a comparison, as well.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> larger_mask(T a, T b) {
  return BitsOf<T>{0} - ((to_bits(b) - to_bits(a)) >> (sizeof(T) * 8 - 1));
}

/// All bits if x, which is not negative, is NaN.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION BitsOf<T> nan_mask(T x) {
  return larger_mask(x, std::numeric_limits<T>::infinity());
}

/// `a` where the mask has bits, else `b`. Both are computed: an operator ?: between them may become
/// a branch, and a branch inside a loop of f's keeps the loop over examples from being vectorised.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(BitsOf<T> mask, T a, T b) {
  return from_bits<T>((to_bits(a) & mask) | (to_bits(b) & ~mask));
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T select(bool condition, T a, T b) {
  return select(mask_of<T>(condition), a, b);
}

/// |x|.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T magnitude(T x) {
  return from_bits<T>(to_bits(x) & ~Format<T>::sign);
}

/// `size` >= 0 with the sign of x.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T with_sign_of(T x, T size) {
  return from_bits<T>(to_bits(size) | (to_bits(x) & Format<T>::sign));
}

/// True where fma is one instruction, and not a call that takes a hundred times as long.
#if defined(__FMA__) || defined(__FP_FAST_FMA) || defined(__ARM_FEATURE_FMA)
inline constexpr bool fused = true;
#else
inline constexpr bool fused = false;
#endif

/// a b + c: rounded once where that is fast, otherwise twice. For terms where either will do; the
/// same in every loop of a program.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T mul_add(T a, T b, T c) {
  if constexpr (fused) {
    return std::fma(a, b, c);
  } else {
    return a * b + c;
  }
}

}  // namespace kmap::detail
