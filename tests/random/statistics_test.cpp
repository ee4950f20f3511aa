// That the numbers are random: of given keys, so that the results are always the same, with bounds
// that true randomness would miss less than once in a million times.

#include "kmap/random.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <vector>

namespace kmap::test {
namespace {

using random::at;
using random::shape;

// A standard normal variable is that far from 0 once in a million times.
constexpr double far = 4.9;

// Chi-square of counts that should be alike, as standard deviations from its mean (Wilson and
// Hilferty's approximation).
double deviation_of(const std::vector<std::int64_t>& counts) {
  double total = 0;
  for (const std::int64_t count : counts) total += static_cast<double>(count);
  const double expected = total / static_cast<double>(counts.size());
  double chi_square = 0;
  for (const std::int64_t count : counts) {
    const double difference = static_cast<double>(count) - expected;
    chi_square += difference * difference / expected;
  }
  const double freedom = static_cast<double>(counts.size()) - 1;
  const double spread = 2 / (9 * freedom);
  return (std::cbrt(chi_square / freedom) - (1 - spread)) / std::sqrt(spread);
}

TEST(RandomStatistics, BytesAreUniform) {
  const auto bytes = random::bits<std::uint8_t>(random::key(1), shape(1 << 20));
  std::vector<std::int64_t> counts(256);
  std::vector<std::int64_t> pairs(1 << 16);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    ++counts[bytes(i)];
    if (i % 2 == 1) ++pairs[static_cast<std::size_t>(bytes(i - 1) * 256 + bytes(i))];
  }
  EXPECT_LT(std::abs(deviation_of(counts)), far);
  EXPECT_LT(std::abs(deviation_of(pairs)), far);
}

TEST(RandomStatistics, EveryBitIsSetHalfOfTheTime) {
  constexpr int n = 1 << 18;
  const auto words = random::bits<std::uint64_t>(random::key(2), shape(n));
  for (int bit = 0; bit < 64; ++bit) {
    std::int64_t set = 0;
    for (int i = 0; i < n; ++i) set += static_cast<std::int64_t>((words(i) >> bit) & 1);
    EXPECT_LT(std::abs(static_cast<double>(set) - n / 2.0), far * std::sqrt(n) / 2) << bit;
  }
}

TEST(RandomStatistics, IntegersAreUniform) {
  const auto dice = random::randint<std::int8_t>(random::key(3), shape(600'000), 1, 7);
  std::vector<std::int64_t> counts(6);
  for (std::size_t i = 0; i < dice.size(); ++i) ++counts.at(static_cast<std::size_t>(dice(i) - 1));
  EXPECT_LT(std::abs(deviation_of(counts)), far);
}

// Neighbouring keys, folded numbers and indices: half of all bits differ, as of unrelated words.
TEST(RandomStatistics, NeighboursAreUnrelated) {
  constexpr int n = 1 << 16;
  const auto differing = [&](const auto& word) {
    std::int64_t bits = 0;
    for (int i = 0; i < n; ++i) bits += std::popcount(word(i) ^ word(i + 1));
    return (static_cast<double>(bits) - 32.0 * n) / std::sqrt(16.0 * n);
  };
  using Word = std::uint64_t;
  const auto key = random::key(0);
  EXPECT_LT(std::abs(differing([&](int i) { return random::bits<Word>(random::key(i)); })), far);
  EXPECT_LT(std::abs(differing([&](int i) { return random::bits<Word>(random::fold_in(key, i)); })),
            far);
  EXPECT_LT(
      std::abs(differing([&](int i) { return random::bits<Word>(random::split_at(key, i)); })),
      far);
  EXPECT_LT(std::abs(differing([&](int i) { return random::bits<Word>(key, at(i)); })), far);
}

TEST(RandomStatistics, NeighbouringStreamsDoNotCorrelate) {
  constexpr int n = 1 << 18;
  const auto centred = [&](random::Key key) {
    return random::uniform<double>(key, shape(n), -1, 1);
  };
  const auto expect_unrelated = [&](const auto& x, const auto& y, int lag) {
    double sum = 0;
    for (int i = 0; i + lag < n; ++i) sum += x(i) * y(i + lag);
    // The product of two such variables has variance 1/9.
    EXPECT_LT(std::abs(sum), far * std::sqrt(n) / 3);
  };
  const auto x = centred(random::key(100));
  for (const int lag : {1, 2, 64}) expect_unrelated(x, x, lag);
  for (const int seed : {101, 102, 103}) expect_unrelated(x, centred(random::key(seed)), 0);
  const auto [a, b] = random::split(random::key(100));
  expect_unrelated(x, centred(a), 0);
  expect_unrelated(centred(a), centred(b), 0);
  expect_unrelated(x, centred(random::fold_in(random::key(100), 1)), 0);
}

// Kolmogorov and Smirnov's distance to a distribution function, times the root of n: above 2.7 once
// in a million times.
template <class View>
double distance(const View& x, const std::function<double(double)>& distribution) {
  std::vector<double> sorted(x.data(), x.data() + x.size());
  std::sort(sorted.begin(), sorted.end());
  const auto n = static_cast<double>(sorted.size());
  double most = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const double p = distribution(sorted[i]);
    most = std::max({most, p - static_cast<double>(i) / n, static_cast<double>(i + 1) / n - p});
  }
  return most * std::sqrt(n);
}

double normal_distribution(double x) { return std::erfc(-x / std::numbers::sqrt2) / 2; }

TEST(RandomStatistics, DrawsFollowTheirDistributions) {
  constexpr int n = 200'000;
  constexpr double bound = 2.7;
  const auto key = [](int i) { return random::fold_in(random::key(77), i); };
  const auto exponential = [](double x) { return -std::expm1(-x); };
  const double low = normal_distribution(-1);
  const double high = normal_distribution(2);
  EXPECT_LT(distance(random::uniform<float>(key(0), shape(n)), [](double x) { return x; }), bound);
  EXPECT_LT(distance(random::uniform<double>(key(1), shape(n), 2, 4),
                     [](double x) { return (x - 2) / 2; }),
            bound);
  EXPECT_LT(distance(random::normal<float>(key(2), shape(n)), normal_distribution), bound);
  EXPECT_LT(distance(random::normal<double>(key(3), shape(n)), normal_distribution), bound);
  EXPECT_LT(distance(random::truncated_normal<double>(key(4), shape(n), -1, 2),
                     [&](double x) { return (normal_distribution(x) - low) / (high - low); }),
            bound);
  EXPECT_LT(distance(random::exponential<float>(key(5), shape(n)), exponential), bound);
  EXPECT_LT(distance(random::gumbel<double>(key(6), shape(n)),
                     [](double x) { return std::exp(-std::exp(-x)); }),
            bound);
  // The gamma distributions whose distribution functions are elementary.
  EXPECT_LT(distance(random::gamma<double>(key(7), shape(n), 1), exponential), bound);
  EXPECT_LT(distance(random::gamma<double>(key(8), shape(n), 0.5),
                     [](double x) { return std::erf(std::sqrt(x)); }),
            bound);
  EXPECT_LT(distance(random::gamma<float>(key(9), shape(n), 3),
                     [](double x) { return 1 - std::exp(-x) * (1 + x + x * x / 2); }),
            bound);
  EXPECT_LT(distance(random::loggamma<double>(key(10), shape(n), 1),
                     [&](double x) { return exponential(std::exp(x)); }),
            bound);
  EXPECT_LT(distance(random::beta<double>(key(11), shape(n), 2, 1), [](double x) { return x * x; }),
            bound);
  EXPECT_LT(distance(random::beta<double>(key(12), shape(n), 0.5, 0.5),
                     [](double x) { return 2 / std::numbers::pi * std::asin(std::sqrt(x)); }),
            bound);
}

TEST(RandomStatistics, FrequenciesAreThoseOfTheWeights) {
  constexpr int n = 400'000;
  const Kokkos::View<double*, Kokkos::HostSpace> weights("weights", 4);
  const Kokkos::View<double*, Kokkos::HostSpace> logits("logits", 4);
  for (int k = 0; k < 4; ++k) {
    weights(k) = k + 1;
    logits(k) = std::log(k + 1.0);
  }
  const auto deviation = [&](const auto& draws) {
    double chi_square = 0;
    std::vector<double> counts(4);
    for (std::size_t i = 0; i < draws.size(); ++i) ++counts.at(static_cast<std::size_t>(draws(i)));
    for (int k = 0; k < 4; ++k) {
      const double expected = n * (k + 1) / 10.0;
      chi_square += std::pow(counts[static_cast<std::size_t>(k)] - expected, 2) / expected;
    }
    return chi_square;
  };
  // Of chi-square with three degrees of freedom.
  constexpr double once_in_a_million = 30.7;
  EXPECT_LT(deviation(random::choice(random::key(1), shape(n), 4, weights)), once_in_a_million);
  EXPECT_LT(deviation(random::categorical(random::key(2), shape(n), logits)), once_in_a_million);
  std::int64_t heads = 0;
  for (int i = 0; i < n; ++i) heads += random::bernoulli(random::key(3), at(i), 0.25f) ? 1 : 0;
  EXPECT_LT(std::abs(static_cast<double>(heads) - n / 4.0), far * std::sqrt(n * 3 / 16.0));
}

// All orders of four come out equally often.
TEST(RandomStatistics, OrdersAreAlike) {
  std::vector<std::int64_t> counts(256);
  constexpr int n = 24'000;
  for (int i = 0; i < n; ++i) {
    const auto order = random::permutation(random::fold_in(random::key(5), i), 4);
    ++counts[static_cast<std::size_t>(order(0) * 64 + order(1) * 16 + order(2) * 4 + order(3))];
  }
  std::erase(counts, 0);
  ASSERT_EQ(counts.size(), 24u);
  EXPECT_LT(std::abs(deviation_of(counts)), far);
}

}  // namespace
}  // namespace kmap::test
