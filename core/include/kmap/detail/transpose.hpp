#pragma once
// Small blocks of a matrix, transposed in registers.

#include "kmap/detail/registers.hpp"

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kmap::detail {

/// Elements of a row and a column of a block.
inline constexpr std::int64_t transposed = 8;

#if KMAP_DETAIL_PACKS

/// to[j * to_stride + i] = from[i * from_stride + j] for i, j < 8. Three times, each pair of rows
/// half a block apart becomes two neighbours, whose elements alternate between them.
template <class T>
void transpose_block(const T* from, std::int64_t from_stride, T* to, std::int64_t to_stride) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  static_assert(sizeof(T) == sizeof(Bits));
  typedef Bits Row __attribute__((vector_size(transposed * sizeof(Bits))));
  constexpr Row first = {0, 8, 1, 9, 2, 10, 3, 11};
  constexpr Row second = {4, 12, 5, 13, 6, 14, 7, 15};
  Row rows[transposed];
  for (int i = 0; i < transposed; ++i) std::memcpy(&rows[i], from + i * from_stride, sizeof(Row));
  for (int round = 0; round < 3; ++round) {
    Row next[transposed];
    for (int i = 0; i < transposed / 2; ++i) {
      next[2 * i] = __builtin_shuffle(rows[i], rows[i + transposed / 2], first);
      next[2 * i + 1] = __builtin_shuffle(rows[i], rows[i + transposed / 2], second);
    }
    for (int i = 0; i < transposed; ++i) rows[i] = next[i];
  }
  for (int i = 0; i < transposed; ++i)
    std::memcpy(static_cast<void*>(to + i * to_stride), &rows[i], sizeof(Row));
}

/// Whether blocks of T are transposed faster than element by element.
template <class T>
inline constexpr bool transposes = sizeof(T) == 4 || sizeof(T) == 8;

#else

template <class T>
void transpose_block(const T*, std::int64_t, T*, std::int64_t) {}
template <class T>
inline constexpr bool transposes = false;

#endif

}  // namespace kmap::detail
