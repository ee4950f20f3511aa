// Functions that throw, and functions that never end: at one example, in any of their runs.

#include "misuse.hpp"

#include "kmap/vmap.hpp"

#include <stdexcept>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr std::int64_t n = 8;

// What vmap must let through as it is.
struct OwnError : std::runtime_error {
  explicit OwnError(std::int64_t i)
      : std::runtime_error("example " + std::to_string(i) + " has no solution"), example(i) {}
  std::int64_t example;
};

std::string text_of(std::int64_t i) { return OwnError(i).what(); }

enum class When { never, at_once, at_the_end };

// Before its collective, so in a run for the record, or in the last one.
struct Failing {
  When when;
  std::int64_t from;  // examples from here on
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const std::int64_t i = axis_index<"i">(c);
    if (i >= from && when == When::at_once) throw OwnError(i);
    const double sum = psum<"i">(c, x);
    if (i >= from && when == When::at_the_end && sum != x) throw OwnError(i);
    return sum;
  }
};

struct FailingWithoutContext {
  double from;
  KOKKOS_FUNCTION double operator()(double x) const {
    if (x >= from) throw OwnError(static_cast<std::int64_t>(x) - 1);
    return x;
  }
};

struct FailingWithoutCollective {
  std::int64_t from;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    if (axis_index<"i">(c) >= from) throw OwnError(axis_index<"i">(c));
    return x;
  }
};

struct FailingTeam {
  using map_kind = per_team;
  When when;
  std::int64_t from;
  template <class C, class Team>
  KOKKOS_FUNCTION double operator()(C& c, const Team&, double x) const {
    return Failing{when, from}(c, x);
  }
};

struct FailingBlock {
  using map_kind = per_block;
  double from;
  template <class Exec, class X, class Y>
  void operator()(const Exec&, const X& x, const Y& y) const {
    for (std::size_t i = 0; i < x.extent(0); ++i) y(i) = FailingWithoutContext{from}(x(i));
  }
};

// The error of the lowest failing example comes out of vmap, and nothing is left broken.
template <class Map, class View>
void expect_thrown(const Map& map, const View& x, std::int64_t example) {
  try {
    map(x);
    ADD_FAILURE() << "nothing was thrown";
  } catch (const OwnError& error) {
    EXPECT_EQ(error.example, example);
    EXPECT_EQ(error.what(), text_of(example));
  }
  const auto y = vmap(Failing{When::never, 0}, axis_name<"i">)(x);
  EXPECT_EQ(y(0), 36);
  EXPECT_EQ(y(n - 1), 36);
}

TEST(ThrowingUnderVmap, ComesOutAsItIs) {
  const auto x = from_one<1>({n});
  for (const std::int64_t i : {0, 1, 4, 7}) {
    const auto from = static_cast<double>(i + 1);
    for (const When when : {When::at_once, When::at_the_end}) {
      expect_thrown(vmap(Failing{when, i}, axis_name<"i">), x, i);
      expect_thrown(vmap(FailingTeam{when, i}, axis_name<"i">), x, i);
    }
    expect_thrown(vmap(FailingWithoutContext{from}), x, i);
    expect_thrown(vmap(FailingWithoutCollective{i}, axis_name<"i">), x, i);
    expect_thrown(vmap(FailingBlock{from}, outputs(out_shape<double>())), x, i);
  }
}

TEST(ThrowingUnderVmap, AnythingMayBeThrown) {
  struct Number {
    KOKKOS_FUNCTION double operator()(double x) const { throw static_cast<int>(x); }
  };
  try {
    vmap(Number{})(from_one<1>({3}));
    ADD_FAILURE() << "nothing was thrown";
  } catch (const int number) {
    EXPECT_EQ(number, 1);
  }
}

// The text for that example, on every rank.
template <class Map, class A>
void expect_agreed(const Map& map, const A& x, std::int64_t from) {
  const Caught error = caught([&] { map(x); });
  EXPECT_TRUE(error.is_error);
  EXPECT_FALSE(error.is_shape_error);
  EXPECT_TRUE(error.agreed);
  EXPECT_EQ(error.code, ExitCode::internal);
  EXPECT_EQ(error.text, text_of(from));
  int rank = 0;
  while (shard_of(n, comm().size(), rank).end <= from) ++rank;
  EXPECT_EQ(error.rank, rank);
  const auto y = gather(pmap(Failing{When::never, 0}, axis_name<"i">)(x));
  if (comm().is_root()) {
    EXPECT_EQ(y(n - 1), 36);
  }
}

// Where a function takes a context, each rank tries its first example before the others.
std::int64_t first_to_fail(std::int64_t from) {
  for (int r = 0; r < comm().size(); ++r) {
    const std::int64_t first = shard_of(n, comm().size(), r).begin;
    if (first >= from) return first;
  }
  return from;
}

