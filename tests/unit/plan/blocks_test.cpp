// Shards and blocks: every row once, in the memory that is allowed.

#include "unit/plan/kernels.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

constexpr std::int64_t mib = std::int64_t{1} << 20;

// scale: one row is 8 bytes in and 8 bytes out.
plan::Plan scale_plan(std::int64_t rows, const plan::Resources& resources) {
  return plan_of(job_of("scale", {"x"}), {doubles("x", {rows})}, resources);
}

// The blocks of all ranks one after the other are the rows 0, 1, … in order, and those of a rank
// are its shard.
void expect_every_row_once(const plan::Plan& plan) {
  std::int64_t next = 0;
  for (int rank = 0; rank < plan.resources.ranks; ++rank) {
    ASSERT_EQ(plan.shard(rank).begin, next);
    for (std::int64_t step = 0; step < plan.steps; ++step) {
      const Range block = plan.block(rank, step);
      ASSERT_LE(block.size(), plan.block_rows);
      ASSERT_GE(block.size(), 0);
      if (block.size() == 0) continue;
      ASSERT_EQ(block.begin, next);
      next = block.end;
    }
    ASSERT_EQ(plan.shard(rank).end, next);
  }
  ASSERT_EQ(next, plan.rows);
}

TEST(Blocks, EveryRowInExactlyOneBlockOfOneRank) {
  for (const std::int64_t rows : {0, 1, 2, 3, 5, 7, 64, 1000}) {
    for (const int ranks : {1, 2, 3, 4, 7, 16, 1000}) {
      for (const std::int64_t memory_rows : {1, 2, 3, 7, 64, 5000}) {
        const std::int64_t memory = 16 * memory_rows + 15;  // the rest is less than a row
        const plan::Plan plan = scale_plan(rows, {ranks, memory, false});
        const std::int64_t longest = (rows + ranks - 1) / ranks;
        EXPECT_EQ(plan.block_rows,
                  std::clamp<std::int64_t>(memory_rows, 1, std::max<std::int64_t>(1, longest)));
        EXPECT_EQ(plan.steps, (longest + plan.block_rows - 1) / plan.block_rows);
        EXPECT_LE(plan.memory_needed(), memory);
        ASSERT_NO_FATAL_FAILURE(expect_every_row_once(plan))
            << rows << " rows, " << ranks << " ranks, " << memory << " bytes";
      }
    }
  }
}

TEST(Blocks, MoreThanTwoToThe31Rows) {
  const std::int64_t rows = 3 * (std::int64_t{1} << 31) + 5;
  for (const int ranks : {1, 3, 4}) {
    const plan::Plan plan = scale_plan(rows, {ranks, 1024 * mib, false});
    EXPECT_GT(plan.shard(ranks - 1).end, std::int64_t{1} << 32);
    ASSERT_NO_FATAL_FAILURE(expect_every_row_once(plan));
  }
}

TEST(Blocks, AreNotLargerThanIsFast) {
  const plan::Plan plan = scale_plan(100'000'000, {1, plenty, false});
  EXPECT_EQ(plan.block_rows * plan.row_memory, 32 * mib);
  // Unless a single row is.
  const plan::Plan wide = plan_of(job_of("scale", {"x"}), {doubles("x", {10, 100 * mib})});
  EXPECT_EQ(wide.block_rows, 1);
  EXPECT_EQ(wide.steps, 10);
}

TEST(Blocks, StagedBlocksAreHeldTwice) {
  const plan::Plan plan = scale_plan(1000, {1, 3200, true});
  EXPECT_EQ(plan.row_memory, 32);
  EXPECT_EQ(plan.block_rows, 100);
  const plan::Plan whole =
      plan_of(job_of("apply", {"x", "matrix"}, {"inputs.matrix.in_axis=null"}),
              {doubles("x", {9}), doubles("matrix", {3, 4})}, {1, plenty, true});
  EXPECT_EQ(whole.fixed_memory, 2 * 96);
}

TEST(Blocks, TooLittleMemoryForOneRow) {
  EXPECT_TRUE(fails_as(ExitCode::bad_config,
                       "--set run.memory=15: run.memory: 15 bytes are too few: each rank needs 16 "
                       "for one row of the "
                       "inputs and outputs\n  remedy: allow at least 16 bytes",
                       [] {
                         plan_of(job_of("scale", {"x"}, {"run.memory=15"}), {doubles("x", {4})},
                                 {1, 15, false});
                       }));
  EXPECT_NO_THROW(scale_plan(4, {1, 16, false}));
  EXPECT_NO_THROW(scale_plan(0, {1, 1, false})) << "without rows nothing is needed";
}

TEST(Blocks, MemoryBesidesTheRowsCounts) {
  const auto job = job_of("apply", {"x", "matrix"}, {"inputs.matrix.in_axis=null"});
  std::vector<io::DatasetInfo> datasets = {doubles("x", {9}), doubles("matrix", {3, 4})};
  datasets[0].cache_bytes = 1000;
  EXPECT_TRUE(fails_as(ExitCode::bad_config,
                       "/data/job.yaml:1:1: run.memory: 1111 bytes, a quarter of its share of this "
                       "node's memory, are too few: each rank needs 16 for one row of "
                       "the inputs and outputs and 1096 for whole inputs, overlaps of windows and "
                       "decompressed chunks\n  remedy: allow at least 1112 bytes",
                       [&] { plan_of(job, datasets, {1, 1111, false}); }));
  const plan::Plan plan = plan_of(job, datasets, {1, 1096 + 32, false});
  EXPECT_EQ(plan.fixed_memory, 1096);
  EXPECT_EQ(plan.block_rows, 2);
  EXPECT_EQ(plan.memory_needed(), 1096 + 32);
}

// Where all examples of a row are none, there are rows without bytes.
TEST(Blocks, RowsWithoutExamples) {
  const plan::Plan plan = plan_of(job_of("scale", {"x"}), {doubles("x", {5, 0})}, {2, 1, false});
  EXPECT_EQ(plan.row_memory, 0);
  ASSERT_NO_FATAL_FAILURE(expect_every_row_once(plan));
}

}  // namespace
}  // namespace kmap::test
