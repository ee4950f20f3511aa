// The main of test programs that use MPI and Kokkos.

#include "support/command.hpp"
#include "support/rank_listener.hpp"
#include "support/runtime.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <exception>

namespace kmap::test {

namespace {
Runtime* current = nullptr;
}  // namespace

Runtime& runtime() { return *current; }

namespace {

int run_tests(Runtime& made) {
  current = &made;
  int size = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size == 1) return RUN_ALL_TESTS();

  ::testing::TestEventListeners& listeners = ::testing::UnitTest::GetInstance()->listeners();
  delete listeners.Release(listeners.default_result_printer());
  auto* listener = new RankListener(MPI_COMM_WORLD);
  listeners.Append(listener);  // GoogleTest's from here
  const int own = RUN_ALL_TESTS();
  // Before MPI ends: the listener has a communicator.
  const bool any = listener->any_failure();
  delete listeners.Release(listener);
  return own != 0 || any ? 1 : 0;
}

}  // namespace

}  // namespace kmap::test

int main(int argc, char** argv) {
  kmap::test::remember_environment();
  ::testing::InitGoogleTest(&argc, argv);
  try {
    kmap::Runtime runtime(argc, argv);
    return kmap::test::run_tests(runtime);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "the test program could not start or end: %s\n", error.what());
    return 1;
  }
}
