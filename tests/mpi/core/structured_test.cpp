// pmap of structures and fixed arguments, and over some of the ranks: equal to vmap on one rank.

#include "support/runtime.hpp"

#include "kmap/collectives.hpp"
#include "kmap/pmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;
using Vector = Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};

// Equal on all ranks.
Matrix counting(std::size_t n, std::size_t m) {
  Matrix x("x", n, m);
  std::iota(x.data(), x.data() + x.size(), 0.0);
  return x;
}
Vector counting(std::size_t n) {
  Vector x("x", n);
  std::iota(x.data(), x.data() + n, 0.0);
  return x;
}

template <class View>
void expect_same(const View& a, const View& b) {
  ASSERT_EQ(detail::shape_of(a), detail::shape_of(b));
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a.data()[i], b.data()[i]) << i;
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

struct Options {
  double step;
  int power;
};

struct Step {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p, const Options& o) const {
    const vec<double, 2> moved{p.position(0) + o.step, p.position(1) * o.power};
    return std::tuple{Particle{moved, p.mass}, p.mass * o.step};
  }
};

TEST(PmapStructured, EqualsVmap) {
  const Communicator& comm = runtime().comm();
  for (const std::size_t n : {0u, 1u, 3u, 10u}) {
    const Particle particles{counting(n, 2), counting(n)};
    const auto options = fixed(Options{0.5, 3});
    const auto map = [&](const auto& mapped, const auto& p) { return mapped(p, options); };
    const auto shards = scatter(comm, particles);
    const auto result = map(pmap(Step{}, out_axes(Particle{1, 0}, 0)), shards);
    EXPECT_EQ(std::get<0>(result).position.axis(), 1);
    EXPECT_EQ(std::get<1>(result).extent(0), static_cast<std::int64_t>(n));
    const auto [p, work] = gather(result);
    const auto [wanted, wanted_work] = map(vmap(Step{}, out_axes(Particle{1, 0}, 0)), particles);
    if (!comm.is_root()) continue;
    expect_same(p.position, wanted.position);
    expect_same(p.mass, wanted.mass);
    expect_same(work, wanted_work);
  }
}

// Distributed, sliced, whole and replicated leaves of one argument; one output that is no tuple.
struct Sum {
  template <class P>
  KOKKOS_FUNCTION Particle<double, double> operator()(const P& p,
                                                      const std::tuple<double, double>& y) const {
    return {p.position + std::get<0>(y), p.mass};
  }
};

TEST(PmapStructured, LeavesOfAllKinds) {
  const Communicator& comm = runtime().comm();
  const Vector x = counting(7);
  const Vector y = counting(7);
  const auto result =
      pmap(Sum{}, in_axes(Particle{0, none}, std::tuple(0, none)), out_axes(Particle{0, none}))(
          Particle{scatter(comm, x), 5.0}, std::tuple{y, 1.0});
  EXPECT_EQ(result.mass(), 5.0);
  const auto sums = gather(result.position);
  for (std::size_t i = 0; i < sums.extent(0); ++i) EXPECT_EQ(sums(i), 2 * x(i));
}

struct Center {
  template <class C, class P>
  KOKKOS_FUNCTION Particle<double, std::int32_t> operator()(C& c, const P& p) const {
    return {p.mass * p.position - psum<"i">(c, p.position), axis_index<"i">(c)};
  }
};

TEST(PmapStructured, CollectivesOfLeaves) {
  const Communicator& comm = runtime().comm();
  const auto x = scatter(comm, counting(5));
  const auto [centered, index] =
      gather(pmap(Center{}, axis_name<"i">, in_axes(Particle{0, none}))(Particle{x, 2.0}));
  for (std::size_t i = 0; i < centered.extent(0); ++i) {
    EXPECT_EQ(centered(i), 2.0 * static_cast<double>(i) - 10);
    EXPECT_EQ(index(i), static_cast<int>(i));
  }
}

TEST(PmapStructured, ErrorsNameLeavesByTheirPaths) {
  const Communicator& comm = runtime().comm();
  const auto x = scatter(comm, counting(4));
  const auto y = scatter(comm, counting(3));
  EXPECT_THAT(message_of([&] { pmap(Sum{})(Particle{x, x}, std::tuple{x, y}); }),
              AllOf(HasSubstr("args[0][1] has size 4"), HasSubstr("but args[1][1] has size 3")));
  EXPECT_THAT(message_of([&] { pmap(Sum{}, axis_size(5))(Particle{x, x}, std::tuple{x, x}); }),
              AllOf(HasSubstr("axis_size is 5"), HasSubstr("args[0][0] has size 4")));
  const auto wide = scatter(comm, counting(4, 2));
  EXPECT_THAT(message_of([&] {
                pmap(Step{}, in_axes(Particle{1, 0}, none))(Particle{wide, x}, fixed(Options{}));
              }),
              AllOf(HasSubstr("args[0][0]"), HasSubstr("distributed along axis 0")));
}

// ---- Some of the ranks, in an order of one's own
TEST(Select, GivesTheListedRanksInOrder) {
  const Communicator& comm = runtime().comm();
  std::vector<int> ranks;
  for (int rank = comm.size() - 1; rank >= 0; rank -= 2) ranks.push_back(rank);
  const auto devices = comm.select(ranks);
  const auto place = std::find(ranks.begin(), ranks.end(), comm.rank());
  ASSERT_EQ(devices.has_value(), place != ranks.end());
  if (devices) {
    EXPECT_EQ(devices->size(), static_cast<int>(ranks.size()));
    EXPECT_EQ(devices->rank(), place - ranks.begin());
    const auto x = counting(5);
    const auto shards = scatter(*devices, x);
    EXPECT_EQ(shards.shard(), shard_of(5, devices->size(), devices->rank()));
    const auto twice = pmap(Sum{}, in_axes(Particle{0, none}, 0), over(*devices))(
        Particle{shards, 1.0}, std::tuple{x, x});
    const auto all = gather(twice.position);
    for (std::size_t i = 0; i < all.extent(0); ++i) EXPECT_EQ(all(i), 2 * x(i));
  }
  EXPECT_EQ(comm.sum(1), comm.size());
}

TEST(Select, MayLeaveOutEveryRank) { EXPECT_FALSE(runtime().comm().select({}).has_value()); }

TEST(SelectErrors, SayWhichRankAndHowManyThereAre) {
  const Communicator& comm = runtime().comm();
  const std::string size = std::to_string(comm.size());
  EXPECT_THAT(message_of([&] { comm.select({0, comm.size()}); }),
              AllOf(HasSubstr("rank " + size + " does not exist"),
                    HasSubstr("there are " + size + " ranks"), HasSubstr("remedy")));
  EXPECT_THAT(message_of([&] { comm.select({-1}); }), HasSubstr("rank -1 does not exist"));
  EXPECT_THAT(message_of([&] { comm.select({0, 0}); }), HasSubstr("rank 0 is listed twice"));
}

TEST(SelectErrors, SayThatTheListsDiffer) {
  const Communicator& comm = runtime().comm();
  if (comm.size() == 1) return;
  EXPECT_THAT(message_of([&] { comm.select({comm.rank()}); }),
              AllOf(HasSubstr("rank 1 gives {1}"), HasSubstr("rank 0 gives {0}")));
}

}  // namespace
}  // namespace kmap::test
