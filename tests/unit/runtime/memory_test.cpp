// Limits of memory, from invented control groups and environments.

#include "runtime/memory.hpp"

#include "support/temporary_folder.hpp"
#include "unit/runtime/variables.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace kmap::test {
namespace {

class GroupMemory : public testing::Test {
 protected:
  void write(const std::string& name, const std::string& text) const {
    const std::filesystem::path file = folder_.path() / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text << "\n";
  }

  std::optional<std::int64_t> limit(const std::string& groups) const {
    write("groups", groups);
    return detail::group_memory(folder_.path() / "groups", folder_.path());
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(GroupMemory, NoneWithoutGroups) {
  EXPECT_EQ(limit(""), std::nullopt);
  EXPECT_EQ(limit("0::/"), std::nullopt);
  EXPECT_EQ(limit("nonsense"), std::nullopt);
  EXPECT_EQ(detail::group_memory("/no/such/file", "/no/such/folder"), std::nullopt);
}

TEST_F(GroupMemory, Version2TakesTheSmallestOfThoseAround) {
  write("job/memory.max", "3000000");
  write("job/step/memory.max", "max");
  EXPECT_EQ(limit("0::/job/step"), 3000000);
  write("job/step/memory.max", "2000000");
  EXPECT_EQ(limit("0::/job/step"), 2000000);
  write("memory.max", "1000000");
  EXPECT_EQ(limit("0::/job/step"), 1000000);
  EXPECT_EQ(limit("0::/"), 1000000);
}

TEST_F(GroupMemory, Version1HasAFolderOfItsOwn) {
  write("memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(limit("4:memory:/job\n0::/"), std::nullopt) << "no limit";
  write("memory/job/memory.limit_in_bytes", "5000000");
  EXPECT_EQ(limit("4:memory:/job\n1:cpu:/job\n0::/"), 5000000);
  EXPECT_EQ(limit("4:cpu,memory:/job"), 5000000);
  EXPECT_EQ(limit("4:cpu,mymemory:/job"), std::nullopt);
}

TEST_F(GroupMemory, InAContainerTheRootIsTheGroup) {
  write("memory/memory.limit_in_bytes", "6000000");
  EXPECT_EQ(limit("4:memory:/docker/0123456789"), 6000000);
  write("memory.max", "4000000");
  EXPECT_EQ(limit("0::/../other"), 4000000);
}

TEST(SlurmMemory, IsOfTheNode) {
  EXPECT_EQ(detail::slurm_memory(invented({})), std::nullopt);
  EXPECT_EQ(detail::slurm_memory(invented({{"SLURM_MEM_PER_NODE", "4000"}})),
            std::int64_t{4000} << 20);
  EXPECT_EQ(detail::slurm_memory(invented({{"SLURM_MEM_PER_NODE", "0"}})), std::nullopt)
      << "--mem=0 asks for all";
  EXPECT_EQ(
      detail::slurm_memory(invented({{"SLURM_MEM_PER_CPU", "1000"}, {"SLURM_CPUS_ON_NODE", "8"}})),
      std::int64_t{8000} << 20);
  EXPECT_EQ(detail::slurm_memory(invented({{"SLURM_MEM_PER_CPU", "1000"}})), std::nullopt);
  EXPECT_EQ(detail::slurm_memory(invented({{"SLURM_MEM_PER_NODE", "99999999999999999"}})),
            std::nullopt);
}

TEST(NodeMemory, IsTheSmallestLimit) {
  EXPECT_EQ((detail::NodeMemory{100, {}, {}}.usable()), 100);
  EXPECT_EQ((detail::NodeMemory{100, 50, {}}.usable()), 50);
  EXPECT_EQ((detail::NodeMemory{100, 50, 40}.usable()), 40);
  EXPECT_EQ((detail::NodeMemory{100, {}, 200}.usable()), 100);
  EXPECT_GT(detail::node_memory(), 0);
}

}  // namespace
}  // namespace kmap::test
