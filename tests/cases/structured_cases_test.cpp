// Cases 6 and 17: structured arguments, and maps in batches.

#include "arrays.hpp"

#include "kmap/map.hpp"
#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

#include <tuple>

namespace kmap::test {
namespace {

const Communicator& comm() { return runtime().comm(); }

struct Chain {
  using Matrix = Example<const double, 2>;
  KOKKOS_FUNCTION vec<double, 2, 5> operator()(const Matrix& x,
                                               const std::tuple<Matrix, Matrix>& yz) const {
    const auto& [y, z] = yz;
    vec<double, 2, 5> result{};
    for (int i = 0; i < 2; ++i) {
      for (int l = 0; l < 5; ++l) {
        for (int j = 0; j < 3; ++j) {
          for (int k = 0; k < 4; ++k) result(i, l) += x(i, j) * y(j, k) * z(k, l);
        }
      }
    }
    return result;
  }
};

std::vector<double> chains(const Array<double, 3>& x, const Array<double, 3>& y,
                           const Array<double, 3>& z) {
  const auto n = static_cast<std::int64_t>(x.extent(0));
  return each_index<double>({n, 2, 5}, [&](const Shape& at) {
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      for (int k = 0; k < 4; ++k) sum += x(at[0], at[1], j) * y(j, at[0], k) * z(k, at[2], at[0]);
    }
    return sum;
  });
}

TEST(Case, N06_StructuredArgumentsWithAxesOfTheirOwn) {
  const auto x = counting<double, 3>({6, 2, 3});
  const auto y = counting<double, 3>({3, 6, 4});
  const auto z = counting<double, 3>({4, 5, 6});
  const auto result = vmap(Chain{}, in_axes(0, std::tuple(1, 2)))(x, std::tuple{y, z});
  expect_array(result, {6, 2, 5}, chains(x, y, z));
}

TEST(Case, N06_StructuredArgumentsOverRanks) {
  for (const std::int64_t n : lengths()) {
    const auto x = counting<double, 3>({n, 2, 3});
    const auto y = counting<double, 3>({3, n, 4});
    const auto z = counting<double, 3>({4, 5, n});
    const auto map = pmap(Chain{}, in_axes(0, std::tuple(1, 2)));
    // z is whole on every rank.
    const auto result = map(scatter(comm(), x), std::tuple{scatter(comm(), y, 1), z});
    expect_array(result, {n, 2, 5}, chains(x, y, z));
  }
}

struct Square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * x; }
};

TEST(Case, N17_MapInBatches) {
  for (const std::int64_t n : {16, 10, 1, 0}) {
    const auto x = detail::make_host_array<double, 1>({n});
    for (std::int64_t i = 0; i < n; ++i) x(i) = 1.0 / static_cast<double>(i + 3);
    const auto squares = each_index<double>({n}, [&](auto& at) { return x(at[0]) * x(at[0]); });
    expect_array(map(Square{}, x), {n}, squares);
    for (const std::int64_t size : {0, 1, 3, 4, 8, 16, 100}) {
      expect_array(map(Square{}, x, batch_size(size)), {n}, squares);
    }
  }
}

}  // namespace
}  // namespace kmap::test
