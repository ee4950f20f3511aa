// Distributed arrays and pmap: equal to vmap on one rank, at every number of ranks.

#include "kmap/pmap.hpp"

#include "support/runtime.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using Host = Kokkos::HostSpace;
using Matrix = Kokkos::View<double**, Kokkos::LayoutRight, Host>;

// Equal on all ranks.
Matrix counting(std::size_t n, std::size_t m) {
  Matrix x("x", n, m);
  for (std::size_t i = 0; i < n * m; ++i) x.data()[i] = static_cast<double>(i);
  return x;
}

struct Total {
  KOKKOS_FUNCTION double operator()(const Example<const double, 1>& x) const {
    double sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i);
    return sum;
  }
};

struct Scale {
  KOKKOS_FUNCTION double operator()(double x, double factor) const { return x * factor; }
};

// Whole arrays on rank 0 are equal; the other ranks have nothing.
template <class View>
void expect_same_on_root(const View& gathered, const View& expected) {
  if (!runtime().comm().is_root()) {
    EXPECT_EQ(gathered.size(), 0u);
    return;
  }
  ASSERT_EQ(gathered.size(), expected.size());
  for (std::size_t d = 0; d < View::rank(); ++d) ASSERT_EQ(gathered.extent(d), expected.extent(d));
  for (std::size_t i = 0; i < gathered.size(); ++i) {
    ASSERT_EQ(gathered.data()[i], expected.data()[i]) << "element " << i;
  }
}

TEST(DistArray, ScatterAndGatherAreInverse) {
  const Communicator& comm = runtime().comm();
  for (const std::size_t n : {0u, 1u, 2u, 3u, 7u, 100u}) {
    for (const int axis : {0, 1}) {
      const Matrix x = axis == 0 ? counting(n, 3) : counting(3, n);
      const int root = comm.size() - 1;
      const auto shards = scatter(comm, comm.rank() == root ? x : Matrix("none", 0, 0), axis, root);
      EXPECT_EQ(shards.axis(), axis);
      EXPECT_EQ(shards.extent(axis), static_cast<std::int64_t>(n));
      EXPECT_EQ(static_cast<std::int64_t>(shards.local().extent(static_cast<unsigned>(axis))),
                shards.shard().size());
      if (shards.local().size() > 0) {
        const auto first = static_cast<double>(shards.shard().begin) * (axis == 0 ? 3 : 1);
        EXPECT_EQ(shards.local()(0, 0), first);
      }
      expect_same_on_root(gather(shards), x);
    }
  }
}

TEST(DistArray, RefusesAWrongAxis) {
  EXPECT_THROW((DistArray<double, 2>(runtime().comm(), {4, 3}, 2)), ShapeError);
  EXPECT_THROW((DistArray<double, 2>(runtime().comm(), {4, 3, 1}, 0)), ShapeError);
}

TEST(Pmap, EqualsVmapForAnyLength) {
  const Communicator& comm = runtime().comm();
  for (const std::size_t n : {0u, 1u, 3u, 10u}) {
    const Matrix x = counting(n, 5);
    expect_same_on_root(gather(pmap(Total{})(scatter(comm, x))), vmap(Total{})(x));
  }
}

TEST(Pmap, MapsReplicatedViewsAlongAnyAxis) {
  const Communicator& comm = runtime().comm();
  const Matrix x = counting(4, 7);
  const auto sums = pmap(Total{}, in_axes(1), over(comm))(x);
  EXPECT_EQ(sums.extent(0), 7);
  expect_same_on_root(gather(sums), vmap(Total{}, in_axes(1))(x));
  expect_same_on_root(gather(pmap(Total{}, in_axes(-2), over(comm))(x)), vmap(Total{})(x));
}

TEST(Pmap, PlacesTheDistributedAxis) {
  const Communicator& comm = runtime().comm();
  const Matrix x = counting(6, 3);
  const auto y = pmap(Scale{}, in_axes(0, none), out_axes(1))(scatter(comm, x), 2.0);
  EXPECT_EQ(y.axis(), 1);
  EXPECT_EQ(y.shape(), (Shape{3, 6}));
  expect_same_on_root(gather(y), vmap(Scale{}, in_axes(0, none), out_axes(1))(x, 2.0));
}

struct Place {
  template <class C>
  KOKKOS_FUNCTION std::int64_t operator()(C& c, double) const {
    return 100 * axis_size<"i">(c) + axis_index<"i">(c);
  }
};

TEST(Pmap, NamedAxesAreGlobal) {
  const Communicator& comm = runtime().comm();
  const Kokkos::View<double*, Kokkos::LayoutRight, Host> x("x", 9);
  const auto y = gather(pmap(Place{}, axis_name<"i">)(scatter(comm, x)));
  for (std::size_t i = 0; i < y.extent(0); ++i) EXPECT_EQ(y(i), 900 + static_cast<int>(i));
}

struct SumAndFactor {
  KOKKOS_FUNCTION std::tuple<double, double> operator()(double x, double factor) const {
    return {x + factor, factor};
  }
};

// Case 7 over ranks: one output keeps the axis, the other must be equal everywhere.
TEST(Pmap, OutAxesNoneGivesAReplicatedValue) {
  const Communicator& comm = runtime().comm();
  const Kokkos::View<double*, Kokkos::LayoutRight, Host> x("x", 2);
  const auto [sum, factor] =
      pmap(SumAndFactor{}, in_axes(0, none), out_axes(0, none))(scatter(comm, x), 8.0);
  EXPECT_EQ(factor(), 8.0);
  EXPECT_EQ(sum.extent(0), 2);
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const ShapeError& error) {
    return error.what();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return error.what();
  }
  return "no error";
}

TEST(PmapErrors, ADependentOutputWithoutAnAxis) {
  const Communicator& comm = runtime().comm();
  Kokkos::View<double*, Kokkos::LayoutRight, Host> x("x", static_cast<std::size_t>(comm.size()));
  for (std::size_t i = 0; i < x.extent(0); ++i) x(i) = static_cast<double>(i);
  const auto shards = scatter(comm, x);
  if (comm.size() == 1) return;  // one example: equal to itself
  EXPECT_THAT(message_of([&] { pmap(Scale{}, in_axes(0, none), out_axes(none))(shards, 1.0); }),
              ::testing::HasSubstr("differs between ranks"));
}

// Case 26.
TEST(PmapErrors, LengthsThatDiffer) {
  const Communicator& comm = runtime().comm();
  const auto a = scatter(comm, counting(4, 2));
  const auto b = scatter(comm, counting(3, 2));
  struct Add {
    KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
  };
  EXPECT_THAT(message_of([&] { pmap(Add{})(a, b); }),
              ::testing::AllOf(::testing::HasSubstr("args[0] has size 4"),
                               ::testing::HasSubstr("args[1] has size 3")));
}

TEST(PmapErrors, ADistributedArrayIsMappedAlongItsAxis) {
  const auto x = scatter(runtime().comm(), counting(4, 2));
  EXPECT_THAT(message_of([&] { pmap(Total{}, in_axes(1))(x); }),
              ::testing::HasSubstr("distributed along axis 0, in_axes maps axis 1"));
}

TEST(PmapErrors, NoRanksToRunOn) {
  EXPECT_THAT(message_of([&] { pmap(Total{})(counting(2, 2)); }),
              ::testing::HasSubstr("over(comm)"));
}

}  // namespace
}  // namespace kmap::test
