// periodogram against SciPy's, see make_goldens.py.

#include "apps/arrays.hpp"
#include "apps/goldens_test.hpp"
#include "apps/run_kernel.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace kmap::test {
namespace {

// Of the largest value, as the errors of a transform are.
template <class T>
constexpr double allowed = std::is_same_v<T, float> ? 1e-5 : 1e-12;

template <class T>
const std::string type = std::is_same_v<T, float> ? "f4" : "f8";

Array golden(const std::string& path) { return read_array(golden_file("periodogram"), path); }

std::vector<double> golden_values(const std::string& path) {
  const Array array = golden(path);
  EXPECT_EQ(array.type, "f8") << path;
  return values<double>(array);
}

// Samples that are stored as f4, of type T.
template <class T>
Array samples(const std::string& path) {
  const auto stored = values<float>(golden(path));
  return array_of(type<T>, golden(path).shape, std::vector<T>(stored.begin(), stored.end()));
}

Array power_of(const Array& x, const Params& params = {}) {
  return run_kernel("periodogram", {x}, params).at("power");
}

template <class T>
void expect_power(const Array& power, const std::vector<double>& wanted) {
  ASSERT_EQ(power.type, type<T>);
  const auto found = values<T>(power);
  ASSERT_EQ(found.size(), wanted.size());
  const double largest = *std::max_element(wanted.begin(), wanted.end());
  ASSERT_GT(largest, 0);
  for (std::size_t f = 0; f < wanted.size(); ++f) {
    EXPECT_NEAR(static_cast<double>(found[f]), wanted[f], allowed<T> * largest) << "bin " << f;
  }
}

template <class T>
class Periodogram : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Periodogram, Reals, );

TYPED_TEST(Periodogram, OfAnyLength) {
  const auto lengths = members(golden_file("periodogram"), "/lengths");
  EXPECT_EQ(lengths.size(), 14U);
  for (const std::string& length : lengths) {
    SCOPED_TRACE(length + " samples");
    const std::string at = "/lengths/" + length;
    const Array power = power_of(samples<TypeParam>(at + "/x"));
    EXPECT_EQ(power.shape, (std::vector<std::int64_t>{1, std::stol(length) / 2 + 1}));
    expect_power<TypeParam>(power, golden_values(at + "/power"));
  }
}

TYPED_TEST(Periodogram, OfEveryTaperTrendAndScaling) {
  const auto lengths = members(golden_file("periodogram"), "/grid");
  EXPECT_EQ(lengths.size(), 4U);
  for (const std::string& length : lengths) {
    const Array x = samples<TypeParam>("/grid/" + length + "/x");
    const auto all = golden_values("/grid/" + length + "/power");
    const std::ptrdiff_t bins = std::stol(length) / 2 + 1;
    ASSERT_EQ(static_cast<std::ptrdiff_t>(all.size()), 24 * bins);
    auto wanted = all.begin();
    for (const std::string taper : {"boxcar", "hann", "hamming", "blackman"}) {
      for (const std::string detrend : {"none", "constant", "linear"}) {
        for (const std::string scaling : {"density", "spectrum"}) {
          SCOPED_TRACE(length + " samples, " + taper + ", " + detrend + ", " + scaling);
          const Params params = {
              {"sample_rate", 12.5}, {"taper", taper}, {"detrend", detrend}, {"scaling", scaling}};
          expect_power<TypeParam>(power_of(x, params), {wanted, wanted + bins});
          wanted += bins;
        }
      }
    }
  }
}

// A million beside noise of one: what SciPy computes in extended precision.
TYPED_TEST(Periodogram, BesideALargeOffset) {
  for (const std::string length : {"1000", "1021"}) {
    const std::string at = "/offset/" + type<TypeParam> + "/" + length;
    const Array x = golden(at + "/x");
    ASSERT_EQ(x.type, type<TypeParam>);
    for (const std::string taper : {"boxcar", "hann"}) {
      for (const std::string detrend : {"constant", "linear"}) {
        SCOPED_TRACE(length + " samples, " + taper + ", " + detrend);
        expect_power<TypeParam>(power_of(x, {{"taper", taper}, {"detrend", detrend}}),
                                golden_values(at + "/" + taper + "/" + detrend));
      }
    }
  }
}

TYPED_TEST(Periodogram, OfBatchesWithMoreAxes) {
  const Params params = {{"taper", "hann"}, {"detrend", "linear"}};
  const Array power = power_of(samples<TypeParam>("/three/x"), params);
  EXPECT_EQ(power.shape, golden("/three/power").shape);
  expect_power<TypeParam>(power, golden_values("/three/power"));
}

// A sinusoid between two bins and a constant.
template <class T>
std::vector<T> wave(std::int64_t length, double phase) {
  std::vector<T> x;
  for (std::int64_t i = 0; i < length; ++i) {
    x.push_back(static_cast<T>(2 + std::sin(0.3 * static_cast<double>(i) + phase)));
  }
  return x;
}

