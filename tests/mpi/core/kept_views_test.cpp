// Memory that is found again under pmap: results stay, and each rank has its own.

#include "support/runtime.hpp"

#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

#include <set>

namespace kmap::test {
namespace {

struct Square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * x; }
};

TEST(Memory, OutputsOfALoopTakeTurns) {
  const Communicator& comm = runtime().comm();
  const std::int64_t n = comm.size() * (std::int64_t{1} << 20);
  const DistArray<double, 1, Kokkos::HostSpace> x(comm, {n});
  const auto& local = x.local();
  std::set<const void*> places;
  auto y = pmap(Square{})(x);
  for (int i = 0; i < 6; ++i) {
    const double value = 10 * i + comm.rank();
    Kokkos::deep_copy(local, value);
    y = pmap(Square{})(x);
    places.insert(y.local().data());
    for (const std::size_t at : {std::size_t{0}, local.extent(0) / 2, local.extent(0) - 1}) {
      ASSERT_EQ(y.local()(at), value * value);
    }
  }
  EXPECT_EQ(places.size(), 2u);
}

}  // namespace
}  // namespace kmap::test
