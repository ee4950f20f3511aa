// What people read: numbers, the plan, the summary.

#include "report/json_report.hpp"
#include "report/plan_text.hpp"
#include "report/progress.hpp"
#include "report/summary.hpp"
#include "report/text.hpp"
#include "unit/plan/kernels.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

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
      "gzip, read as f8, axis 0 mapped, 0 to 999\n"
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
  EXPECT_THAT(text, HasSubstr(" f8 (1,), contiguous, axis 0 mapped\n"));
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

TEST(PlanText, WindowsStepsAndAxes) {
  const auto windows =
      job_of("spectrum", {"x"}, {"inputs.x.window={size: 10, stride: 4}", "inputs.x.slice=1:"});
  EXPECT_THAT(text_of(windows, {doubles("x", {100})}),
              HasSubstr(", axis 0 mapped in windows of 10 every 4 from 4 on\n"));
  const auto steps = job_of("scale", {"x"}, {"inputs.x.in_axis=-1", "inputs.x.slice=::-2"});
  EXPECT_THAT(text_of(steps, {doubles("x", {3, 9})}),
              HasSubstr(", axis 1 mapped, every -2 from 8 on\n"));
}

TEST(DetailsText, OfADryRun) {
  const auto job = job_of("spectrum", {"x"}, {"params.pad=2"});
  const plan::Plan plan = plan_of(job, {doubles("x", {1000, 64})});
  io::OutputState state;
  EXPECT_EQ(report::details_text(job, plan, state),
            "  one example\n"
            "    of x: (t=64), f8\n"
            "    of power: (f=34), f4\n"
            "    of frequency: (t=64), f8\n"
            "  disk   632.81 KiB needed\n"
            "  there  no /data/out.h5 yet\n");
  state = {true, 2048, true, std::int64_t{3} << 30};
  EXPECT_THAT(report::details_text(job, plan, state),
              HasSubstr("  disk   632.81 KiB needed, 3.00 GiB free\n"
                        "  there  /data/out.h5 exists, 2.00 KiB, and a .part that another run left "
                        "or is writing\n"));
  const auto norm = job_of("norm", {"x"});
  EXPECT_THAT(report::details_text(norm, plan_of(norm, {doubles("x", {5, 3, 4})}), {}),
              HasSubstr("    of x: 12 values, f8\n    of y: one value, f8\n"));
}

report::RunRecord record_of(double seconds, const std::vector<run::RankTimes>& times) {
  report::RunRecord record;
  record.seconds = seconds;
  for (const run::RankTimes& rank : times) {
    record.ranks.push_back({"node" + std::to_string(record.ranks.size()), 2, -1, rank.rows,
                            std::int64_t{64} << 20, rank});
  }
  return record;
}

TEST(SummaryText, SaysWhatWasDone) {
  const auto job = job_of("scale", {"x"});
  const plan::Plan plan = plan_of(job, {doubles("x", {1000, 50})}, {2, 1 << 30, false});
  const auto record = record_of(2, {{0.1, 1, 2e-4, 0.3, 500}, {0.3, 1.5, 4e-4, 0, 500}});
  EXPECT_EQ(report::summary_text(job, plan, record),
            "done   50 000 examples, 390.62 KiB read, 390.62 KiB written, in 2.00 s\n"
            "       2.5e+04 examples/s, 390.62 KiB/s\n"
            "  stage     least       mean       most (over ranks)\n"
            "  read       100 ms     200 ms     300 ms\n"
            "  map        1.00 s     1.25 s     1.50 s\n"
            "  write      200 us     300 us     400 us\n"
            "  wait         0 us     150 ms     300 ms\n"
            "  memory  64.00 MiB  64.00 MiB  64.00 MiB\n"
            "slow   rank 1 on node1 worked for 1.80 s, the others for 1.10 s on average\n"
            "wrote  /data/out.h5\n");
}

TEST(SummaryText, OfNothing) {
  const auto job = job_of("scale", {"x"});
  const plan::Plan plan = plan_of(job, {doubles("x", {0})});
  EXPECT_THAT(
      report::summary_text(job, plan, record_of(0, {{}})),
      HasSubstr("done   0 examples, 0 B read, 0 B written, in 0 us\n       0 examples/s, 0 B"));
}

TEST(SlowRank, IsOneThatOthersWaitedFor) {
  EXPECT_EQ(report::slow_rank(record_of(10, {{1, 5, 1}})), -1) << "alone";
  EXPECT_EQ(report::slow_rank(record_of(10, {{1, 5, 1}, {1, 6, 1}})), -1) << "a little";
  EXPECT_EQ(report::slow_rank(record_of(10, {{1, 5, 1}, {1, 9, 1}, {1, 5, 1}})), 1);
  EXPECT_EQ(report::slow_rank(record_of(10, {{0, 1e-3, 0}, {0, 9e-3, 0}})), -1) << "of nothing";
}

