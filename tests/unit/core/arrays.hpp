#pragma once
// Small arrays with known content, and functions of one example, for the tests of the library.

#include "kmap/vmap.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <initializer_list>
#include <vector>

namespace kmap::test {

template <class T>
using Vector = Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace>;
template <class T, class Layout = Kokkos::LayoutRight>
using Matrix = Kokkos::View<T**, Layout, Kokkos::HostSpace>;
template <class T, class Layout = Kokkos::LayoutRight>
using Cube = Kokkos::View<T***, Layout, Kokkos::HostSpace>;

template <class T>
Vector<T> vector_of(std::initializer_list<T> values) {
  Vector<T> x("x", values.size());
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// Values 0, 1, 2, … in row-major order of the indices, whatever the layout.
template <class T, class Layout = Kokkos::LayoutRight>
Matrix<T, Layout> counting(std::size_t n, std::size_t m) {
  Matrix<T, Layout> x("x", n, m);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) x(i, j) = static_cast<T>(i * m + j);
  }
  return x;
}
template <class T, class Layout = Kokkos::LayoutRight>
Cube<T, Layout> counting(std::size_t n, std::size_t m, std::size_t k) {
  Cube<T, Layout> x("x", n, m, k);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) {
      for (std::size_t l = 0; l < k; ++l) x(i, j, l) = static_cast<T>((i * m + j) * k + l);
    }
  }
  return x;
}

template <class View>
std::vector<typename View::non_const_value_type> values(const View& x) {
  std::vector<typename View::non_const_value_type> result;
  for (std::size_t i = 0; i < x.extent(0); ++i) result.push_back(x(i));
  return result;
}

struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x;
  }
};

struct Dot {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Example<const T, 1>& a, const Example<const T, 1>& b) const {
    T sum = 0;
    for (std::int64_t i = 0; i < a.extent(0); ++i) sum += a(i) * b(i);
    return sum;
  }
};

// The sum of an example of any rank.
struct Total {
  template <class T>
  KOKKOS_FUNCTION T operator()(const Example<const T, 1>& x) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i);
    return sum;
  }
  template <class T>
  KOKKOS_FUNCTION T operator()(const Example<const T, 2>& x) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
      for (std::int64_t j = 0; j < x.extent(1); ++j) sum += x(i, j);
    }
    return sum;
  }
};

struct Identity {
  template <class T, int R>
  KOKKOS_FUNCTION Example<const T, R> operator()(const Example<const T, R>& x) const {
    return x;
  }
};

}  // namespace kmap::test
