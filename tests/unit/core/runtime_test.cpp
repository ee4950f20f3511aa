// The runtime guard, devices and threads of ranks, and errors that all ranks agree on.

#include "kmap/runtime.hpp"

#include "support/runtime.hpp"

#include <Kokkos_Core.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace kmap::test {
namespace {

TEST(Device, IsThePlaceOnTheNode) {
  EXPECT_EQ(choose_device(0, 4, 4, false), 0);
  EXPECT_EQ(choose_device(3, 4, 4, false), 3);
  EXPECT_EQ(choose_device(1, 2, 8, false), 1);
  EXPECT_EQ(choose_device(3, 4, 0, false), -1);
  EXPECT_EQ(choose_device(3, 4, -1, false), -1);
}

TEST(Device, MoreRanksThanDevicesNeedPermission) {
  try {
    choose_device(0, 4, 2, false);
    FAIL() << "sharing was allowed";
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("4 ranks on a node with 2 devices"));
    EXPECT_THAT(error.what(), ::testing::HasSubstr("--allow-device-sharing"));
  }
  EXPECT_EQ(choose_device(3, 4, 2, true), 1);
}

TEST(Threads, AreTheShareOfTheCores) {
  EXPECT_EQ(choose_threads(8, 1), 8);
  EXPECT_EQ(choose_threads(8, 3), 2);
  EXPECT_EQ(choose_threads(2, 4), 1);
  EXPECT_EQ(choose_threads(1, 0), 1);
}

TEST(Runtime, StartsKokkosWithTheThreadsOfTheEnvironment) {
  ASSERT_TRUE(Kokkos::is_initialized());
  const Placement& placement = runtime().placement();
  const char* asked = std::getenv("OMP_NUM_THREADS");
  ASSERT_NE(asked, nullptr) << "the test is to be started with OMP_NUM_THREADS";
  EXPECT_EQ(placement.threads, std::atoi(asked));
  EXPECT_EQ(Kokkos::DefaultHostExecutionSpace().concurrency(), placement.threads);
  EXPECT_EQ(placement.node_size, runtime().comm().size());
  EXPECT_EQ(placement.node_rank, runtime().comm().rank());
  EXPECT_GE(placement.cores, 1);
  EXPECT_GE(placement.sharers, 1);
}

TEST(Agreement, NoErrorGivesTheResultOfEachRank) {
  const Communicator& comm = runtime().comm();
  EXPECT_EQ(agreed(comm, [&] { return comm.rank(); }), comm.rank());
}

TEST(Agreement, TheLowestFailingRankSpeaksForAll) {
  const Communicator& comm = runtime().comm();
  const int first = comm.size() / 2;
  try {
    agreed(comm, [&] {
      if (comm.rank() >= first) {
        throw ConfigError("rank " + std::to_string(comm.rank()) + " failed", "mend it");
      }
    });
    FAIL() << "no error";
  } catch (const Error& error) {
    EXPECT_TRUE(error.agreed());
    EXPECT_EQ(error.rank(), first);
    EXPECT_EQ(error.code(), ExitCode::bad_config);
    EXPECT_EQ(std::string(error.what()),
              "rank " + std::to_string(first) + " failed\n  remedy: mend it");
  }
}

TEST(Agreement, AnyExceptionIsAgreedOn) {
  const Communicator& comm = runtime().comm();
  const auto fail_with = [&](auto exception) {
    try {
      agreed(comm, [&] {
        if (comm.rank() == comm.size() - 1) throw exception;
        return 1;
      });
    } catch (const Error& error) {
      return std::make_pair(error.code(), std::string(error.what()));
    }
    return std::make_pair(ExitCode::ok, std::string());
  };
  EXPECT_EQ(fail_with(std::runtime_error("odd")),
            std::make_pair(ExitCode::internal, std::string("odd")));
  EXPECT_THAT(fail_with(std::bad_alloc()).second, ::testing::HasSubstr("out of memory"));
  EXPECT_EQ(fail_with(42).first, ExitCode::internal);
}

TEST(Root, WorksAloneAndTellsAll) {
  const Communicator& comm = runtime().comm();
  int calls = 0;
  const std::string text = on_root(comm, [&] {
    ++calls;
    return std::string("from rank ") + std::to_string(comm.rank());
  });
  EXPECT_EQ(text, "from rank 0");
  EXPECT_EQ(calls, comm.is_root() ? 1 : 0);
  EXPECT_THROW(on_root(comm, []() -> std::string { throw ConfigError("no"); }), Error);
}

TEST(Communicator, BroadcastsAndReduces) {
  const Communicator& comm = runtime().comm();
  const int last = comm.size() - 1;
  EXPECT_EQ(comm.broadcast(comm.rank() == last ? std::string(100000, 'x') : "", last),
            std::string(100000, 'x'));
  EXPECT_EQ(comm.max(comm.rank()), last);
  EXPECT_EQ(comm.sum(1), comm.size());
  EXPECT_EQ(comm.split_by_node().size(), comm.size());
}

TEST(Communicator, AFailingCallSaysWhich) {
  try {
    check_mpi(MPI_ERR_COUNT, "MPI_Bcast");
    FAIL() << "no error";
  } catch (const RuntimeError& error) {
    EXPECT_THAT(error.what(), ::testing::HasSubstr("MPI_Bcast failed"));
  }
}

}  // namespace
}  // namespace kmap::test