// ---- Progress

TEST(Progress, Bar) {
  const report::Moment moment = {420, 1000, 1 << 20, 21};
  EXPECT_EQ(report::progress_bar(moment, 100),
            "[############..................]  42 %  29.00 s left, 420 of 1 000 rows, 20.00 MiB/s");
  EXPECT_EQ(report::progress_bar({0, 5, 8, 1}, 80),
            "[..............................]   0 %  0 of 5 rows");
  EXPECT_EQ(report::progress_bar({5, 5, 8, 1}, 40), "[############] 100 %  0 us left, 40 B/s");
}

TEST(Progress, BarFitsAnyWidth) {
  for (int width = 0; width < 120; ++width) {
    const std::string bar = report::progress_bar({123456, 9999999, 1e6, 1234.5}, width);
    EXPECT_LE(static_cast<int>(bar.size()), width) << bar;
  }
}

TEST(Progress, Line) {
  EXPECT_EQ(report::progress_line({0, 5, 8, 2}), "progress  0 %, 0 of 5 rows, 2.00 s so far");
  EXPECT_EQ(report::progress_line({420, 1000, 1 << 20, 21}),
            "progress  42 %, 420 of 1 000 rows, 20.00 MiB/s, 21.00 s so far, about 29.00 s left");
}

TEST(Progress, LinesComeAtGrowingIntervals) {
  std::vector<double> times = {0};
  while (times.back() < 4000) times.push_back(report::next_line(times.back(), 600));
  EXPECT_EQ(times, (std::vector<double>{0, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 1624, 2224,
                                        2824, 3424, 4024}));
  EXPECT_EQ(report::next_line(100, 1), 101);
  EXPECT_EQ(report::next_line(0, 0.5), 0.5);
}

// ---- The report for programs

TEST(JsonReport, HasAllOfTheRun) {
  const auto job = job_of("spectrum", {"x"}, {"inputs.x.slice=0:999"});
  const plan::Plan plan = plan_of(job, {doubles("x", {1000, 64})}, {2, 1 << 30, false});
  const auto record = record_of(2, {{0.1, 1, 0.2, 0.3, 500}, {0.3, 1.5, 0.4, 0, 499}});
  const report::Provenance provenance = {{{"kernel", "spectrum"}, {"ranks", std::int64_t{2}}},
                                         {{"pad", std::int64_t{0}}},
                                         {{"x", {{"file", "/data/in.h5"}}}}};
  report::ReportContent content;
  content.job_file = "job.yaml";
  content.job = &job;
  content.plan = &plan;
  content.provenance = &provenance;
  content.record = &record;
  content.warnings = {"cores are shared"};
  const auto json = nlohmann::json::parse(report::json_report(content));
  EXPECT_EQ(json["format"], "kmap-report");
  EXPECT_EQ(json["version"], 1);
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["config"]["file"], "job.yaml");
  EXPECT_THAT(json["config"]["resolved"].get<std::string>(), HasSubstr("kernel: spectrum\n"));
  EXPECT_EQ(json["output"], "/data/out.h5");
  EXPECT_EQ(json["warnings"], nlohmann::json({"cores are shared"}));
  EXPECT_EQ(json["plan"]["rows"], 999);
  EXPECT_EQ(json["plan"]["rows_per_rank"], nlohmann::json({499, 500}));
  EXPECT_EQ(json["plan"]["inputs"][0]["rows"]["first"], 0);
  EXPECT_EQ(json["plan"]["outputs"][0]["shape"], nlohmann::json({999, 33}));
  EXPECT_EQ(json["result"]["seconds"], 2.0);
  EXPECT_EQ(json["result"]["examples_per_second"], 499.5);
  EXPECT_DOUBLE_EQ(json["result"]["stages"]["map_seconds"]["mean"].get<double>(), 1.25);
  EXPECT_EQ(json["result"]["slow_rank"], 1);
  EXPECT_EQ(json["result"]["ranks"][1]["rows"], 499);
  EXPECT_EQ(json["provenance"]["params"]["pad"], 0);
  EXPECT_EQ(json["provenance"]["inputs"]["x"]["file"], "/data/in.h5");
  EXPECT_FALSE(json.contains("error"));
}

TEST(JsonReport, OfARunThatFailed) {
  report::ReportContent content;
  content.job_file = "j\xff.yaml";
  content.failure = detail::Failure{ExitCode::bad_config, "no kernel"};
  const auto json = nlohmann::json::parse(report::json_report(content));
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["error"]["exit_code"], 78);
  EXPECT_EQ(json["error"]["message"], "no kernel");
  EXPECT_FALSE(json.contains("result"));
}

}  // namespace
}  // namespace kmap::test
