#include "runtime/cores.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace kmap::test {
namespace {

TEST(NumberRanges, JoinNeighbours) {
  EXPECT_EQ(detail::number_ranges({}), "none");
  EXPECT_EQ(detail::number_ranges({3}), "3");
  EXPECT_EQ(detail::number_ranges({0, 1}), "0-1");
  EXPECT_EQ(detail::number_ranges({0, 1, 2, 3, 8}), "0-3,8");
  EXPECT_EQ(detail::number_ranges({1, 3, 5, 6, 7, 1023, 1024}), "1,3,5-7,1023-1024");
}

TEST(OwnCores, AreSomeAndAscend) {
  const std::vector<int> cores = detail::own_cores();
  EXPECT_FALSE(cores.empty());
  EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
}

}  // namespace
}  // namespace kmap::test
