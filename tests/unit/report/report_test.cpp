// What people read: numbers, the plan, the summary.

#include "report/plan_text.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "unit/plan/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Text, Bytes) {
  EXPECT_EQ(report::bytes_text(0), "0 B");
  EXPECT_EQ(report::bytes_text(1023), "1023 B");
  EXPECT_EQ(report::bytes_text(1024), "1.00 KiB");
  EXPECT_EQ(report::bytes_text(1536), "1.50 KiB");
  EXPECT_EQ(report::bytes_text(std::int64_t{5} << 30), "5.00 GiB");
  EXPECT_EQ(report::bytes_text(std::int64_t{1} << 62), "4096.00 PiB");
}

TEST(Text, Counts) {
  EXPECT_EQ(report::count_text(0), "0");
  EXPECT_EQ(report::count_text(999), "999");
  EXPECT_EQ(report::count_text(1000), "1 000");
  EXPECT_EQ(report::count_text(1234567), "1 234 567");
  EXPECT_EQ(report::count_text(-1234), "-1 234");
  EXPECT_EQ(report::count_text(INT64_MAX), "9 223 372 036 854 775 807");
}

TEST(Text, Seconds) {
  EXPECT_EQ(report::seconds_text(0), "0 us");
  EXPECT_EQ(report::seconds_text(1.5e-7), "0.15 us");
  EXPECT_EQ(report::seconds_text(0.000999), "999 us");
  EXPECT_EQ(report::seconds_text(0.045), "45 ms");
  EXPECT_EQ(report::seconds_text(0.9996), "1.00 s");
  EXPECT_EQ(report::seconds_text(12.345), "12.35 s");
  EXPECT_EQ(report::seconds_text(99.999), "100.00 s");
  EXPECT_EQ(report::seconds_text(100), "1 min 40 s");
  EXPECT_EQ(report::seconds_text(605), "10 min 05 s");
  EXPECT_EQ(report::seconds_text(3599.9), "59 min 59 s");
  EXPECT_EQ(report::seconds_text(7500), "2 h 05 min");
  EXPECT_EQ(report::seconds_text(360000), "100 h 00 min");
}

// Columns of ten characters hold them.
TEST(Text, SecondsBelowAMinuteAreShort) {
  for (double seconds = 1e-9; seconds < 60; seconds *= 1.07) {
    EXPECT_LE(report::seconds_text(seconds).size(), 10u) << seconds;
    EXPECT_THAT(report::seconds_text(seconds), Not(HasSubstr("e+")));
  }
}

std::string text_of(const config::JobConfig& job, const std::vector<io::DatasetInfo>& datasets,
                    const plan::Resources& resources = {1, 1 << 30, false}) {
  Placement placement;
  placement.threads = 2;
  placement.backend = "OpenMP";
  return report::plan_text(job, plan_of(job, datasets, resources), placement);
}

TEST(PlanText, SaysAllThatWillHappen) {
  io::DatasetInfo x = dataset("x", DType::i4, {1000, 64});
  x.stored_type = "big-endian i4";
  x.chunk = {100, 64};
  x.filters = {"shuffle", "gzip"};
  const auto job =
      job_of("spectrum", {"x"},
             {"inputs.x.slice=0:999", "params.pad=2", "outputs.datasets.frequency.dtype=f4"});
  EXPECT_EQ(
      text_of(job, {x}, {2, 100'000, true}),
      "kernel spectrum: two outputs  (t)->(f),(t)\n"
      "  params pad=2\n"
      "  input  x: /data/in.h5:/x  big-endian i4 (1000, 64), chunks of (100, 64), shuffle, "
      "gzip, read as f8, rows 0 to 999\n"
      "  output power: /data/out.h5:/power  f4 (999, 34), 132.68 KiB\n"
      "  output frequency: /data/out.h5:/frequency  f4 (999, 64), 249.75 KiB, computed as f8\n"
      "  map    999 rows over 2 ranks with 2 threads on OpenMP (staged through the host), 499 "
      "or 500 rows each\n"
      "  blocks 12 per rank of up to 43 rows, 97.42 KiB of memory of 97.66 KiB allowed\n");
}

TEST(PlanText, Coordinates) {
  const auto job = job_of("graded", {"x"}, {"outputs.datasets.frequency.dtype=f4"});
  EXPECT_THAT(text_of(job, {doubles("x", {10, 64})}),
              HasSubstr("  output smooth: /data/out.h5:/smooth  f8 (10, 64), 5.00 KiB\n"
                        "  output frequency: /data/out.h5:/frequency  f4 (32,), 128 B, once: "
                        "along f in Hz\n"
                        "  output zero: /data/out.h5:/zero  f8 (64,), 512 B, once: along t\n"
                        "  map  "));
}

TEST(PlanText, OneOfEach) {
  const std::string text = text_of(job_of("scale", {"x"}), {doubles("x", {1})});
  EXPECT_THAT(text,
              HasSubstr("\n  map    1 row over 1 rank with 2 threads on OpenMP, 1 row each\n"));
  EXPECT_THAT(text, HasSubstr("\n  blocks 1 per rank of up to 1 row, 16 B of memory of 1.00 GiB "));
  EXPECT_THAT(text, HasSubstr(" f8 (1,), contiguous\n"));
  EXPECT_THAT(text, HasSubstr("  params count=3, factor=2, flip=false, level=1, mode=plain\n"));
}

TEST(PlanText, RowsOfSeveralExamplesAndInputsThatGoWhole) {
  const auto job = job_of("apply", {"x", "matrix"}, {"inputs.matrix.in_axis=null"});
  const std::string text =
      text_of(job, {doubles("x", {1'000'000, 3}), doubles("matrix", {3, 4})}, {3, 1 << 20, false});
  EXPECT_THAT(text,
              HasSubstr("  input  matrix: /data/in.h5:/matrix  f8 (3, 4), contiguous, whole to "
                        "every example\n"));
  EXPECT_THAT(text, HasSubstr("  map    1 000 000 rows of (3,) examples over 3 ranks "));
  EXPECT_THAT(text, HasSubstr(", 333 333 or 333 334 rows each\n"));
  EXPECT_THAT(text, Not(HasSubstr("params"))) << "apply has none";
}

TEST(SummaryText, SaysWhatWasDone) {
  const auto job = job_of("scale", {"x"});
  const plan::Plan plan = plan_of(job, {doubles("x", {1000, 50})}, {4, 1 << 30, false});
  const report::RunTimes times = {2, {0.1, 0.2, 0.3}, {1, 1.25, 1.5}, {2e-4, 3e-4, 4e-4}, {}};
  EXPECT_EQ(report::summary_text(job, plan, times),
            "done   50 000 examples, 781.25 KiB read and written, in 2.00 s\n"
            "       2.5e+04 examples/s, 390.62 KiB/s\n"
            "  stage     least       mean       most (over ranks)\n"
            "  read       100 ms     200 ms     300 ms\n"
            "  map        1.00 s     1.25 s     1.50 s\n"
            "  write      200 us     300 us     400 us\n"
            "  wait         0 us       0 us       0 us\n"
            "wrote  /data/out.h5\n");
}

TEST(SummaryText, OfNothing) {
  const auto job = job_of("scale", {"x"});
  const plan::Plan plan = plan_of(job, {doubles("x", {0})});
  EXPECT_THAT(
      report::summary_text(job, plan, {}),
      HasSubstr("done   0 examples, 0 B read and written, in 0 us\n       0 examples/s, 0 B"));
}

}  // namespace
}  // namespace kmap::test
