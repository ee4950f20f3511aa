#pragma once
// threefry2x32 with 20 rounds: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1,
// 2, 3", SC11; what the counter stands for is JAX's.

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace kmap::random::detail {

/// 64 bits as two words: a key, a counter, or what they are hashed to.
struct Words {
  std::uint32_t high;
  std::uint32_t low;
};

KOKKOS_FORCEINLINE_FUNCTION constexpr Words words_of(std::uint64_t i) {
  return {static_cast<std::uint32_t>(i >> 32), static_cast<std::uint32_t>(i)};
}

/// Four rounds, which differ by how far they rotate.
template <int R0, int R1, int R2, int R3>
KOKKOS_FORCEINLINE_FUNCTION constexpr void mix(std::uint32_t& a, std::uint32_t& b) {
  a += b;
  b = ((b << R0) | (b >> (32 - R0))) ^ a;
  a += b;
  b = ((b << R1) | (b >> (32 - R1))) ^ a;
  a += b;
  b = ((b << R2) | (b >> (32 - R2))) ^ a;
  a += b;
  b = ((b << R3) | (b >> (32 - R3))) ^ a;
}

/// Written out, so that a loop over counters vectorises.
KOKKOS_FORCEINLINE_FUNCTION constexpr Words threefry(Words key, Words counter) {
  const std::uint32_t k0 = key.high;
  const std::uint32_t k1 = key.low;
  const std::uint32_t k2 = k0 ^ k1 ^ 0x1BD11BDAu;
  std::uint32_t a = counter.high + k0;
  std::uint32_t b = counter.low + k1;
  mix<13, 15, 26, 6>(a, b);
  a += k1;
  b += k2 + 1u;
  mix<17, 29, 16, 24>(a, b);
  a += k2;
  b += k0 + 2u;
  mix<13, 15, 26, 6>(a, b);
  a += k0;
  b += k1 + 3u;
  mix<17, 29, 16, 24>(a, b);
  a += k1;
  b += k2 + 4u;
  mix<13, 15, 26, 6>(a, b);
  a += k2;
  b += k0 + 5u;
  return {a, b};
}

}  // namespace kmap::random::detail
