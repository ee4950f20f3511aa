// Draws in every form: alone, in mapped functions, in arrays of any layout, on any threads.

#include "support/runtime.hpp"

#include "kmap/map.hpp"
#include "kmap/pmap.hpp"
#include "kmap/random.hpp"
#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <vector>

namespace kmap::test {
namespace {

using random::at;
using random::into;
using random::Key;
using random::shape;

// Of threefry2x32 with 20 rounds, by its authors (Random123's kat_vectors).
TEST(RandomKey, HashesAsThePaperDoes) {
  const auto expect = [](random::detail::Words key, random::detail::Words counter,
                         random::detail::Words wanted) {
    const auto got = random::detail::threefry(key, counter);
    EXPECT_EQ(got.high, wanted.high);
    EXPECT_EQ(got.low, wanted.low);
  };
  expect({0, 0}, {0, 0}, {0x6b200159u, 0x99ba4efeu});
  const std::uint32_t ones = 0xffffffffu;
  expect({ones, ones}, {ones, ones}, {0x1cb996fcu, 0xbb002be7u});
  expect({0x13198a2eu, 0x03707344u}, {0x243f6a88u, 0x85a308d3u}, {0xc4923a9cu, 0x483df7a0u});
}

TEST(RandomKey, SplitsInTheFunctionAsIntoAnArray) {
  const auto [a, b] = random::split(random::key(0));
  EXPECT_EQ(a, Key(1797259609u, 2579123966u));
  EXPECT_EQ(b, Key(928981903u, 3453687069u));
  const auto many = random::split<5>(random::key(0));
  const auto array = random::split(random::key(0), 5);
  for (int i = 0; i < 5; ++i) {
    const Key key(array(i, 0), array(i, 1));
    EXPECT_EQ(key, many[static_cast<std::size_t>(i)]);
    EXPECT_EQ(key, random::split_at(random::key(0), i));
  }
  EXPECT_EQ(many[1], b);
  EXPECT_EQ(Key(), random::key(0));
}

TEST(RandomKey, IndicesHave64Bits) {
  const std::int64_t far = (std::int64_t{3} << 32) + 5;
  const auto words = random::detail::threefry({0, 7}, {3, 5});
  EXPECT_EQ(random::split_at(random::key(7), far), Key(words.high, words.low));
  EXPECT_EQ(random::bits<std::uint32_t>(random::key(7), at(far)), words.high ^ words.low);
}

struct NormalOfKey {
  KOKKOS_FUNCTION double operator()(const Example<const std::uint32_t, 1>& key) const {
    return random::normal<double>(key);
  }
};
struct ScaledOfKey {
  KOKKOS_FUNCTION double operator()(Key key, double x) const {
    return x * random::uniform<double>(key, -1, 1);
  }
};

TEST(RandomDraws, PerKeyUnderMapsAreThoseMadeOneByOne) {
  constexpr std::int64_t n = 1000;
  const auto key = random::key(7);
  const auto keys = random::split(key, n);
  const Kokkos::View<double*, Kokkos::HostSpace> x("x", n);
  for (int i = 0; i < n; ++i) x(i) = i;
  const auto z = vmap(NormalOfKey{})(keys);
  const auto y = vmap(ScaledOfKey{})(keys, x);
  const auto p = gather(pmap(NormalOfKey{})(scatter(runtime().comm(), keys)));
  for (std::int64_t i = 0; i < n; ++i) {
    const Key one = random::split_at(key, i);
    ASSERT_EQ(z(i), random::normal<double>(one));
    ASSERT_EQ(p(i), z(i));
    ASSERT_EQ(y(i), x(i) * random::uniform<double>(one, -1, 1));
  }
}

// One key for all: example i draws element i, or from a key with i folded in; a context does no
// harm.
struct ByIndex {
  Key key;
  template <class C>
  KOKKOS_FUNCTION vec<double, 4> operator()(C& c, double x) const {
    const auto i = axis_index<"i">(c);
    const Key own = random::fold_in(key, i);
    const auto pair = random::normal<double, 2>(c, own);
    return {x + random::normal<double>(c, key, at(i)), pair[0], pair[1],
            static_cast<double>(random::randint<int>(c, own, -5, 6))};
  }
};

TEST(RandomDraws, ByIndexAreThoseOfTheArray) {
  constexpr int n = 500;
  const auto key = random::key(3);
  const Kokkos::View<double*, Kokkos::HostSpace> x("x", n);
  const auto y = vmap(ByIndex{key}, axis_name<"i">)(x);
  const auto array = random::normal<double>(key, shape(n));
  for (int i = 0; i < n; ++i) {
    const Key own = random::fold_in(key, i);
    ASSERT_EQ(y(i, 0), array(i));
    ASSERT_EQ(y(i, 1), random::normal<double>(own));
    ASSERT_EQ(y(i, 2), random::normal<double>(own, at(1)));
    ASSERT_EQ(y(i, 3), random::randint<int>(own, -5, 6));
  }
}

TEST(RandomDraws, AVecHoldsTheFirstElements) {
  const auto key = random::key(1);
  const auto v = random::uniform<float, 2, 3>(key, 2, 4);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(v(i / 3, i % 3), random::uniform<float>(key, at(i), 2, 4));
  const auto b = random::bernoulli<3>(key, 0.25f);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(b[i], random::bernoulli(key, at(i), 0.25f));
  EXPECT_EQ((random::bits<std::uint8_t, 2>(key)[1]), random::bits<std::uint8_t>(key, at(1)));
}

// draw(into(y)) and draw(at(i)) for Views of several layouts and lengths, with the same bits.
template <class View, class Draw>
void expect_filled(const View& y, const Draw& draw) {
  draw(into(y));
  const auto extent = [&](std::size_t d) { return static_cast<std::int64_t>(y.extent(d)); };
  std::int64_t index = 0;
  for (std::int64_t i = 0; i < extent(0); ++i) {
    for (std::int64_t j = 0; j < extent(1); ++j) {
      for (std::int64_t k = 0; k < extent(2); ++k) {
        ASSERT_EQ(y(i, j, k), draw(at(index))) << "element " << index;
        ++index;
      }
    }
  }
}

template <class T, class Draw>
void expect_layouts(const Draw& draw) {
  using Kokkos::ALL;
  using Kokkos::HostSpace;
  expect_filled(Kokkos::View<T***, Kokkos::LayoutRight, HostSpace>("right", 3, 50, 100), draw);
  expect_filled(Kokkos::View<T***, Kokkos::LayoutLeft, HostSpace>("left", 5000, 2, 3), draw);
  expect_filled(Kokkos::View<T***, Kokkos::LayoutLeft, HostSpace>("small", 3, 1, 2), draw);
  const Kokkos::View<T***, Kokkos::LayoutRight, HostSpace> whole("whole", 21, 30, 40);
  Kokkos::deep_copy(whole, T{1});
  const auto part = Kokkos::subview(whole, std::pair{2, 20}, std::pair{1, 29}, std::pair{3, 33});
  expect_filled(part, draw);
  EXPECT_EQ(whole(1, 5, 5), T{1});
  EXPECT_EQ(whole(5, 5, 2), T{1});
  EXPECT_EQ(whole(5, 5, 33), T{1});
  const Kokkos::View<T****, Kokkos::LayoutRight, HostSpace> four("four", 8, 9, 10, 3);
  expect_filled(Kokkos::subview(four, ALL, ALL, ALL, 1), draw);
}

TEST(RandomArrays, FillAnyLayout) {
  const auto key = random::key(11);
  // One generic lambda per distribution, for both places.
  expect_layouts<float>([&](const auto& place) {
    if constexpr (std::is_same_v<decltype(place), const random::detail::At&>) {
      return random::uniform<float>(key, place, -1, 1);
    } else {
      random::uniform(key, place, -1, 1);
    }
  });
  expect_layouts<double>([&](const auto& place) {
    if constexpr (std::is_same_v<decltype(place), const random::detail::At&>) {
      return random::normal<double>(key, place);
    } else {
      random::normal(key, place);
    }
  });
  expect_layouts<std::int16_t>([&](const auto& place) {
    if constexpr (std::is_same_v<decltype(place), const random::detail::At&>) {
      return random::randint<std::int16_t>(key, place, -100, 1000);
    } else {
      random::randint(key, place, -100, 1000);
    }
  });
  expect_layouts<bool>([&](const auto& place) { return random::bernoulli(key, place, 0.3); });
}

TEST(RandomArrays, LongOnesHaveTheElementsOfPlaces) {
  constexpr std::int64_t n = 1'000'003;
  const auto key = random::key(5);
  const auto u = random::uniform<float>(key, shape(n));
  const auto z = random::normal<float>(key, shape(n));
  const auto e = random::exponential<double>(key, shape(n));
  const auto t = random::truncated_normal<float>(key, shape(n), -2, 2);
  for (std::int64_t i = 0; i < n; i += 7) {
    ASSERT_EQ(u(i), random::uniform<float>(key, at(i)));
    ASSERT_EQ(z(i), random::normal<float>(key, at(i)));
    ASSERT_EQ(e(i), random::exponential<double>(key, at(i)));
    ASSERT_EQ(t(i), random::truncated_normal<float>(key, at(i), -2, 2));
  }
}

// The line of a host's loop whose counters overflow into the higher word.
TEST(RandomArrays, LinesGoOnBeyond32Bits) {
  using Draw = random::detail::Bits<std::uint32_t>;
  const Draw draw(random::key(9));
  const Kokkos::View<std::uint32_t*, Kokkos::HostSpace> y("y", 4000);
  random::detail::Walk walk(y);
  const random::detail::HostFill<Draw, std::uint32_t> fill{draw, y.data(), walk, 1};
  const std::int64_t first = (std::int64_t{1} << 32) - 1000;
  fill.draw_from(y.data(), 1, first, 1, 4000);
  for (std::int64_t i = 0; i < 4000; ++i) {
    ASSERT_EQ(y(i), random::bits<std::uint32_t>(random::key(9), at(first + i))) << i;
  }
}

TEST(RandomArrays, HaveAnyRank) {
  const auto key = random::key(2);
  EXPECT_EQ(random::normal<double>(key, shape())(), random::normal<double>(key));
  const auto y = random::bits<std::uint8_t>(key, shape(2, 1, 2, 1, 2, 1, 2, 2));
  EXPECT_EQ(y(1, 0, 1, 0, 1, 0, 1, 1), random::bits<std::uint8_t>(key, at(31)));
  EXPECT_EQ(random::uniform<float>(key, shape(3, 0, 2)).size(), 0u);
}

TEST(RandomGamma, EndsForAnyParameter) {
  const auto key = random::key(4);
  EXPECT_TRUE(std::isnan(random::gamma<double>(key, std::numeric_limits<double>::quiet_NaN())));
  EXPECT_TRUE(std::isnan(random::gamma<double>(key, -1)));
  EXPECT_EQ(random::gamma<double>(key, 0), 0);
  EXPECT_EQ(random::gamma<double>(key, std::numeric_limits<double>::infinity()),
            std::numeric_limits<double>::infinity());
}

TEST(RandomIntegers, KeepToTheirBounds) {
  const auto key = random::key(4);
  std::set<int> seen;
  for (int i = 0; i < 1000; ++i) seen.insert(random::randint<std::int8_t>(key, at(i), -3, 3));
  EXPECT_EQ(seen, (std::set<int>{-3, -2, -1, 0, 1, 2}));
  EXPECT_EQ(random::randint<int>(key, 5, 5), 5);
  EXPECT_EQ(random::randint<unsigned>(key, 9, 2), 9u);
  const std::int64_t most = std::numeric_limits<std::int32_t>::max();
  EXPECT_EQ(random::randint<std::int32_t>(key, most, most + 1), most);
}

struct Chosen {
  Key key;
  KOKKOS_FUNCTION vec<double, 3> operator()(const Example<const double, 1>& a,
                                            const Example<const double, 1>& p) const {
    return {random::choice(key, at(3), a), random::choice(key, at(3), a, p),
            static_cast<double>(random::categorical(key, at(3), p))};
  }
};

TEST(RandomChoice, InAFunctionIsThatOfTheArray) {
  const auto key = random::key(8);
  const auto a = random::normal<double>(key, shape(40, 9));
  const auto p = random::uniform<double>(random::key(9), shape(40, 9));
  const auto chosen = vmap(Chosen{key})(a, p);
  for (int r = 0; r < 40; ++r) {
    const auto row_a = Kokkos::subview(a, r, Kokkos::ALL);
    const auto row_p = Kokkos::subview(p, r, Kokkos::ALL);
    ASSERT_EQ(chosen(r, 0), random::choice(key, shape(5), row_a)(3));
    ASSERT_EQ(chosen(r, 1), random::choice(key, shape(5), row_a, row_p)(3));
    ASSERT_EQ(chosen(r, 2), static_cast<double>(random::categorical(key, shape(5), row_p)(3)));
  }
  EXPECT_EQ(random::choice(key, 10), random::randint<std::int64_t>(key, 0, 10));
  const vec<float, 3> weights{0, 2, 0};
  EXPECT_EQ(random::choice(key, 3, weights), 1);
  EXPECT_EQ(random::choice(key, vec<int, 3>{5, 6, 7}, weights), 6);
}

TEST(RandomChoice, RefusesWhatCannotBeChosen) {
  const auto key = random::key(8);
  const Kokkos::View<double*, Kokkos::HostSpace> p("p", 3);
  EXPECT_THROW(random::uniform<float>(key, shape(2, -1)), ShapeError);
  EXPECT_THROW(random::permutation(key, -1), ShapeError);
  EXPECT_THROW(random::choice(key, shape(1), 0), ShapeError);
  EXPECT_EQ(random::choice(key, shape(0), 0).size(), 0u);
  EXPECT_THROW(random::choice(key, shape(4), 3, random::without_replacement), ShapeError);
  EXPECT_THROW(random::choice(key, shape(2), 4, p), ShapeError);
  p(1) = -1;
  EXPECT_THROW(random::choice(key, shape(2), 3, p), Error);
  p(1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(random::choice(key, shape(2), 3, p), Error);
  EXPECT_THROW(random::permutation(key, p, random::axis(1)), ShapeError);
  EXPECT_THROW(random::categorical(key, shape(2, 3), Kokkos::View<float**>("x", 2, 4)), ShapeError);
  EXPECT_THROW(random::categorical(key, Kokkos::View<float**>("x", 2, 0)), ShapeError);
}

TEST(RandomOrder, OfManyIsAPermutation) {
  const auto order = random::permutation(random::key(6), 100'000);
  std::vector<bool> seen(order.size());
  std::int64_t in_place = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const auto at_i = static_cast<std::size_t>(order(i));
    ASSERT_FALSE(seen.at(at_i));
    seen[at_i] = true;
    if (at_i == i) ++in_place;
  }
  EXPECT_LT(in_place, 12);  // one is expected; Poisson
}

TEST(RandomOrder, ShufflesAnyLayoutInPlace) {
  const auto key = random::key(6);
  const Kokkos::View<int**, Kokkos::LayoutLeft, Kokkos::HostSpace> x("x", 50, 4);
  for (int i = 0; i < 200; ++i) x(i % 50, i / 50) = i;
  const auto order = random::permutation(key, 50);
  random::shuffle(key, x);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(x(i % 50, i / 50), order(i % 50) + i / 50 * 50);
  }
}

}  // namespace
}  // namespace kmap::test
