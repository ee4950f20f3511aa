#pragma once
// KMAP_DETAIL_INDEPENDENT before a loop: it may be vectorised. KMAP_DETAIL_FLATTEN before a
// function: all that it calls is inlined, it itself is not.

// Iterations are independent by the meaning of a map; compilers cannot see that through pointers.
#if defined(_OPENMP)
#define KMAP_DETAIL_INDEPENDENT _Pragma("omp simd")
#elif defined(__clang__)
#define KMAP_DETAIL_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__)
#define KMAP_DETAIL_INDEPENDENT _Pragma("GCC ivdep")
#else
#define KMAP_DETAIL_INDEPENDENT
#endif

#if defined(__GNUC__)
#define KMAP_DETAIL_FLATTEN [[gnu::flatten, gnu::noinline]]
#else
#define KMAP_DETAIL_FLATTEN
#endif
