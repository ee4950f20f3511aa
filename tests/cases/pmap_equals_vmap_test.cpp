// Case 27: the collectives that move data give under pmap what they give under vmap, bit for bit.

#include "arrays.hpp"

#include "kmap/collectives.hpp"
#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

const Communicator& comm() { return runtime().comm(); }

// Every kind once: a number at run time says which.
enum class Move { gather, gather_tiled, scatter_sum, scatter_sum_tiled, permute, ring };

template <class T>
struct Moved {
  Move move;
  int dim;
  Pairs pairs;
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const T, 2>& x, const out<T, 3>& y) const {
    switch (move) {
      case Move::gather:
        return copy_example(all_gather<"i">(c, x, axis(dim)), y);
      case Move::gather_tiled:
        return spread(all_gather<"i">(c, x, axis(dim), tiled), y);
      case Move::scatter_sum:
        return spread(psum_scatter<"i">(c, x, scatter_dimension(dim)), y);
      case Move::scatter_sum_tiled:
        return spread(psum_scatter<"i">(c, x, scatter_dimension(dim), tiled), y);
      case Move::permute:
        return spread(ppermute<"i">(c, x, pairs), y);
      case Move::ring:
        return spread(ppermute<"i">(c, x, ring(dim)), y);
    }
  }

 private:
  // Results of lower rank as the one slice along the dimensions that they lack.
  KOKKOS_FUNCTION static void spread(const Example<const T, 2>& from, const out<T, 3>& to) {
    for (std::int64_t j = 0; j < to.extent(1); ++j) {
      for (std::int64_t k = 0; k < to.extent(2); ++k) to(0, j, k) = from(j, k);
    }
  }
  KOKKOS_FUNCTION static void spread(const Example<const T, 1>& from, const out<T, 3>& to) {
    for (std::int64_t k = 0; k < to.extent(2); ++k) to(0, 0, k) = from(k);
  }
};

// Values whose sums depend on the order in which they are formed.
template <class T>
T value_at(std::size_t i) {
  return static_cast<T>(1.0 / static_cast<double>(3 * i + 1));
}
template <>
std::int64_t value_at(std::size_t i) {
  return static_cast<std::int64_t>(i * 7919 % 1009) - 500;
}
template <>
Kokkos::complex<double> value_at(std::size_t i) {
  return {value_at<double>(i), -value_at<double>(i + 5)};
}

template <class T>
void check(std::int64_t n, const Moved<T>& f, const Shape& core, const Shape& result) {
  const auto x = detail::make_host_array<T, 3>({n, core[0], core[1]});
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = value_at<T>(i);
  const auto shape = outputs(out_shape<T>(result[0], result[1], result[2]));
  const auto expected = vmap(f, axis_name<"i">, shape)(x);
  const auto got = pmap(f, axis_name<"i">, shape)(scatter(comm(), x));
  ASSERT_EQ(shape_of(got), (Shape{n, result[0], result[1], result[2]}));
  expect_same(got, expected);
}

template <class T>
void check_moves() {
  for (const std::int64_t n : lengths()) {
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t i = 0; i + 1 < n; ++i) pairs.emplace_back(i, (2 * i + 1) % n);
    const Pairs none_sent(std::vector<std::pair<std::int64_t, std::int64_t>>{});
    // Destinations repeat for n even, so reverse instead.
    if (n % 2 == 0) {
      for (auto& [source, destination] : pairs) destination = n - 1 - source;
    }
    const Pairs some(pairs);
    const auto f = [&](Move move, int dim) { return Moved<T>{move, dim, some}; };
    check<T>(n, f(Move::gather, 0), {2, 3}, {n, 2, 3});
    check<T>(n, f(Move::gather, 1), {2, 3}, {2, n, 3});
    check<T>(n, f(Move::gather, -1), {2, 3}, {2, 3, n});
    check<T>(n, f(Move::gather_tiled, 0), {2, 3}, {1, 2 * n, 3});
    check<T>(n, f(Move::gather_tiled, -1), {2, 3}, {1, 2, 3 * n});
    check<T>(n, f(Move::scatter_sum, 0), {n, 3}, {1, 1, 3});
    check<T>(n, f(Move::scatter_sum, -1), {3, n}, {1, 1, 3});
    check<T>(n, f(Move::scatter_sum_tiled, 0), {2 * n, 3}, {1, 2, 3});
    check<T>(n, f(Move::scatter_sum_tiled, 1), {2, 3 * n}, {1, 2, 3});
    check<T>(n, f(Move::permute, 0), {2, 3}, {1, 2, 3});
    check<T>(n, Moved<T>{Move::permute, 0, none_sent}, {2, 3}, {1, 2, 3});
    for (const int shift : {0, 1, -2, 7}) check<T>(n, f(Move::ring, shift), {2, 3}, {1, 2, 3});
  }
}

TEST(Case, N27_PmapEqualsVmapFloat) { check_moves<float>(); }
TEST(Case, N27_PmapEqualsVmapInt64) { check_moves<std::int64_t>(); }
TEST(Case, N27_PmapEqualsVmapComplex) { check_moves<Kokkos::complex<double>>(); }

}  // namespace
}  // namespace kmap::test
