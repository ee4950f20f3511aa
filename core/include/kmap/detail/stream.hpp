#pragma once
// Stores that go past the caches: for outputs so large that no part of them is found there later,
// which saves reading each line of memory before it is written.

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__SSE2__) || defined(_M_X64)
#include <immintrin.h>
#define KMAP_DETAIL_STREAMS 1
#else
#define KMAP_DETAIL_STREAMS 0
#endif

namespace kmap::detail {

/// True where there are such stores.
inline constexpr bool can_stream = KMAP_DETAIL_STREAMS != 0;

inline constexpr std::size_t cache_line = 64;

#if KMAP_DETAIL_STREAMS
/// One whole line; `to` is aligned to it.
inline void stream_line(std::byte* to, const std::byte* from) {
#if defined(__AVX512F__)
  _mm512_stream_si512(reinterpret_cast<__m512i*>(to), _mm512_loadu_si512(from));
#elif defined(__AVX__)
  for (std::size_t i = 0; i < cache_line; i += 32) {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + i),
                        _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + i)));
  }
#else
  for (std::size_t i = 0; i < cache_line; i += 16) {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                     _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  }
#endif
}
/// Before other threads may read what this one has streamed.
inline void finish_streams() { _mm_sfence(); }
#else
inline void stream_line(std::byte* to, const std::byte* from) { std::memcpy(to, from, cache_line); }
inline void finish_streams() {}
#endif

/// Asks for `bytes` from this address on, which may be beyond the end of an array.
inline void prefetch([[maybe_unused]] std::uintptr_t address, [[maybe_unused]] std::size_t bytes) {
#if defined(__GNUC__)
  for (std::size_t i = 0; i < bytes; i += cache_line) {
    __builtin_prefetch(reinterpret_cast<const void*>(address + i));
  }
#endif
}

/// Copies, the whole lines of `to` past the caches; calls each_line(i) with the line's place.
template <class EachLine>
void stream(std::byte* to, const std::byte* from, std::size_t bytes, const EachLine& each_line) {
  const std::size_t begun = reinterpret_cast<std::uintptr_t>(to) % cache_line;
  const std::size_t head = begun == 0 ? 0 : cache_line - begun;
  if (head >= bytes) {
    std::memcpy(to, from, bytes);
    return;
  }
  std::memcpy(to, from, head);
  std::size_t at = head;
  for (; at + cache_line <= bytes; at += cache_line) {
    stream_line(to + at, from + at);
    each_line(at);
  }
  std::memcpy(to + at, from + at, bytes - at);
}

}  // namespace kmap::detail
