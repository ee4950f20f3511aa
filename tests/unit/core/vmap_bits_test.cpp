// vmap gives the same bits however its loops are vectorised.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

struct Wave {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return Kokkos::sin(x) * x + T(0.1) * Kokkos::exp(-x);
  }
};

// Bit for bit, whatever the batch, its order, its stride and the number of threads.
TEST(Vmap, ResultsDoNotDependOnTheBatch) {
  constexpr std::size_t n = 10007;
  Vector<double> x("x", n);
  for (std::size_t i = 0; i < n; ++i) x(i) = 0.37 * static_cast<double>(i) - 1000;
  const auto all = vmap(Wave{})(x);
  for (const std::size_t size : {1u, 7u, 64u, 1000u}) {
    for (std::size_t begin = 0; begin + size <= n; begin += 3001) {
      const auto part = Kokkos::subview(x, Kokkos::make_pair(begin, begin + size));
      const auto y = vmap(Wave{})(part);
      for (std::size_t i = 0; i < size; ++i) ASSERT_EQ(y(i), all(begin + i));
    }
  }
  Matrix<double, Kokkos::LayoutLeft> wide("wide", 3, n);
  for (std::size_t i = 0; i < n; ++i) wide(1, i) = x(n - 1 - i);
  const auto row = Kokkos::subview(wide, 1, Kokkos::ALL);
  const auto backwards = vmap(Wave{})(row);
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(backwards(i), all(n - 1 - i));
}

}  // namespace
}  // namespace kmap::test
