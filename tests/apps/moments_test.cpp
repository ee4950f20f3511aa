// moments against exact results: goldens by rational numbers and by NumPy, references of quadruple
// precision made here.

#include "apps/exact_moments.hpp"
#include "apps/goldens_test.hpp"
#include "apps/run_kernel.hpp"
#include "apps/ulp.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <random>

namespace kmap::test {
namespace {

constexpr std::uint64_t allowed = 4;  // units in the last place

// ---- Goldens

class MomentsGoldens : public ::testing::TestWithParam<const char*> {};

TEST_P(MomentsGoldens, AreMet) {
  const std::string group = GetParam();
  const std::vector<std::string> cases = members(golden_file("moments"), group);
  ASSERT_GT(cases.size(), 10U);
  for (const std::string& name : cases) {
    SCOPED_TRACE(name);
    const std::string at = group + "/" + name;
    const auto outputs = run_kernel("moments", {read_array(golden_file("moments"), at + "/x")});
    for (const std::string output : {"mean", "std"}) {
      SCOPED_TRACE(output);
      expect_close(outputs.at(output), read_array(golden_file("moments"), at + "/" + output),
                   allowed);
    }
    for (const std::string output : {"min", "max"}) {
      SCOPED_TRACE(output);
      const Array wanted = read_array(golden_file("moments"), at + "/" + output);
      if (wanted.type.front() == 'f') {
        // Minimum of 0 and -0 is either.
        expect_close(outputs.at(output), wanted, 1);
      } else {
        EXPECT_TRUE(outputs.at(output) == wanted);
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Groups, MomentsGoldens,
                         ::testing::Values("/exact", "/numpy/f4", "/numpy/f8"),
                         [](const auto& test) {
                           std::string name = test.param + 1;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

// ---- References of quadruple precision

template <class T>
std::string type_of() {
  return (std::is_floating_point_v<T> ? "f"
          : std::is_signed_v<T>       ? "i"
                                      : "u") +
         std::to_string(sizeof(T));
}

template <class T>
void expect_moments(const std::vector<T>& x, const Reference& wanted) {
  using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
  const auto n = static_cast<std::int64_t>(x.size());
  const auto outputs = run_kernel("moments", {array_of(type_of<T>(), {1, n}, x)});
  const Real mean = values<Real>(outputs.at("mean"))[0];
  const Real deviation = values<Real>(outputs.at("std"))[0];
  EXPECT_LE(ulps_between(mean, static_cast<Real>(wanted.mean)), allowed)
      << "mean " << mean << " for " << static_cast<Real>(wanted.mean);
  EXPECT_LE(ulps_between(deviation, static_cast<Real>(wanted.deviation)), allowed)
      << "std " << deviation << " for " << static_cast<Real>(wanted.deviation);
  const auto [least, most] = std::minmax_element(x.begin(), x.end());
  EXPECT_EQ(values<T>(outputs.at("min"))[0], *least);
  EXPECT_EQ(values<T>(outputs.at("max"))[0], *most);
}

template <class T>
void expect_moments(const std::vector<T>& x) {
  expect_moments(x, reference(x.data(), x.size()));
}

// Around the leaves of 1024 values and the lanes inside them.
constexpr std::int64_t sizes[] = {1, 2, 3, 7, 8, 9, 1023, 1024, 1025, 2047, 2049, 8192, 20000};

// A sequence of values by index.
using Series = std::function<double(std::mt19937_64&, std::int64_t)>;

double normal(std::mt19937_64& random) { return std::normal_distribution<double>()(random); }

struct Family {
  const char* name;
  Series at;
};

std::ostream& operator<<(std::ostream& stream, const Family& family) {
  return stream << family.name;
}

class MomentsOfDoubles : public ::testing::TestWithParam<Family> {};

TEST_P(MomentsOfDoubles, AreNearExact) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::vector<double> x(static_cast<std::size_t>(n));
    for (std::int64_t i = 0; i < n; ++i) x[static_cast<std::size_t>(i)] = GetParam().at(random, i);
    expect_moments(x);
    std::shuffle(x.begin(), x.end(), random);
    expect_moments(x);
  }
}

double sign(std::int64_t i) { return i % 2 == 0 ? 1 : -1; }

INSTANTIATE_TEST_SUITE_P(
    Families, MomentsOfDoubles,
    ::testing::Values(
        Family{"normal", [](auto& random, auto) { return normal(random); }},
        Family{"equal", [](auto&, auto) { return 0.1; }},
        Family{"nearly_equal",
               [](auto&, auto i) { return i % 100 == 50 ? std::nextafter(0.1, 1.0) : 0.1; }},
        Family{"offset", [](auto& random, auto) { return 1e8 + normal(random); }},
        Family{"large_offset",
               [](auto& random, auto) { return 1e16 + 2 * std::round(normal(random)); }},
        Family{"minus_offset", [](auto& random, auto) { return -1e12 + 1e-3 * normal(random); }},
        Family{"alternating",
               [](auto& random, auto i) { return sign(i) * (1e16 + 100 * normal(random)); }},
        Family{
            "cancelling",
            [](auto& random, auto i) { return i % 3 == 2 ? normal(random) : sign(i % 3) * 1e16; }},
        Family{"wide", [](auto& random, auto) { return std::exp(50 * normal(random)); }},
        Family{"near_overflow",
               [](auto& random, auto) { return 1.7e308 + 1e306 * normal(random); }},
        Family{"both_ends",
               [](auto& random, auto i) { return sign(i) * 1.7e308 + 1e306 * normal(random); }},
        Family{"squares_overflow", [](auto& random, auto) { return 1e200 * normal(random); }},
        Family{"squares_underflow", [](auto& random, auto) { return 1e-200 * normal(random); }},
        Family{"near_underflow", [](auto& random, auto) { return 1e-307 * normal(random); }},
        Family{"subnormal", [](auto& random, auto) { return 1e-318 * normal(random); }},
        Family{"offset_tiny", [](auto& random, auto) { return 1e-150 + 1e-160 * normal(random); }}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Moments, OfFloatsAreNearExact) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::vector<float> x(static_cast<std::size_t>(n));
    for (const float offset : {0.0F, 1e6F, -3e38F}) {
      const float width = offset < -1e30F ? 1e36F : 1;
      for (float& value : x) value = offset + width * static_cast<float>(normal(random));
      expect_moments(x);
    }
  }
}

// Integers drawn, as Wide, from each of these ranges.
template <class T, class Wide>
void expect_moments_between(const std::vector<std::pair<T, T>>& ranges) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::vector<T> x(static_cast<std::size_t>(n));
    for (const auto& [least, most] : ranges) {
      std::uniform_int_distribution<Wide> draw(least, most);
      for (T& value : x) value = static_cast<T>(draw(random));
      expect_moments(x);
    }
  }
}

// Values that no double holds, over the whole range and in a narrow one.
template <class T>
void expect_moments_of_integers() {
  using Limits = std::numeric_limits<T>;
  expect_moments_between<T, T>({{Limits::min(), Limits::max()},
                                {Limits::max() - 1000, Limits::max()},
                                {Limits::min(), Limits::min() + 3},
                                {(T{1} << 53) + 1, (T{1} << 53) + 2},
                                {(T{1} << 32) - 9, (T{1} << 32) + 9},
                                {4000000000, 4000000001},
                                {static_cast<T>(std::is_signed_v<T> ? -2 : 0), 1}});
}

TEST(Moments, OfSignedIntegersAreNearExact) { expect_moments_of_integers<std::int64_t>(); }
TEST(Moments, OfUnsignedIntegersAreNearExact) { expect_moments_of_integers<std::uint64_t>(); }

// Integers of the other widths, which the quick way takes.
template <class T>
void expect_moments_of_small_integers() {
  using Limits = std::numeric_limits<T>;
  expect_moments_between<T, std::int64_t>({{Limits::min(), Limits::max()},
                                           {static_cast<T>(Limits::max() - 1), Limits::max()},
                                           {Limits::min(), static_cast<T>(Limits::min() + 3)}});
}

TEST(Moments, OfIntegersOfEveryWidthAreNearExact) {
  expect_moments_of_small_integers<std::int8_t>();
  expect_moments_of_small_integers<std::int16_t>();
  expect_moments_of_small_integers<std::int32_t>();
  expect_moments_of_small_integers<std::uint8_t>();
  expect_moments_of_small_integers<std::uint16_t>();
  expect_moments_of_small_integers<std::uint32_t>();
}

// ---- The quick way, its groups and its bounds

// What remains after blocks, groups and leaves.
TEST(Moments, OfEveryLengthAreNearExact) {
  std::mt19937_64 random(3);
  std::vector<double> doubles;
  std::vector<float> floats;
  std::vector<std::int16_t> integers;
  for (int n = 1; n <= 2100; ++n) {
    SCOPED_TRACE(n);
    const double value = normal(random);
    doubles.push_back(value);
    floats.push_back(static_cast<float>(value));
    integers.push_back(static_cast<std::int16_t>(1000 * value));
    expect_moments(doubles);
    expect_moments(floats);
    expect_moments(integers);
  }
}

// From sums that are sure to sums of which the quick way knows nothing.
template <class T>
void expect_moments_of_cancelling() {
  for (const std::int64_t n : {2, 100, 1024, 5000}) {
    for (int bits = 0; bits < 60; ++bits) {
      SCOPED_TRACE(testing::Message() << n << " values, 2^-" << bits);
      std::mt19937_64 random(static_cast<std::uint64_t>(bits));
      std::vector<T> x(static_cast<std::size_t>(n));
      for (std::size_t i = 0; i < x.size(); i += 2) {
        x[i] = static_cast<T>(normal(random));
        x[i + 1] = -x[i];
      }
      x[0] += static_cast<T>(std::ldexp(normal(random), -bits));
      std::shuffle(x.begin(), x.end(), random);
      expect_moments(x);
    }
  }
}

TEST(Moments, OfCancellingDoublesAreNearExact) { expect_moments_of_cancelling<double>(); }
TEST(Moments, OfCancellingFloatsAreNearExact) { expect_moments_of_cancelling<float>(); }

// Squares that are, and are not, within the range of double.
TEST(Moments, OfAnySizeAreNearExact) {
  for (int power = -1070; power < 1020; power += 5) {
    SCOPED_TRACE(power);
    std::mt19937_64 random(static_cast<std::uint64_t>(power + 2000));
    for (const std::int64_t n : {5, 100, 1100}) {
      std::vector<double> x(static_cast<std::size_t>(n));
      for (double& value : x) value = std::ldexp(normal(random), power);
      expect_moments(x);
    }
  }
}

// The same square again and again: roundings do not average out.
TEST(Moments, OfTwoValuesAreNearExact) {
  std::mt19937_64 random(5);
  for (int run = 0; run < 2000; ++run) {
    SCOPED_TRACE(run);
    const auto n = static_cast<std::size_t>(2 + random() % 3000);
    const double pair[2] = {normal(random), normal(random)};
    std::vector<double> x(n);
    for (std::size_t i = 0; i < n; ++i) x[i] = pair[run % 2 == 0 ? i % 2 : random() % 2];
    expect_moments(x);
  }
}

// Values whose middle is far from their mean, and values in ascending order.
TEST(Moments, OfSkewedAndOfSortedAreNearExact) {
  for (const std::int64_t n : sizes) {
    SCOPED_TRACE(n);
    std::mt19937_64 random(static_cast<std::uint64_t>(n));
    std::vector<double> x(static_cast<std::size_t>(n));
    for (double& value : x) value = 1e5 + std::exp(3 * normal(random));
    expect_moments(x);
    std::sort(x.begin(), x.end());
    expect_moments(x);
    expect_moments(std::vector<float>(x.begin(), x.end()));
  }
}

template <class T>
void expect_nan_wherever_one_is() {
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  for (const std::int64_t n : {1, 5, 16, 100, 1030, 3000}) {
    for (const std::int64_t place : {std::int64_t{0}, n / 3, n / 2, n - 1}) {
      SCOPED_TRACE(testing::Message() << "place " << place << " of " << n);
      std::vector<T> x(static_cast<std::size_t>(n), T{3});
      x[static_cast<std::size_t>(n / 2)] = T{4};
      x[static_cast<std::size_t>(place)] = nan;
      for (const auto& [name, output] :
           run_kernel("moments", {array_of(type_of<T>(), {1, n}, x)})) {
        EXPECT_TRUE(std::isnan(values<T>(output)[0])) << name;
      }
    }
  }
}

TEST(Moments, AreNanWhereverAFloatIs) { expect_nan_wherever_one_is<float>(); }
TEST(Moments, AreNanWhereverADoubleIs) { expect_nan_wherever_one_is<double>(); }

TEST(Moments, OfInfinities) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const std::int64_t n : {1, 100, 3000}) {
    std::vector<double> x(static_cast<std::size_t>(n), 2.0);
    x.back() = infinity;
    const auto outputs = run_kernel("moments", {array_of("f8", {1, n}, x)});
    EXPECT_EQ(values<double>(outputs.at("mean"))[0], infinity);
    EXPECT_TRUE(std::isnan(values<double>(outputs.at("std"))[0]));
    EXPECT_EQ(values<double>(outputs.at("min"))[0], n == 1 ? infinity : 2);
    EXPECT_EQ(values<double>(outputs.at("max"))[0], infinity);
  }
}

