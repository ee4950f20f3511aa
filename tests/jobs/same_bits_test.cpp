// The content of a job's output is the same, bit for bit, at every number of ranks, of threads, at
// every run.memory, staged or not, however the file holds the inputs.

#include "jobs/job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>
#include <set>

namespace kmap::test {
namespace {

template <class T>
std::vector<T> random_values(std::int64_t count, double width) {
  std::mt19937_64 random(42);
  std::normal_distribution<double> normal(0, width);
  std::vector<T> values(static_cast<std::size_t>(count));
  for (T& value : values) value = static_cast<T>(normal(random));
  return values;
}

Array random_array(const std::string& type, std::vector<std::int64_t> shape, double width = 100) {
  const std::int64_t n =
      std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
  if (type == "f4") return array_of(type, std::move(shape), random_values<float>(n, width));
  if (type == "i4") return array_of(type, std::move(shape), random_values<std::int32_t>(n, width));
  if (type == "i8") return array_of(type, std::move(shape), random_values<std::int64_t>(n, width));
  return array_of(type, std::move(shape), random_values<double>(n, width));
}

void expect_same(Job& job, const std::vector<Way>& ways) {
  for (const Way& way : ways) job.expect_same(way);
}

TEST(Ways, AllPairsAreThere) {
  std::set<std::vector<int>> pairs;
  for (const Way& way : all_pairs(3)) {
    const int values[] = {way.ranks, way.threads, static_cast<int>(way.block_rows), way.staged,
                          static_cast<int>(way.layout)};
    for (int i = 0; i < 5; ++i) {
      for (int j = i + 1; j < 5; ++j) pairs.insert({i, values[i], j, values[j]});
    }
  }
  // 4 ranks, 2 threads, 3 blocks, 2 stagings, 3 layouts.
  EXPECT_EQ(pairs.size(),
            4 * 2 + 4 * 3 + 4 * 2 + 4 * 3 + 2 * 3 + 2 * 2 + 2 * 3 + 3 * 2 + 3 * 3 + 2 * 3);
}

TEST(SameBits, OfSquareOverThreeDimensions) {
  Job job("square", {{"x", random_array("i4", {11, 3, 5}), "", false}});
  expect_same(job, all_pairs(4));
  const auto x = random_values<std::int32_t>(11 * 3 * 5, 100);
  const auto y = values<std::int32_t>(job.read("/y"));
  ASSERT_EQ(y.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_EQ(y[i], x[i] * x[i]);
}

// Examples of several leaves, so that an order of summation would show.
TEST(SameBits, OfMoments) {
  Job job("moments", {{"x", random_array("f8", {10, 2500}, 1e6), "", false}});
  expect_same(job, all_pairs(3));
}

TEST(SameBits, OfSeveralInputsTwoOfThemWhole) {
  Job job("affine",
          {{"x", random_array("f8", {9, 7}), "", false},
           {"w", random_array("f8", {4}), "in_axis: null", true},
           {"b", array_of<double>("f8", {}, {0.5}), "in_axis: null", true}},
          "{factor: 1.5}");
  expect_same(job, all_pairs(2));
  EXPECT_EQ(job.read("/y").shape, (std::vector<std::int64_t>{9, 4}));
  EXPECT_EQ(job.read("/z").shape, (std::vector<std::int64_t>{9}));
  const auto x = random_values<double>(9 * 7, 100);
  const auto w = random_values<double>(4, 100);
  const auto y = values<double>(job.read("/y"));
  for (std::size_t i = 0; i < 9; ++i) {
    double sum = 0;
    for (std::size_t j = 0; j < 7; ++j) sum += x[7 * i + j];
    for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(y[4 * i + j], 1.5 * (w[j] * sum) + 0.5);
  }
}

TEST(SameBits, OfSeveralInputsAllMapped) {
  Job job("affine", {{"x", random_array("f4", {8, 2, 5}), "", false},
                     {"w", random_array("f4", {8, 2, 3}), "", false},
                     {"b", random_array("f4", {8, 2}), "", false}});
  expect_same(job, some_ways(2));
  EXPECT_EQ(job.read("/y").shape, (std::vector<std::int64_t>{8, 2, 3}));
}

TEST(SameBits, OfOutputsWithASizeOfTheirOwn) {
  Job job("comb", {{"x", random_array("f8", {9, 20}), "", false}}, "{parts: 3}", {"start"});
  expect_same(job, some_ways(2));
  EXPECT_EQ(job.read("/y").shape, (std::vector<std::int64_t>{9, 3}));
  EXPECT_EQ(values<double>(job.read("/start")), (std::vector<double>{0, 1.0 / 20, 2.0 / 20}));
}

// Longer than the pieces in which coordinates are written.
TEST(SameBits, OfALongCoordinate) {
  Job job("comb", {{"x", random_array("f8", {2, 1000}), "", false}}, "{parts: 70000}", {"start"});
  expect_same(job, {{3, 1, 1, false, Layout::plain}});
  const auto start = values<double>(job.read("/start"));
  ASSERT_EQ(start.size(), 70000U);
  for (std::size_t i = 0; i < start.size(); ++i) {
    EXPECT_EQ(start[i], static_cast<double>(i) / 1000);
  }
}

// Lines that vector instructions take in pieces: an element is the same in a whole piece and in a
// rest.
TEST(SameBits, OfHeavyTask) {
  Job job("heavy_task", {{"x", random_array("f4", {203}, 1e4), "", false}});
  expect_same(job, some_ways(5));
}

TEST(SameBits, OfLorenz) {
  Job job("lorenz", {{"initial", random_array("f8", {13, 3}, 10), "", false}}, "{steps: 200}");
  expect_same(job, some_ways(3));
}

// FFTW plans by rules: each process makes the same plan, for examples wherever they are.
TEST(SameBits, OfPeriodogram) {
  Job job("periodogram", {{"x", random_array("f8", {10, 1009}), "", false}}, "{taper: hann}",
          {"frequency"});
  expect_same(job, all_pairs(3));
  EXPECT_EQ(job.read("/power").shape, (std::vector<std::int64_t>{10, 505}));
}

TEST(SameBits, OfPeriodogramOfFloats) {
  Job job("periodogram", {{"x", random_array("f4", {9, 2, 360}), "", false}}, "{detrend: linear}",
          {"frequency"});
  expect_same(job, some_ways(2));
  EXPECT_EQ(job.read("/power").type, "f4");
}

TEST(SameBits, OfAKernelOfWholeBlocks) {
  Job job("turn", {{"x", random_array("f4", {9, 2, 6}), "", false}});
  expect_same(job, some_ways(2));
  const auto x = random_values<float>(9 * 2 * 6, 100);
  const auto y = values<float>(job.read("/y"));
  ASSERT_EQ(y.size(), x.size());
  for (std::size_t i = 0; i < x.size(); ++i)
    EXPECT_EQ(y[i], x[i / 6 * 6 + 5 - i % 6] - x[i / 6 * 6]);
}

TEST(SameBits, OfAKernelThatKnowsItsPlace) {
  Job job("place", {{"x", random_array("i8", {14, 2}), "", false}});
  expect_same(job, some_ways(3));
  const auto x = random_values<std::int64_t>(14 * 2, 100);
  const auto y = values<std::int64_t>(job.read("/y"));
  for (std::size_t i = 0; i < x.size(); ++i) {
    EXPECT_EQ(y[i], x[i] + 1000 * static_cast<std::int64_t>(i / 2) + 14'000'000);
  }
}

// ---- Collectives over the batch

TEST(SameBits, OfCollectives) {
  constexpr std::size_t length = 100;
  Job job("standing", {{"x", random_array("f8", {13, 2, length}), "", false}});
  job.keep_for_collectives(2500);
  expect_same(job, all_pairs(3));
  const auto x = random_values<double>(13 * 2 * length, 100);
  const auto y = values<double>(job.read("/y"));
  const auto smaller = values<std::int64_t>(job.read("/smaller"));
  ASSERT_EQ(y.size(), x.size());
  const auto at = [](const std::vector<double>& v, std::size_t i, std::size_t l, std::size_t t) {
    return v[(i * 2 + l) * length + t];
  };
  for (std::size_t l = 0; l < 2; ++l) {
    double mean[3] = {};
    double width = 0;
    for (std::size_t t = 0; t < 3; ++t) {
      for (std::size_t i = 0; i < 13; ++i) mean[t] += at(x, i, l, t) / 13;
      for (std::size_t i = 0; i < 13; ++i) width += std::abs(at(x, i, l, t) - mean[t]) / 13;
    }
    for (std::size_t i = 0; i < 13; ++i) {
      std::int64_t less = 0;
      for (std::size_t j = 0; j < 13; ++j) less += at(x, j, l, 0) < at(x, i, l, 0) ? 1 : 0;
      EXPECT_EQ(smaller[i * 2 + l], less);
      for (std::size_t t = 0; t < length; ++t) {
        const double wanted = (at(x, i, l, t) - mean[t % 3]) / width +
                              at(x, (i + 12) % 13, l, t % 3) - at(x, 0, l, t % 3);
        EXPECT_NEAR(at(y, i, l, t), wanted, 1e-9);
      }
    }
  }
}

// Several leaves of the tree of a sum, which ranks share; blocks get smaller to make room for the
// operands.
TEST(SameBits, OfASumOverManyRows) {
  Job job("standing", {{"x", random_array("f8", {2500, 30}, 1e6), "", false}});
  job.keep_for_collectives(2500 * 3 * 8 * 4);
  expect_same(job, {{1, 2, 0, false, Layout::plain},
                    {2, 1, 0, false, Layout::plain},
                    {3, 2, 100, false, Layout::chunked},
                    {4, 1, 1, true, Layout::plain}});
}

// A sum keeps leaves, not the operands of all rows: 1.6 MB of data in 160 kB.
TEST(SameBits, OfASumOverTenTimesTheMemory) {
  constexpr std::int64_t rows = 200'000;
  std::vector<double> x = random_values<double>(rows, 1e6);
  for (double& each : x) each = std::abs(each);
  Job job("fragile", {{"x", array_of<double>("f8", {rows}, x), "", false}});
  job.keep_for_collectives(80'000);
  expect_same(job, {{1, 1, 5000, false, Layout::plain},
                    {2, 2, 5000, false, Layout::plain},
                    {3, 1, 5000, false, Layout::plain},
                    {4, 1, 5000, false, Layout::plain}});
}

TEST(SameBits, OfCollectivesOfTeams) {
  Job job("team_total", {{"x", random_array("f8", {9, 40}), "", false}});
  job.keep_for_collectives(9 * 8 * 3);
  expect_same(job, some_ways(3));
  const auto x = random_values<double>(9 * 40, 100);
  const double sum = std::accumulate(x.begin(), x.end(), 0.0);
  for (const double y : values<double>(job.read("/y"))) EXPECT_NEAR(y, sum, 1e-9);
}

TEST(SameBits, OfCollectivesOverNoRowsOrFewerThanRanks) {
  Job none("standing", {{"x", random_array("f8", {0, 3}), "", false}});
  expect_same(none, {{3, 1, 0, false, Layout::plain}});
  Job two("standing", {{"x", random_array("f8", {2, 3}), "", false}});
  expect_same(two, {{4, 1, 0, false, Layout::plain}, {3, 2, 0, true, Layout::plain}});
}

// ---- Few rows

TEST(SameBits, WithMoreRanksThanRows) {
  Job job("moments", {{"x", random_array("f8", {2, 30}), "", false}});
  expect_same(job, {{3, 1, 0, false, Layout::plain}, {4, 1, 1, true, Layout::chunked}});
}

TEST(SameBits, OfOneRow) {
  Job job("place", {{"x", random_array("i8", {1, 4}), "", false}});
  expect_same(job, {{2, 1, 0, false, Layout::plain}, {4, 1, 1, true, Layout::big_endian}});
}

TEST(SameBits, OfNoRows) {
  Job job("moments", {{"x", random_array("f4", {0, 30}), "", false}});
  expect_same(job, {{1, 2, 0, true, Layout::plain}, {3, 1, 0, false, Layout::plain}});
  EXPECT_EQ(job.read("/mean").shape, (std::vector<std::int64_t>{0}));
  EXPECT_EQ(job.read("/max").type, "f4");
}

TEST(SameBits, OfNoRowsWithACoordinate) {
  Job job("comb", {{"x", random_array("f8", {0, 20}), "", false}}, "{}", {"start"});
  expect_same(job, {{3, 1, 0, false, Layout::plain}});
  EXPECT_EQ(job.read("/y").shape, (std::vector<std::int64_t>{0, 2}));
  EXPECT_EQ(values<double>(job.read("/start")), (std::vector<double>{0, 1.0 / 20}));
}

TEST(SameBits, OfNoRowsWithAWholeInput) {
  Job job("affine", {{"x", random_array("f8", {0, 7}), "", false},
                     {"w", random_array("f8", {4}), "in_axis: null", true},
                     {"b", random_array("f8", {0}), "", false}});
  expect_same(job, {{2, 1, 0, true, Layout::plain}});
  EXPECT_EQ(job.read("/y").shape, (std::vector<std::int64_t>{0, 4}));
}

// ---- Slices

struct SliceCase {
  const char* name;
  const char* slice;
  std::int64_t begin;
  std::int64_t end;
  Way way;
};

// A slice of the batch is a batch of its own: places count from its start.
class Slices : public ::testing::TestWithParam<SliceCase> {};

TEST_P(Slices, ArePartOfTheBatch) {
  const SliceCase& part = GetParam();
  const auto x = random_values<std::int64_t>(10, 100);
  Job job("place",
          {{"x", random_array("i8", {10}), std::string("slice: \"") + part.slice + "\"", false}});
  job.expect_same(part.way);
  const auto y = values<std::int64_t>(job.read("/y"));
  const std::int64_t length = part.end - part.begin;
  ASSERT_EQ(static_cast<std::int64_t>(y.size()), length);
  for (std::int64_t i = 0; i < length; ++i) {
    EXPECT_EQ(y[static_cast<std::size_t>(i)],
              x[static_cast<std::size_t>(part.begin + i)] + 1000 * i + 1'000'000 * length);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Slices,
    ::testing::Values(
        SliceCase{"middle", "2:7", 2, 7, {1, 1, 2, false, Layout::chunked}},
        SliceCase{"from_the_end", "-4:", 6, 10, {3, 1, 1, false, Layout::plain}},
        SliceCase{"all_but_the_last", ":-1", 0, 9, {2, 2, 3, true, Layout::big_endian}},
        SliceCase{"beyond_the_end", "3:100", 3, 10, {4, 1, 1, false, Layout::chunked}},
        SliceCase{"nothing", "5:5", 5, 5, {2, 1, 0, false, Layout::plain}}),
    [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace kmap::test
