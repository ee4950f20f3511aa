#pragma once
// Plain loops to compare with: what a careful programmer writes without kmap.

#include <cstdint>
#include <cstring>
#include <type_traits>

#if defined(__AVX512F__)
#include <immintrin.h>
#endif

namespace kmap::bench {

/// y = f(x) with the static schedule, vectorised.
template <class T, class F>
void simd_loop(const T* x, T* y, std::int64_t n, const F& f) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] = f(x[i]);
}

/// The same, one element after the other in every thread.
template <class T, class F>
void scalar_loop(const T* x, T* y, std::int64_t n, const F& f) {
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) y[i] = f(x[i]);
}

/// Copies n elements.
template <class T>
void copy_loop(const T* x, T* y, std::int64_t n) {
  simd_loop(x, y, n, [](T value) { return value; });
}

/// Reads n elements, of which it returns the exclusive or of the bits: nothing is cheaper to do
/// with all of them.
template <class T>
T read_loop(const T* x, std::int64_t n) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  Bits all = 0;
#pragma omp parallel for simd schedule(static) reduction(^ : all)
  for (std::int64_t i = 0; i < n; ++i) {
    Bits bits;
    std::memcpy(&bits, x + i, sizeof bits);
    all ^= bits;
  }
  T result;
  std::memcpy(&result, &all, sizeof result);
  return result;
}

/// The sum in whatever order is fastest.
template <class T>
T unordered_sum(const T* x, std::int64_t n) {
  T sum = 0;
#pragma omp parallel for simd schedule(static) reduction(+ : sum)
  for (std::int64_t i = 0; i < n; ++i) sum += x[i];
  return sum;
}

#if defined(__AVX512F__)
constexpr bool has_streaming_stores = true;

inline void stream_square(const double* x, double* y) {
  const __m512d value = _mm512_loadu_pd(x);
  _mm512_stream_pd(y, _mm512_mul_pd(value, value));
}
inline void stream_square(const float* x, float* y) {
  const __m512 value = _mm512_loadu_ps(x);
  _mm512_stream_ps(y, _mm512_mul_ps(value, value));
}

/// y = x * x by stores that pass the caches by. y is aligned to 64 bytes from some element on.
template <class T>
void streaming_square_loop(const T* x, T* y, std::int64_t n) {
  constexpr std::int64_t lanes = 64 / sizeof(T);
  const auto past = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(y) % 64 / sizeof(T));
  const std::int64_t first = (lanes - past) % lanes;
  const std::int64_t vectors = n > first ? (n - first) / lanes : 0;
  const std::int64_t last = vectors > 0 ? first + vectors * lanes : 0;
  for (std::int64_t i = 0; i < (vectors > 0 ? first : n); ++i) y[i] = x[i] * x[i];
#pragma omp parallel
  {
#pragma omp for schedule(static)
    for (std::int64_t v = 0; v < vectors; ++v) {
      stream_square(x + first + v * lanes, y + first + v * lanes);
    }
    _mm_sfence();
  }
  for (std::int64_t i = last; vectors > 0 && i < n; ++i) y[i] = x[i] * x[i];
}
#else
constexpr bool has_streaming_stores = false;

template <class T>
void streaming_square_loop(const T*, T*, std::int64_t) {}
#endif

}  // namespace kmap::bench
