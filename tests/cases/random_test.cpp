// Case 18, for a generator that counts: a draw per key, mapped, equals the draws made one by one.

#include "arrays.hpp"

#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

namespace kmap::test {
namespace {

struct Words {
  std::uint32_t high;
  std::uint32_t low;
  bool operator==(const Words&) const = default;
};

// threefry2x32 with 20 rounds (Salmon et al., 2011), as JAX has it.
KOKKOS_FUNCTION Words threefry(Words key, Words counter) {
  const std::uint32_t keys[3] = {key.high, key.low, key.high ^ key.low ^ 0x1BD11BDAu};
  const int rotations[2][4] = {{13, 15, 26, 6}, {17, 29, 16, 24}};
  std::uint32_t a = counter.high + keys[0];
  std::uint32_t b = counter.low + keys[1];
  for (std::uint32_t block = 0; block < 5; ++block) {
    for (const int by : rotations[block % 2]) {
      a += b;
      b = (b << by) | (b >> (32 - by));
      b ^= a;
    }
    a += keys[(block + 1) % 3];
    b += keys[(block + 2) % 3] + block + 1;
  }
  return {a, b};
}

TEST(Threefry, KnownAnswers) {
  EXPECT_EQ(threefry({0, 0}, {0, 0}), (Words{0x6b200159u, 0x99ba4efeu}));
  const std::uint32_t ones = 0xffffffffu;
  EXPECT_EQ(threefry({ones, ones}, {ones, ones}), (Words{0x1cb996fcu, 0xbb002be7u}));
  EXPECT_EQ(threefry({0x13198a2eu, 0x03707344u}, {0x243f6a88u, 0x85a308d3u}),
            (Words{0xc4923a9cu, 0x483df7a0u}));
  // key(0) split in two.
  EXPECT_EQ(threefry({0, 0}, {0, 0}), (Words{1797259609u, 2579123966u}));
  EXPECT_EQ(threefry({0, 0}, {0, 1}), (Words{928981903u, 3453687069u}));
}

// Newton's method on erf: slow and exact enough.
KOKKOS_FUNCTION double inverse_erf(double y) {
  double x = 0;
  for (int turn = 0; turn < 60; ++turn) {
    const double slope = 1.1283791670955126 * std::exp(-x * x);
    x -= (std::erf(x) - y) / slope;
  }
  return x;
}

// A normal draw: one element of a scalar draw with that key.
struct Normal {
  KOKKOS_FUNCTION double operator()(const Example<const std::uint32_t, 1>& key) const {
    const Words words = threefry({key(0), key(1)}, {0, 0});
    const double uniform = static_cast<double>((words.high ^ words.low) >> 9) / 8388608.0;
    return 1.4142135623730951 * inverse_erf(2 * uniform - 1);
  }
};

// split(key(7), n)
Array<std::uint32_t, 2> keys(std::int64_t n) {
  const auto result = detail::make_host_array<std::uint32_t, 2>({n, 2});
  for (std::int64_t i = 0; i < n; ++i) {
    const Words words = threefry({0, 7}, {0, static_cast<std::uint32_t>(i)});
    result(i, 0) = words.high;
    result(i, 1) = words.low;
  }
  return result;
}

std::vector<double> draws_one_by_one(const Array<std::uint32_t, 2>& all) {
  std::vector<double> draws;
  for (std::size_t i = 0; i < all.extent(0); ++i) {
    detail::Extents<1> extents;
    detail::Extents<1> strides;
    extents[0] = 2;
    strides[0] = 1;
    draws.push_back(Normal{}(Example<const std::uint32_t, 1>(&all(i, 0), extents, strides)));
  }
  return draws;
}

TEST(Case, N18_DrawsPerKey) {
  const auto all = keys(1000);
  const auto draws = draws_one_by_one(all);
  expect_array(vmap(Normal{})(all), {1000}, draws);
  expect_array(pmap(Normal{})(scatter(runtime().comm(), all)), {1000}, draws);
  // They are normal: mean 0 and variance 1, within four standard errors.
  double sum = 0;
  double squares = 0;
  for (const double draw : draws) {
    sum += draw;
    squares += draw * draw;
  }
  EXPECT_NEAR(sum / 1000, 0, 4 / std::sqrt(1000.0));
  EXPECT_NEAR(squares / 1000, 1, 4 * std::sqrt(2 / 1000.0));
}

}  // namespace
}  // namespace kmap::test