// Ten million values whose moments are known: integers k = 0 … n-1, in an order that is not sorted,
// around a large offset.
TEST(Moments, OfTenMillionValues) {
  constexpr std::int64_t n = 10'000'000;
  constexpr std::int64_t stride = 3'333'331;  // no common divisor with n
  constexpr double offset = 1e12;
  std::vector<double> x(n);
  for (std::int64_t i = 0; i < n; ++i) {
    x[static_cast<std::size_t>(i)] = offset + static_cast<double>(i * stride % n) / 1024;
  }
  const auto count = static_cast<long double>(n);
  expect_moments(x, {static_cast<Quad>(offset + (count - 1) / 2048),
                     std::sqrt((count * count - 1) / 12) / 1024});
}

// ---- Shapes

TEST(Moments, AreThoseOfEveryRow) {
  const Array x = array_of<double>("f8", {3, 2}, {1, 2, 5, 9, -4, -4});
  const auto outputs = run_kernel("moments", {x});
  EXPECT_EQ(outputs.at("mean").shape, (std::vector<std::int64_t>{3}));
  EXPECT_EQ(values<double>(outputs.at("mean")), (std::vector<double>{1.5, 7, -4}));
  EXPECT_EQ(values<double>(outputs.at("std")), (std::vector<double>{0.5, 2, 0}));
  EXPECT_EQ(values<double>(outputs.at("min")), (std::vector<double>{1, 5, -4}));
  EXPECT_EQ(values<double>(outputs.at("max")), (std::vector<double>{2, 9, -4}));
}

TEST(Moments, TakeExamplesOfAnyShape) {
  std::mt19937_64 random(1);
  std::vector<double> x(2 * 3000);
  for (double& value : x) value = normal(random);
  const auto flat = run_kernel("moments", {array_of("f8", {2, 3000}, x)});
  const auto cubes = run_kernel("moments", {array_of("f8", {2, 10, 30, 10}, x)});
  for (const auto& [name, output] : flat) EXPECT_TRUE(output == cubes.at(name)) << name;
}

// Equal examples give equal bits, wherever they are in the batch.
TEST(Moments, DoNotDependOnThePlaceInTheBatch) {
  std::mt19937_64 random(2);
  std::vector<double> row(5000);
  for (double& value : row) value = 1e6 + normal(random);
  std::vector<double> x;
  for (int i = 0; i < 9; ++i) x.insert(x.end(), row.begin(), row.end());
  for (const auto& [name, output] : run_kernel("moments", {array_of("f8", {9, 5000}, x)})) {
    const auto found = values<double>(output);
    EXPECT_EQ(std::count(found.begin(), found.end(), found[0]), 9) << name;
  }
}

}  // namespace
}  // namespace kmap::test
