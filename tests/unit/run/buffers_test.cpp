// Memory of blocks: the staged path copies to a device's memory and back, also on a host.

#include "run/buffers.hpp"

#include "run/run_plan.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace kmap::test {
namespace {

using run::StagedBuffer;

TEST(StagedBuffer, IsOneMemoryWhereNothingIsStaged) {
  if (!run::kernels_reach_host) GTEST_SKIP() << "kernels run on a device here";
  const StagedBuffer buffer(16, false);
  EXPECT_EQ(buffer.host(), buffer.device());
  std::memset(buffer.host(), 1, 16);
  buffer.to_device(16);
  buffer.to_host(16);
  EXPECT_EQ(static_cast<char*>(buffer.host())[15], 1);
}

TEST(StagedBuffer, CopiesOnlyWhenToldAndOnlyAsMuch) {
  const StagedBuffer buffer(16, true);
  ASSERT_NE(buffer.host(), buffer.device());
  auto* host = static_cast<char*>(buffer.host());
  std::fill_n(host, 16, 'a');
  buffer.to_device(16);
  std::fill_n(host, 16, 'b');
  buffer.to_device(8);
  std::fill_n(host, 16, 'c');
  buffer.to_host(12);
  EXPECT_EQ(std::string(host, 16), "bbbbbbbbaaaacccc");
}

TEST(StagedBuffer, OfNothing) {
  for (const bool staged : {false, true}) {
    const StagedBuffer buffer(0, staged);
    buffer.to_device(0);
    buffer.to_host(0);
  }
}

TEST(IsStaged, WhereNeededOrAsked) {
  EXPECT_TRUE(run::is_staged(config::Staging::always));
  EXPECT_EQ(run::is_staged(config::Staging::automatic), !run::kernels_reach_host);
}

}  // namespace
}  // namespace kmap::test
