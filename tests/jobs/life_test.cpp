// life against the automaton of the whole line in NumPy: see tests/apps/make_batch_goldens.py.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"
#include "support/command.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace kmap::test {
namespace {

using ::testing::HasSubstr;
using Cells = std::vector<std::uint8_t>;

Array golden(const std::string& path) { return read_array(golden_file("life"), path); }

Job life(const Array& cells, const std::string& options, const std::string& params) {
  return Job("life", {{"initial", cells, options, false}}, params);
}

Cells final_cells(const Job& job) { return values<std::uint8_t>(job.read("/final")); }

class Rules : public ::testing::TestWithParam<const char*> {};

// Each bit of the rule alone, and rules that move, mix and compute.
TEST_P(Rules, AreThoseOfTheWholeLine) {
  const std::string boundary = GetParam();
  for (const std::string steps : {"1", "12"}) {
    for (const std::string& rule : members(golden_file("life"), "/" + boundary + "/" + steps)) {
      SCOPED_TRACE("rule " + rule + ", " + steps + " steps");
      Job job = life(golden("/cells"), "window: 4",
                     "{rule: " + rule + ", steps: " + steps + ", boundary: " + boundary + "}");
      job.expect_same({steps == "1" ? 2 : 3, 1, 0, false, Layout::plain});
      EXPECT_EQ(job.read("/final").shape, (std::vector<std::int64_t>{15, 4}));
      EXPECT_EQ(final_cells(job),
                values<std::uint8_t>(golden("/" + boundary + "/" + steps + "/" + rule)));
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Boundaries, Rules, ::testing::Values("periodic", "zeros"),
                         [](const auto& test) { return std::string(test.param); });

// From one cell to the whole line in a strip, on fewer and on more ranks than strips.
TEST(Life, IsTheSameInStripsOfAnyLength) {
  for (const std::string boundary : {"periodic", "zeros"}) {
    const auto wanted = values<std::uint8_t>(golden("/" + boundary + "/12/30"));
    for (const int size : {1, 2, 15, 30, 60}) {
      SCOPED_TRACE(boundary + ", strips of " + std::to_string(size));
      Job job = life(golden("/cells"), "window: " + std::to_string(size),
                     "{rule: 30, steps: 12, boundary: " + boundary + "}");
      job.expect_same({4, 1, 0, false, Layout::chunked});
      job.expect_same({3, 2, 0, true, Layout::plain});
      EXPECT_EQ(final_cells(job), wanted);
    }
  }
}

TEST(Life, OfFewerCellsThanRanks) {
  for (const std::string size : {"1", "2", "3"}) {
    for (const std::string boundary : {"periodic", "zeros"}) {
      SCOPED_TRACE(size + " cells, " + boundary);
      Job job = life(golden("/short/" + size + "/cells"), "window: 1",
                     "{rule: 110, steps: 5, boundary: " + boundary + "}");
      job.expect_same({4, 1, 0, false, Layout::plain});
      EXPECT_EQ(final_cells(job), values<std::uint8_t>(golden("/short/" + size + "/" + boundary)));
    }
  }
}

// Blocks too: the strips' edges, and two results of each step, stay in memory.
TEST(Life, HasTheSameBitsHoweverItIsRun) {
  Array strips = golden("/long/cells");
  strips.shape = {13, 100};
  Job job = life(strips, "", "{rule: 30, steps: 5}");
  job.keep_for_collectives(10'000);
  for (const Way& way : some_ways(3)) job.expect_same(way);
  EXPECT_EQ(final_cells(job), values<std::uint8_t>(golden("/long/30")));
}

// The strips of a column are a line of their own.
TEST(Life, OfColumnsOfStrips) {
  const auto line = values<std::uint8_t>(golden("/cells"));
  const auto moved = values<std::uint8_t>(golden("/periodic/12/110"));
  Cells strips;
  Cells wanted;
  for (std::ptrdiff_t i = 0; i < 60; i += 10) {
    for (int column = 0; column < 2; ++column) {
      strips.insert(strips.end(), line.begin() + i, line.begin() + i + 10);
      wanted.insert(wanted.end(), moved.begin() + i, moved.begin() + i + 10);
    }
  }
  Job job = life(array_of("u1", {6, 2, 10}, strips), "", "{rule: 110, steps: 12}");
  job.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(final_cells(job), wanted);
}

TEST(Life, WhatIsNotZeroIsAlive) {
  Job job = life(array_of<std::uint8_t>("u1", {2, 3}, {0, 255, 2, 1, 0, 7}), "", "{steps: 0}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(final_cells(job), (Cells{0, 1, 1, 1, 0, 1}));
}

TEST(Life, OfNothingIsNothing) {
  Job none = life(array_of<std::uint8_t>("u1", {0, 5}, {}), "", "{steps: 3}");
  none.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(none.read("/final").shape, (std::vector<std::int64_t>{0, 5}));
}

TEST(Life, HasRulesUpTo255) {
  const TemporaryFolder folder;
  const auto config = folder.path() / "job.yaml";
  std::ofstream(config) << "kernel: life\nparams: {rule: 256}\ninputs: {initial: \""
                        << golden_file("life").string() << ":/cells\"}\noutputs: out.h5\n";
  const CommandResult result = run_command(kmap_words({"validate", config.string()}));
  EXPECT_EQ(result.exit_code, 78) << result;
  EXPECT_THAT(result.err, HasSubstr("params.rule: 256 is not allowed; expected 0 to 255"));
}

}  // namespace
}  // namespace kmap::test
