// Sums over the elements of an example.

#include "kmap/sum.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <vector>

namespace kmap::test {
namespace {

/// The order that the header states, written down.
template <class T>
T sum_as_stated(const std::vector<T>& terms) {
  T lane[16] = {};
  for (std::size_t i = 0; i < terms.size(); ++i) {
    lane[i % 16] = static_cast<T>(lane[i % 16] + terms[i]);
  }
  for (int half = 8; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) lane[l] = static_cast<T>(lane[l] + lane[l + half]);
  }
  return lane[0];
}

template <class T>
class Sums : public ::testing::Test {
 public:
  static std::vector<T> numbers(std::size_t n, int factor) {
    std::vector<T> x(n);
    for (std::size_t i = 0; i < n; ++i) {
      const double value = 100 * std::sin(static_cast<double>(i + 1) * factor);
      x[i] = static_cast<T>(std::is_integral_v<T> ? std::abs(value) : value);
    }
    return x;
  }
  /// The same numbers, `stride` apart.
  static std::vector<T> spread(const std::vector<T>& x, std::size_t stride) {
    std::vector<T> y(x.size() * stride, static_cast<T>(77));
    for (std::size_t i = 0; i < x.size(); ++i) y[i * stride] = x[i];
    return y;
  }
  static Example<const T, 1> example(const std::vector<T>& x, std::size_t n, std::size_t stride) {
    return {x.data(), {{static_cast<std::int64_t>(n)}}, {{static_cast<std::int64_t>(stride)}}};
  }
};
using SummedTypes = ::testing::Types<float, double, std::int64_t, std::uint8_t>;
TYPED_TEST_SUITE(Sums, SummedTypes);

TYPED_TEST(Sums, HaveTheStatedOrderAtAnyStride) {
  using T = TypeParam;
  for (std::size_t n = 0; n < 70; ++n) {
    const auto a = TestFixture::numbers(n, 3);
    const auto b = TestFixture::numbers(n, 7);
    std::vector<T> products(n);
    for (std::size_t i = 0; i < n; ++i) products[i] = static_cast<T>(a[i] * b[i]);
    for (const std::size_t stride : {1U, 2U, 5U}) {
      const auto wide_a = TestFixture::spread(a, stride);
      const auto wide_b = TestFixture::spread(b, stride);
      const auto x = TestFixture::example(wide_a, n, stride);
      const auto y = TestFixture::example(wide_b, n, stride);
      ASSERT_EQ(kmap::sum(x), sum_as_stated(a)) << n << " elements, stride " << stride;
      ASSERT_EQ(kmap::dot(x, y), sum_as_stated(products)) << n << " elements, stride " << stride;
      ASSERT_EQ(kmap::sum_of<T>(static_cast<std::int64_t>(n), [&](std::int64_t i) { return x(i); }),
                sum_as_stated(a));
    }
  }
}

TEST(Sum, OfNumbersThatAreNone) {
  std::vector<double> x(40, 1.0);
  x[20] = INFINITY;
  const Example<const double, 1> example(x.data(), {{40}}, {{1}});
  EXPECT_EQ(kmap::sum(example), INFINITY);
  x[30] = -INFINITY;
  EXPECT_TRUE(std::isnan(kmap::sum(example)));
}

TEST(Row, AndColumnAreViewsOfTheMatrix) {
  double data[12];
  const Example<double, 2> a(data, {{3, 4}}, {{4, 1}});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) a(i, j) = 10 * i + j;
  }
  const auto second = row(a, 1);
  EXPECT_EQ(second.extent(0), 4);
  EXPECT_EQ(second(3), 13);
  const auto third = column(a, 2);
  EXPECT_EQ(third.extent(0), 3);
  EXPECT_EQ(third(2), 22);
  third(0) = 5;
  EXPECT_EQ(a(0, 2), 5);
}

}  // namespace
}  // namespace kmap::test
