// Without <cmath>: the functions are declared here with the promise that vector forms of them
// exist, which the library's header gives only for -ffast-math.

#include "libmvec.hpp"

#if defined(__GNUC__) && !defined(__clang__)
#define KMAP_BENCH_SIMD __attribute__((simd("notinbranch")))
#else
#define KMAP_BENCH_SIMD
#endif

extern "C" {
KMAP_BENCH_SIMD double sin(double) noexcept;
KMAP_BENCH_SIMD double cos(double) noexcept;
KMAP_BENCH_SIMD float sinf(float) noexcept;
KMAP_BENCH_SIMD float cosf(float) noexcept;
}

namespace kmap::bench {

void libmvec_heavy_loop(const double* x, double* y, std::int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const double s = sin(x[i]);
    const double c = cos(x[i]);
    y[i] = s * s + c * c;
  }
}

void libmvec_heavy_loop(const float* x, float* y, std::int64_t n) {
#pragma omp parallel for simd schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const float s = sinf(x[i]);
    const float c = cosf(x[i]);
    y[i] = s * s + c * c;
  }
}

}  // namespace kmap::bench