TEST(ThrowingUnderPmap, IsAnErrorOnEveryRank) {
  const auto x = scatter(comm(), from_one<1>({n}));
  for (const std::int64_t i : {0, 1, 4, 7}) {
    const auto from = static_cast<double>(i + 1);
    const std::int64_t first = first_to_fail(i);
    for (const When when : {When::at_once, When::at_the_end}) {
      expect_agreed(pmap(Failing{when, i}, axis_name<"i">), x, first);
      expect_agreed(pmap(FailingTeam{when, i}, axis_name<"i">), x, first);
    }
    expect_agreed(pmap(FailingWithoutContext{from}), x, i);
    expect_agreed(pmap(FailingWithoutCollective{i}, axis_name<"i">), x, first);
    expect_agreed(pmap(FailingBlock{from}, outputs(out_shape<double>())), x, i);
  }
}

// On one rank alone, which need not be the last.
struct FailingAt {
  When when;
  std::int64_t example;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const bool is_here = axis_index<"i">(c) == example;
    return Failing{is_here ? when : When::never, 0}(c, x);
  }
};

TEST(ThrowingUnderPmap, OnOneRankAlone) {
  const auto x = scatter(comm(), from_one<1>({n}));
  for (std::int64_t i = 0; i < n; ++i) {
    for (const When when : {When::at_once, When::at_the_end}) {
      expect_agreed(pmap(FailingAt{when, i}, axis_name<"i">), x, i);
    }
  }
}

// Ranks without examples hear of it too.
TEST(ThrowingUnderPmap, WithFewerExamplesThanRanks) {
  const auto x = scatter(comm(), from_one<1>({1}));
  const Caught error = caught([&] { pmap(Failing{When::at_once, 0}, axis_name<"i">)(x); });
  EXPECT_EQ(error.text, text_of(0));
  EXPECT_TRUE(error.agreed);
}

// True of the operand that stands in for the sum, never of the sum.
struct Careful {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const double sum = psum<"i">(c, x);
    if (!(sum - x > 0)) throw std::runtime_error("a sum of nothing else");
    return sum;
  }
};

TEST(Throwing, WhileASumIsNotKnownMeansNothing) {
  const auto x = from_one<1>({n});
  const double sum = static_cast<double>(n * (n + 1)) / 2;
  const auto y = vmap(Careful{}, axis_name<"i">)(x);
  const auto z = gather(pmap(Careful{}, axis_name<"i">)(scatter(comm(), x)));
  for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(y(i), sum);
  for (std::size_t i = 0; i < z.extent(0); ++i) EXPECT_EQ(z(i), sum);
}

struct MakesGroups {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return psum<"i">(c, x, AxisIndexGroups({{0, 1}, {2, 3}}));
  }
};
struct MakesPairs {
  KOKKOS_FUNCTION double operator()(double x) const {
    const Pairs pairs({{0, 1}});
    return x + static_cast<double>(pairs.table()[0]);
  }
};

TEST(Throwing, ATableMadeInsideAFunction) {
  const auto x = from_one<1>({n});
  const auto shards = scatter(comm(), x);
  for (const std::string& text : {caught([&] { vmap(MakesGroups{}, axis_name<"i">)(x); }).text,
                                  caught([&] { pmap(MakesGroups{}, axis_name<"i">)(shards); }).text,
                                  caught([&] { vmap(MakesPairs{})(x); }).text,
                                  caught([&] { pmap(MakesPairs{})(shards); }).text}) {
    EXPECT_THAT(text, AllOf(HasSubstr("was made inside a mapped function"),
                            HasSubstr("keep it as a member of the function")));
  }
}

// A loop that waits for a sum, and would wait for ever while that is not known.
struct Endless {
  std::int64_t from;
  int turns;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    double sum = psum<"i">(c, x / x);
    const bool waits = axis_index<"i">(c) >= from;
    for (int turn = 0; sum < 1000 && (turns == 0 ? waits : turn < turns); ++turn) {
      sum = psum<"i">(c, sum);
    }
    return sum;
  }
};

TEST(EndlessLoop, UnderVmap) {
  const auto x = from_one<1>({n});
  for (const std::int64_t from : {std::int64_t{0}, n - 1}) {
    const Caught error = caught([&] { vmap(Endless{from, 0}, axis_name<"i">)(x); });
    EXPECT_THAT(error.text, AllOf(HasSubstr("goes on and on calling collectives"),
                                  HasSubstr("needs a bound on its number of turns")));
  }
}

TEST(EndlessLoop, UnderPmap) {
  const auto x = scatter(comm(), from_one<1>({n}));
  for (const std::int64_t from : {std::int64_t{0}, n - 1}) {
    const Caught error = caught([&] { pmap(Endless{from, 0}, axis_name<"i">)(x); });
    EXPECT_TRUE(error.agreed);
    EXPECT_THAT(error.text, AllOf(HasSubstr("goes on and on calling collectives"),
                                  HasSubstr("needs a bound on its number of turns")));
  }
}

// 8, 64, 512, 4096: three turns of at most 20.
TEST(EndlessLoop, IsFineWithABound) {
  const auto y = gather(pmap(Endless{0, 20}, axis_name<"i">)(scatter(comm(), from_one<1>({n}))));
  for (std::size_t i = 0; i < y.extent(0); ++i) EXPECT_EQ(y(i), 4096);
}

}  // namespace
}  // namespace kmap::test
