// The other kinds of mapped functions: one team per example, a whole block at once; execution
// spaces.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using ::testing::ElementsAre;

// Sum and largest value by all members of a team.
struct TeamTotal {
  using map_kind = per_team;
  template <class Team, class T>
  KOKKOS_FUNCTION std::tuple<T, T> operator()(const Team& team,
                                              const Example<const T, 1>& x) const {
    T sum = 0;
    T most = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent(0)), [&](std::int64_t i, T& part) { part += x(i); },
        sum);
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent(0)),
        [&](std::int64_t i, T& part) { part = x(i) > part ? x(i) : part; }, Kokkos::Max<T>(most));
    return {sum, most};
  }
};

TEST(VmapTeam, OneTeamPerExample) {
  const auto [sums, most] = vmap(TeamTotal{}, in_axes(1))(counting<double>(100, 3));
  EXPECT_THAT(values(sums), ElementsAre(14850, 14950, 15050));
  EXPECT_THAT(values(most), ElementsAre(297, 298, 299));
}

TEST(VmapTeam, NestsAndPlacesAxes) {
  const auto x = counting<double>(2, 3, 4);
  const auto sums = std::get<0>(vmap(vmap(TeamTotal{}), out_axes(1))(x));
  ASSERT_EQ(sums.extent(0), 3u);
  EXPECT_EQ(sums(2, 1), 20 + 21 + 22 + 23);
}

// Reverses an example through scratch memory and writes it out.
struct Reverse {
  using map_kind = per_team;
  template <class T>
  std::size_t scratch_bytes(const Example<const T, 1>& x) const {
    return static_cast<std::size_t>(x.extent(0)) * sizeof(T) + 64;
  }
  template <class C, class Team>
  KOKKOS_FUNCTION void operator()(C& c, const Team& team, const Example<const double, 1>& x,
                                  const out<double, 1>& y) const {
    const std::int64_t n = x.extent(0);
    auto* copy = static_cast<double*>(
        team.team_scratch(1).get_shmem_aligned(static_cast<std::size_t>(n) * sizeof(double), 8));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](std::int64_t i) { copy[i] = x(i); });
    team.team_barrier();
    const double shift = 100.0 * axis_index<"batch">(c);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](std::int64_t i) { y(i) = copy[n - 1 - i] + shift; });
  }
};

TEST(VmapTeam, ScratchContextAndWrittenOutputs) {
  const auto y =
      vmap(Reverse{}, axis_name<"batch">, outputs(out_shape<double>(4)))(counting<double>(3, 4));
  EXPECT_EQ(y(0, 0), 3);
  EXPECT_EQ(y(2, 3), 208);
}

// Wants more scratch memory than Kokkos gives.
struct Greedy : Reverse {
  template <class T>
  std::size_t scratch_bytes(const Example<const T, 1>&) const {
    return std::size_t{3} << 30;
  }
};

TEST(VmapTeam, TooMuchScratchMemoryIsAnError) {
  const auto map = vmap(Greedy{}, axis_name<"batch">, outputs(out_shape<double>(4)));
  try {
    map(counting<double>(3, 4));
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("3221225472 bytes of scratch memory"));
  }
}

// Counts its calls' rows and scales a block: what a call of a library looks like.
struct ScaleBlock {
  using map_kind = per_block;
  double factor;
  template <class Exec, class X, class Y>
  void operator()(const Exec& exec, const X& x, double, const Y& y) const = delete;
  template <class Exec, class X, class Y>
  void operator()(const Exec& exec, const X& x, const Y& y) const {
    static_assert(X::rank() == 2 && Y::rank() == 2);
    const double f = factor;
    Kokkos::parallel_for(
        Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>>(
            exec, {0, 0},
            {static_cast<std::int64_t>(x.extent(0)), static_cast<std::int64_t>(x.extent(1))}),
        [=](std::int64_t i, std::int64_t j) { y(i, j) = f * x(i, j); });
  }
};

TEST(VmapBlock, TheFunctionGetsTheWholeBatch) {
  const auto x = counting<double>(3, 4);
  const auto y = vmap(ScaleBlock{2.0}, in_axes(1), out_axes(1), outputs(out_shape<double>(3)))(x);
  ASSERT_EQ(y.extent(0), 3u);
  ASSERT_EQ(y.extent(1), 4u);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 4; ++j) EXPECT_EQ(y(i, j), 2 * x(i, j));
  }
}

TEST(Vmap, RunsOnAGivenExecutionSpace) {
  const Kokkos::DefaultHostExecutionSpace exec;
  EXPECT_THAT(values(vmap(Square{}, on(exec))(vector_of<int>({1, 2, 3}))), ElementsAre(1, 4, 9));
}

}  // namespace
}  // namespace kmap::test
