// Donated arguments of pmap: shards whose memory becomes that of the result.

#include "support/runtime.hpp"

#include "kmap/pmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

using Vector = Kokkos::View<double*, Kokkos::LayoutRight, Kokkos::HostSpace>;

Vector counting(std::size_t n) {
  Vector x("x", n);
  for (std::size_t i = 0; i < n; ++i) x(i) = static_cast<double>(i);
  return x;
}

struct Square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * x; }
};
struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PmapDonate, TheResultTakesTheShards) {
  const Communicator& comm = runtime().comm();
  for (const std::size_t n : {0u, 1u, 3u, 10u}) {
    const auto x = scatter(comm, counting(n));
    const double* memory = x.local().data();
    const auto y = pmap(Square{})(donate(x));
    EXPECT_EQ(y.local().data(), memory);
    EXPECT_EQ(y.shape(), (Shape{static_cast<std::int64_t>(n)}));
    const auto all = gather(y);
    for (std::size_t i = 0; i < all.extent(0); ++i) EXPECT_EQ(all(i), i * i);
  }
}

struct Swap {
  KOKKOS_FUNCTION vec<double, 2> operator()(const Example<const double, 1>& x) const {
    return {x(1), x(0)};
  }
};

TEST(PmapDonate, OnlyAlongTheSameAxis) {
  const Communicator& comm = runtime().comm();
  // As many columns as rows on every rank, so that only the places differ.
  const auto n = static_cast<std::size_t>(2 * comm.size());
  for (const bool turns : {false, true}) {
    const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> x("x", n, 2);
    for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i);
    const auto shards = scatter(comm, x);
    const double* memory = shards.local().data();
    const auto y = pmap(Swap{}, out_axes(turns ? 1 : 0))(donate(shards));
    EXPECT_EQ(y.local().data() == memory, !turns);
    const auto all = gather(y);
    for (std::size_t i = 0; comm.is_root() && i < n; ++i) {
      EXPECT_EQ(turns ? all(0, i) : all(i, 0), x(i, 1));
      EXPECT_EQ(turns ? all(1, i) : all(i, 1), x(i, 0));
    }
  }
}

TEST(PmapDonate, AWholeViewMayBeGivenToo) {
  const Communicator& comm = runtime().comm();
  auto x = counting(4);
  const auto y = pmap(Square{}, over(comm))(donate(x));
  EXPECT_EQ(x.data(), nullptr);
  const auto all = gather(y);
  for (std::size_t i = 0; i < all.extent(0); ++i) EXPECT_EQ(all(i), i * i);
}

TEST(PmapDonateErrors, EveryUseOfEveryCopy) {
  const Communicator& comm = runtime().comm();
  const auto x = scatter(comm, counting(6));
  const auto copy = x;
  const auto y = pmap(Square{})(donate(x));
  const auto expected =
      AllOf(HasSubstr("shape (6,)"), HasSubstr("was donated"), HasSubstr("remedy"));
  EXPECT_THAT(message_of([&] { copy.local(); }), expected);
  EXPECT_THAT(message_of([&] { gather(copy); }), expected);
  EXPECT_THAT(message_of([&] { pmap(Square{})(x); }), expected);
  EXPECT_THAT(message_of([&] { pmap(Add{})(y, donate(copy)); }), expected);
  EXPECT_EQ(y.local().extent(0), static_cast<std::size_t>(y.shard().size()));
}

TEST(PmapDonateErrors, TheSameArrayTwice) {
  const Communicator& comm = runtime().comm();
  const auto x = scatter(comm, counting(static_cast<std::size_t>(comm.size())));
  EXPECT_THAT(message_of([&] { pmap(Add{})(donate(x), x); }),
              HasSubstr("args[0] is donated, but args[1] is the same memory"));
  EXPECT_EQ(x.local().extent(0), 1u);
}

TEST(DistArray, IsMadeOfShardsThatAreThere) {
  const Communicator& comm = runtime().comm();
  const Vector mine("mine", 2);
  const DistArray<double, 1, Kokkos::HostSpace> x(comm, {2 * comm.size()}, 0, mine);
  EXPECT_EQ(x.local().data(), mine.data());
  using Array = DistArray<double, 1, Kokkos::HostSpace>;
  EXPECT_THAT(message_of([&] { Array(comm, {3 * comm.size()}, 0, mine); }),
              AllOf(HasSubstr("(2,)"), HasSubstr("give a shard of shape (3,)")));
}

}  // namespace
}  // namespace kmap::test
