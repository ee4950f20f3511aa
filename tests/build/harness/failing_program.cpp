// Tests that fail on purpose; failures_test.cpp looks at what is then shown.

#include "support/runtime.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include <stdexcept>

namespace {

int rank() { return kmap::test::runtime().comm().rank(); }

TEST(Failing, OnLastRank) {
  EXPECT_LT(rank(), kmap::test::runtime().comm().size() - 1) << "the last rank";
}

TEST(Failing, Throws) {
  if (rank() == 1) throw std::runtime_error("thrown on purpose");
}

TEST(Failing, Leaves) {
  ASSERT_NE(rank(), 1) << "left on purpose";
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(Passing, Passes) {}

}  // namespace
