// Sums over the elements of an example.

#include "kmap/sum.hpp"

#include <gtest/gtest.h>

#include <algorithm>
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

/// Lengths with every kind of rest after groups of 16 and blocks of 128.
std::vector<std::size_t> lengths() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n < 70; ++n) all.push_back(n);
  for (const std::size_t n : {100U, 127U, 128U, 129U, 300U, 1024U, 2000U}) all.push_back(n);
  return all;
}

TYPED_TEST(Sums, ExtremesAreThoseOfTheElements) {
  using T = TypeParam;
  for (const std::size_t n : lengths()) {
    const auto x = TestFixture::numbers(n, 3);
    for (const std::size_t stride : {1U, 3U}) {
      const auto wide = TestFixture::spread(x, stride);
      const auto [least, greatest] = extremes(TestFixture::example(wide, n, stride));
      if (n == 0) {
        EXPECT_GT(least, greatest);
        continue;
      }
      const auto wanted = std::minmax_element(x.begin(), x.end());
      EXPECT_EQ(least, *wanted.first) << n << " elements, stride " << stride;
      EXPECT_EQ(greatest, *wanted.second) << n << " elements, stride " << stride;
      const auto plain =
          detail::extremes_by<detail::PlainLanes<T>>(TestFixture::example(wide, n, stride));
      EXPECT_EQ(plain.least, least);
      EXPECT_EQ(plain.greatest, greatest);
    }
  }
}

TEST(Extremes, PassOverNan) {
  for (const std::size_t n : {3U, 16U, 50U}) {
    std::vector<float> x(n, NAN);
    const Example<const float, 1> example(x.data(), {{static_cast<std::int64_t>(n)}}, {{1}});
    EXPECT_GT(extremes(example).least, extremes(example).greatest);
    x[n / 2] = 2;
    x[n - 1] = -INFINITY;
    EXPECT_EQ(extremes(example).least, -INFINITY);
    EXPECT_EQ(extremes(example).greatest, 2);
  }
}

template <class T>
class SumsInDoubles : public Sums<T> {};
using TypesInDoubles = ::testing::Types<float, double, std::int32_t, std::uint8_t>;
TYPED_TEST_SUITE(SumsInDoubles, TypesInDoubles);

// Lanes in registers, lanes without, and elements that are apart give the same bits.
TYPED_TEST(SumsInDoubles, HaveTheSameBitsHoweverTheyAreMade) {
  using T = TypeParam;
  using Plain = detail::PlainLanes<double>;
  for (const std::size_t n : lengths()) {
    SCOPED_TRACE(n);
    const auto numbers = TestFixture::numbers(n, 3);
    const auto x = TestFixture::example(numbers, n, 1);
    const LongSum sum = long_sum(x, 100);
    const LongSums sums = long_sums(x, 100, 7.3);
    const SumsAbout<T> about = sums_about(x, 7.3);
    EXPECT_EQ(sums.values.high, sum.high);
    EXPECT_EQ(sums.values.low, sum.low);
    for (const std::size_t stride : {1U, 3U}) {
      const auto wide = TestFixture::spread(numbers, stride);
      const auto y = TestFixture::example(wide, n, stride);
      EXPECT_EQ(long_sum(y, 100).high, sum.high);
      EXPECT_EQ(long_sum(y, 100).low, sum.low);
      EXPECT_EQ(long_sums(y, 100, 7.3).squares, sums.squares);
      EXPECT_EQ(sums_about(y, 7.3).values, about.values);
      EXPECT_EQ(sums_about(y, 7.3).squares, about.squares);
      EXPECT_EQ(sums_about(y, 7.3).extremes.least, extremes(x).least);
      EXPECT_EQ(sums_about(y, 7.3).extremes.greatest, extremes(x).greatest);
      const LongSums plain = detail::long_sums_by<Plain>(y, 100, 7.3);
      EXPECT_EQ(plain.values.high, sum.high);
      EXPECT_EQ(plain.values.low, sum.low);
      EXPECT_EQ(plain.squares, sums.squares);
      EXPECT_EQ(detail::long_sum_by<Plain>(y, 100).low, sum.low);
      EXPECT_EQ(detail::sums_about_by<Plain>(y, 7.3).values, about.values);
      EXPECT_EQ(detail::sums_about_by<Plain>(y, 7.3).squares, about.squares);
    }
  }
}

// Multiples of 2^-40, of which all sums are exact in long double.
TEST(LongSum, HasTheErrorThatItSays) {
  for (const std::size_t n : lengths()) {
    SCOPED_TRACE(n);
    std::vector<double> x(n);
    long double wanted = 0;
    long double squares = 0;
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = std::ldexp(std::round(std::ldexp(std::sin(static_cast<double>(i * i)), 40)), -40);
      wanted += static_cast<long double>(x[i]);
      const long double distance = static_cast<long double>(x[i]) - 0.25L;
      squares += distance * distance;
    }
    const Example<const double, 1> example(x.data(), {{static_cast<std::int64_t>(n)}}, {{1}});
    const auto [values, about] = long_sums(example, 1.0, 0.25);
    const auto count = static_cast<long double>(n);
    EXPECT_LE(std::abs(static_cast<long double>(values.high) +
                       static_cast<long double>(values.low) - wanted),
              std::ldexp((count + 128) * count * count, -108));
    EXPECT_NEAR(about, static_cast<double>(squares), 1e-14 * about);
    EXPECT_NEAR(sums_about(example, 0.25).values, static_cast<double>(wanted - count / 4),
                1e-14 * static_cast<double>(count));
  }
}

TEST(LongSum, IsNotFiniteIfAnElementIsNot) {
  std::vector<double> x(40, 1.0);
  const Example<const double, 1> example(x.data(), {{40}}, {{1}});
  for (const double value : {static_cast<double>(NAN), static_cast<double>(INFINITY)}) {
    x[20] = value;
    const LongSum sum = long_sum(example, std::abs(value));
    EXPECT_FALSE(std::isfinite(sum.high + sum.low));
  }
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
