#pragma once
// Vector registers as the compiler's own vector types.

#include "kmap/detail/math/bits.hpp"

#include <cstdint>
#include <type_traits>

// Compilers for devices know no such types; hosts then call functions with plain numbers.
#if defined(__GNUC__) && !defined(__CUDACC__) && !defined(__HIPCC__)
#define KMAP_DETAIL_PACKS 1
#else
#define KMAP_DETAIL_PACKS 0
#endif

#if KMAP_DETAIL_PACKS

#if defined(__AVX__)
#include <immintrin.h>
#endif

namespace kmap::detail {

/// Bytes of a vector register of the processor that is compiled for.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// N values of T in as few registers as hold them.
template <class T, int N>
struct Registers {
  static constexpr int most = register_bytes / static_cast<int>(sizeof(T));
  static constexpr int lanes = N < most ? N : most;
  static constexpr int count = N / lanes;
  static_assert(count * lanes == N, "kmap: a pack is a whole number of registers");
  typedef T Register __attribute__((vector_size(lanes * sizeof(T))));
  Register at[count];
};

/// a b + c as detail::mul_add has it for numbers.
template <class T, class Register>
[[gnu::always_inline]] inline Register mul_add_registers(Register a, Register b, Register c) {
  constexpr bool whole = sizeof(Register) == register_bytes;
#if defined(__AVX512F__)
  if constexpr (whole && std::is_same_v<T, double>) return _mm512_fmadd_pd(a, b, c);
  if constexpr (whole && std::is_same_v<T, float>) return _mm512_fmadd_ps(a, b, c);
#elif defined(__FMA__)
  if constexpr (whole && std::is_same_v<T, double>) return _mm256_fmadd_pd(a, b, c);
  if constexpr (whole && std::is_same_v<T, float>) return _mm256_fmadd_ps(a, b, c);
#endif
  if constexpr (!fused || !std::is_floating_point_v<T>) {
    return a * b + c;
  } else {
    Register x = {};
    for (int l = 0; l < static_cast<int>(sizeof(Register) / sizeof(T)); ++l) {
      x[l] = mul_add(static_cast<T>(a[l]), static_cast<T>(b[l]), static_cast<T>(c[l]));
    }
    return x;
  }
}

/// Half of a register's lanes by `join` with the other half, and so on: what is left in its first
/// lane.
template <class T, int Lanes, class Register, class Join>
[[gnu::always_inline]] inline T join_register(Register x, const Join& join) {
  using Index = std::conditional_t<
      sizeof(T) == 8, std::int64_t,
      std::conditional_t<sizeof(T) == 4, std::int32_t,
                         std::conditional_t<sizeof(T) == 2, std::int16_t, std::int8_t>>>;
  using Indices = typename Registers<Index, Lanes>::Register;
  Indices own = {};
  for (int l = 0; l < Lanes; ++l) own[l] = static_cast<Index>(l);
  for (int half = Lanes / 2; half > 0; half /= 2) {
    const auto other = own + static_cast<Index>(half);
    x = join(x, static_cast<Register>(__builtin_shuffle(x, other)));
  }
  return x[0];
}

/// The elements of x as doubles, into a register of as many. Compilers take four instructions for
/// floats where one will do.
template <class Register, class Half>
[[gnu::always_inline]] inline Register as_doubles(const Half& x) {
  [[maybe_unused]] constexpr bool floats =
      std::is_same_v<std::remove_cvref_t<decltype(x[0])>, float>;
#if defined(__AVX512F__)
  // Not _mm512_cvtps_pd, in which GCC 12 warns of a variable that is not initialised.
  if constexpr (floats && sizeof(Register) == 64) {
    return _mm512_maskz_cvtps_pd(static_cast<__mmask8>(0xff), x);
  }
#elif defined(__AVX__)
  if constexpr (floats && sizeof(Register) == 32) return _mm256_cvtps_pd(x);
#endif
  return __builtin_convertvector(x, Register);
}

}  // namespace kmap::detail

#endif