TYPED_TEST(Periodogram, HasTheSameBitsWhereverAnExampleIs) {
  for (const std::int64_t length : {8, 31, 360, 1009}) {
    SCOPED_TRACE(length);
    std::vector<TypeParam> batch;
    for (int e = 0; e < 7; ++e) {
      const auto x = wave<TypeParam>(length, e % 2);
      batch.insert(batch.end(), x.begin(), x.end());
    }
    const Array all = power_of(array_of(type<TypeParam>, {7, length}, batch));
    std::vector<std::byte> joined;
    for (int e = 0; e < 7; ++e) {
      const Array one =
          power_of(array_of(type<TypeParam>, {1, length}, wave<TypeParam>(length, e % 2)));
      joined.insert(joined.end(), one.bytes.begin(), one.bytes.end());
    }
    EXPECT_TRUE(all.bytes == joined);
  }
}

TYPED_TEST(Periodogram, NoNumberStaysInItsExample) {
  auto x = wave<TypeParam>(40, 0);
  x[13] = std::numeric_limits<TypeParam>::quiet_NaN();
  const auto power = values<TypeParam>(power_of(array_of(type<TypeParam>, {2, 20}, x)));
  ASSERT_EQ(power.size(), 22U);
  for (std::size_t f = 0; f < 11; ++f) {
    EXPECT_TRUE(std::isnan(power[f])) << f;
    EXPECT_FALSE(std::isnan(power[11 + f])) << f;
  }
}

// Nothing is left of what detrending takes.
TYPED_TEST(Periodogram, OfATrendIsNothing) {
  for (const std::int64_t length : {2, 3, 10, 1000}) {
    std::vector<TypeParam> line;
    for (std::int64_t i = 0; i < length; ++i) line.push_back(static_cast<TypeParam>(5 - 3 * i));
    const Array x = array_of(type<TypeParam>, {1, length}, line);
    for (const TypeParam value : values<TypeParam>(power_of(x, {{"detrend", "linear"}}))) {
      EXPECT_LT(value, 1e-20) << length << " samples";
    }
    const Array same =
        array_of(type<TypeParam>, {1, length}, std::vector<TypeParam>(line.size(), 7));
    for (const TypeParam value : values<TypeParam>(power_of(same))) {
      EXPECT_EQ(value, 0) << length << " samples";
    }
  }
}

// Parseval: the mean square is the sum of the density over the bins' width, and of the spectrum.
TEST(PeriodogramMeaning, PowerIsTheMeanSquare) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> normal;
  for (const std::int64_t length : {50, 51}) {
    std::vector<double> x(static_cast<std::size_t>(length));
    double square = 0;
    for (double& value : x) {
      value = normal(random);
      square += value * value / static_cast<double>(length);
    }
    for (const std::string scaling : {"density", "spectrum"}) {
      const Params params = {{"sample_rate", 20.0}, {"detrend", "none"}, {"scaling", scaling}};
      double sum = 0;
      for (const double power : values<double>(power_of(array_of("f8", {1, length}, x), params))) {
        sum += power * (scaling == "density" ? 20.0 / static_cast<double>(length) : 1);
      }
      EXPECT_NEAR(sum, square, 1e-13) << scaling << " of " << length;
    }
  }
}

TEST(PeriodogramMeaning, OneSampleIsRefused) {
  try {
    power_of(array_of<double>("f8", {3, 1}, {1, 2, 3}));
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_STREQ(error.what(),
                 "a periodogram needs examples of two or more values, not of 1\n"
                 "  remedy: give input x whose last axis is time");
  }
}

TEST(PeriodogramMeaning, FrequenciesAreThoseOfSciPy) {
  const KernelInfo* kernel = find_kernel("periodogram");
  ASSERT_NE(kernel, nullptr);
  ASSERT_EQ(kernel->coordinates.size(), 1U);
  const CoordinateInfo& frequency = kernel->coordinates[0];
  EXPECT_EQ(frequency.dim, "f");
  EXPECT_EQ(frequency.unit, "Hz");
  const auto params = kernel->make_params({{"sample_rate", 12.5}});
  for (const std::int64_t length : {7, 16, 97, 128}) {
    const auto wanted = golden_values("/grid/" + std::to_string(length) + "/frequency");
    ASSERT_EQ(static_cast<std::int64_t>(wanted.size()), length / 2 + 1);
    for (std::size_t f = 0; f < wanted.size(); ++f) {
      EXPECT_DOUBLE_EQ(frequency.value(static_cast<std::int64_t>(f), {{"t", length}}, params.get()),
                       wanted[f]);
    }
  }
}

}  // namespace
}  // namespace kmap::test
