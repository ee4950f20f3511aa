#pragma once
// sin²x + cos²x with the vector functions of the GNU C library.

#include <cstdint>

namespace kmap::bench {

#if defined(__GLIBC__) && defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
constexpr bool has_libmvec = true;
#else
constexpr bool has_libmvec = false;
#endif

/// y = sin²x + cos²x with the static schedule; scalar where there are no vector functions.
void libmvec_heavy_loop(const double* x, double* y, std::int64_t n);
void libmvec_heavy_loop(const float* x, float* y, std::int64_t n);

}  // namespace kmap::bench
