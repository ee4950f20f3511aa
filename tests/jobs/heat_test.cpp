// heat against the whole grid in NumPy, see tests/apps/make_batch_goldens.py: the same operations
// in the same order have the same bits.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kmap::test {
namespace {

Array golden(const std::string& path) { return read_array(golden_file("heat"), path); }

Job heat(const Array& initial, const std::string& options, const std::string& params) {
  return Job("heat", {{"initial", initial, options, false}}, params);
}

// The strips below each other.
Array joined(Array strips) {
  strips.shape = {strips.shape[0] * strips.shape[1], strips.shape[2]};
  return strips;
}

class HeatTypes : public ::testing::TestWithParam<const char*> {
 protected:
  static Array golden_of(const std::string& path) {
    return golden(std::string("/") + GetParam() + "/" + path);
  }
};

// On fewer and on more ranks than strips.
TEST_P(HeatTypes, HaveTheBitsOfNumPyInStripsOfAnyHeight) {
  for (const std::string boundary : {"fixed", "periodic"}) {
    for (const int height : {1, 2, 6, 12, 24}) {
      SCOPED_TRACE(boundary + ", strips of " + std::to_string(height));
      Job job = heat(golden_of("grid/initial"), "window: " + std::to_string(height),
                     "{number: 0.2, steps: 6, boundary: " + boundary + "}");
      job.expect_same({4, 1, 0, false, Layout::chunked});
      job.expect_same({3, 2, 0, true, Layout::plain});
      expect_close(joined(job.read("/final")), golden_of("grid/" + boundary), 0);
    }
  }
}

// Grids of one column, and of one cell.
TEST_P(HeatTypes, HaveTheBitsOfNumPyOnThinGrids) {
  for (const std::string boundary : {"fixed", "periodic"}) {
    for (const std::string grid : {"column", "cell"}) {
      SCOPED_TRACE(boundary + ", " + grid);
      Job job = heat(golden_of(grid + "/initial"), "window: 1",
                     "{number: 0.2, steps: 6, boundary: " + boundary + "}");
      job.expect_same({3, 1, 0, false, Layout::plain});
      expect_close(joined(job.read("/final")), golden_of(grid + "/" + boundary), 0);
    }
  }
}

// Blocks too: the strips' edges, and two results of each step, stay in memory.
TEST_P(HeatTypes, HaveTheSameBitsHoweverTheyAreRun) {
  Array strips = golden_of("tall/initial");
  strips.shape = {12, 40, 5};
  Job job = heat(strips, "", "{number: 0.2, steps: 6, boundary: periodic}");
  job.keep_for_collectives(100'000);
  for (const Way& way : some_ways(4)) job.expect_same(way);
  expect_close(joined(job.read("/final")), golden_of("tall/periodic"), 0);
}

TEST_P(HeatTypes, CarryNaNOnlyAsFarAsHeatGoes) {
  Job job =
      heat(golden_of("nan/initial"), "window: 3", "{number: 0.2, steps: 2, boundary: periodic}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  expect_close(joined(job.read("/final")), golden_of("nan/periodic"), 0);
}

TEST_P(HeatTypes, StayWithoutSteps) {
  const Array initial = golden_of("grid/initial");
  Job job = heat(initial, "window: 6", "{steps: 0}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_TRUE(joined(job.read("/final")) == initial);
}

INSTANTIATE_TEST_SUITE_P(Types, HeatTypes, ::testing::Values("f4", "f8"),
                         [](const auto& test) { return std::string(test.param); });

// A wave of the grid keeps its form; how much of it is left has a closed form.
TEST(Heat, WavesFade) {
  Job job =
      heat(golden("/wave/initial"), "window: 4", "{number: 0.15, steps: 20, boundary: periodic}");
  job.expect_same({3, 1, 0, false, Layout::plain});
  const auto found = values<double>(job.read("/final"));
  const auto wanted = values<double>(golden("/wave/final"));
  ASSERT_EQ(found.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(found[i], wanted[i], 1e-14);
}

TEST(Heat, OfIntegersIsOfDoubles) {
  Job job = heat(array_of<std::int32_t>("i4", {1, 3, 3}, {0, 0, 0, 0, 8, 0, 0, 0, 0}), "",
                 "{number: 0.25, steps: 1}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(values<double>(job.read("/final")), (std::vector<double>{0, 0, 0, 0, 0, 0, 0, 0, 0}));
}

TEST(Heat, OfNothingIsNothing) {
  Job job = heat(array_of<double>("f8", {0, 2, 3}, {}), "", "{steps: 2}");
  job.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(job.read("/final").shape, (std::vector<std::int64_t>{0, 2, 3}));
}

}  // namespace
}  // namespace kmap::test
