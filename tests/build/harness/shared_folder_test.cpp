#include "support/shared_folder.hpp"

#include "support/runtime.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace kmap::test {
namespace {

TEST(SharedFolder, IsOneForAllRanks) {
  const Communicator& comm = runtime().comm();
  std::filesystem::path path;
  {
    const SharedFolder folder(comm);
    path = folder.path();
    EXPECT_EQ(comm.broadcast(path.string()), path.string());
    std::ofstream(path / std::to_string(comm.rank())) << "text";
    comm.barrier();
    for (int rank = 0; rank < comm.size(); ++rank)
      EXPECT_TRUE(std::filesystem::exists(path / std::to_string(rank)));
  }
  comm.barrier();
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace kmap::test
