#pragma once
// The functions that the cases map, as a user writes them.

#include <kmap/kmap.hpp>

#include <cstdint>

namespace kmap::bench {

struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x;
  }
};

struct HeavyTask {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T s = kmap::sin(x);
    const T c = kmap::cos(x);
    return s * s + c * c;
  }
};

/// y = A x, of sizes known at run time.
struct MatVec {
  template <class T>
  KOKKOS_FUNCTION void operator()(const Example<const T, 2>& a, const Example<const T, 1>& x,
                                  const out<T, 1>& y) const {
    for (std::int64_t i = 0; i < a.extent(0); ++i) {
      T sum = 0;
      for (std::int64_t j = 0; j < a.extent(1); ++j) sum += a(i, j) * x(j);
      y(i) = sum;
    }
  }
};

/// y = A x for 16 x 16.
struct MatVec16 {
  template <class T>
  KOKKOS_FUNCTION vec<T, 16> operator()(const Example<const T, 2>& a,
                                        const Example<const T, 1>& x) const {
    vec<T, 16> y{};
    for (int i = 0; i < 16; ++i) {
      T sum = 0;
      for (int j = 0; j < 16; ++j) sum += a(i, j) * x(j);
      y(i) = sum;
    }
    return y;
  }
};

struct SumOfSquares {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Example<const T, 1>& x) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i) * x(i);
    return sum;
  }
};

}  // namespace kmap::bench
