#pragma once
/// \file
/// Keys of random numbers, as jax.random has them with its default generator, threefry2x32 in
/// "partitionable" counting: `key(seed)`, `split`, `fold_in`. A key is a value; nothing has state.
/// Everything here may be called inside a mapped function, on a device too.

#include "kmap/detail/threefry.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace kmap::random {

/// A key: 64 bits. Arrays of keys are arrays of uint32 whose last axis has length 2 (JAX's
/// key_data); an example of such an array converts to a Key, so that `vmap(f)(keys, x)` hands f a
/// key, or an Example that does as one.
struct Key {
  std::uint32_t high = 0;
  std::uint32_t low = 0;

  Key() = default;
  KOKKOS_FUNCTION constexpr Key(std::uint32_t high_word, std::uint32_t low_word)
      : high(high_word), low(low_word) {}
  // NOLINTNEXTLINE(google-explicit-constructor): an example of an array of keys is a key
  KOKKOS_FUNCTION Key(const Example<const std::uint32_t, 1>& words)
      : high(words(0)), low(words(1)) {}

  KOKKOS_FUNCTION constexpr bool operator==(const Key& other) const {
    return high == other.high && low == other.low;
  }
};

/// The key of a seed, an integer of any type taken as Python's: a negative one is extended to 64
/// bits. (JAX does so for Python's integers; a NumPy integer of less than 64 bits it fills with
/// zeros.)
template <std::integral I>
KOKKOS_FUNCTION constexpr Key key(I seed) {
  const auto bits = static_cast<std::uint64_t>(seed);
  return {static_cast<std::uint32_t>(bits >> 32), static_cast<std::uint32_t>(bits)};
}

/// A new key from a key and a number: the lowest 32 bits of `data` count.
template <std::integral I>
KOKKOS_FUNCTION constexpr Key fold_in(Key key, I data) {
  const auto words = detail::threefry({key.high, key.low}, {0, static_cast<std::uint32_t>(data)});
  return {words.high, words.low};
}

/// Key i of `split(key, n)`, for any n > i: what each example of a batch takes by its global index.
template <std::integral I>
KOKKOS_FUNCTION constexpr Key split_at(Key key, I i) {
  const auto words =
      detail::threefry({key.high, key.low}, detail::words_of(static_cast<std::uint64_t>(i)));
  return {words.high, words.low};
}

/// N new keys, independent of each other and of the one that was split, which should not be used
/// again: `const auto [a, b] = random::split(key);`. For arrays of keys see kmap/random.hpp.
template <int N = 2>
  requires(N > 0)
KOKKOS_FUNCTION constexpr std::array<Key, static_cast<std::size_t>(N)> split(Key key) {
  std::array<Key, static_cast<std::size_t>(N)> keys{};
  for (int i = 0; i < N; ++i) keys[static_cast<std::size_t>(i)] = split_at(key, i);
  return keys;
}

}  // namespace kmap::random
