#include "commands.hpp"
#include "config/load.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "io/output_place.hpp"
#include "plan/bind_kernel.hpp"
#include "plan/plan.hpp"
#include "rank_facts.hpp"
#include "report/diagnosis.hpp"
#include "report/json_report.hpp"
#include "report/plan_text.hpp"
#include "report/progress.hpp"
#include "report/provenance.hpp"
#include "report/record.hpp"
#include "report/summary.hpp"
#include "run/coordinates.hpp"
#include "run/run_plan.hpp"
#include "runtime/colour.hpp"
#include "runtime/memory.hpp"

#include "kmap/detail/profiling.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kmap::driver {

namespace {

void print(const Communicator& comm, const std::string& text) {
  if (!comm.is_root()) return;
  fmt::print("{}", text);
  std::fflush(stdout);
}

io::IfExists if_exists(const config::JobConfig& job, const CommandLine& line) {
  return line.overwrite || job.if_exists == config::IfExists::overwrite ? io::IfExists::overwrite
                                                                        : io::IfExists::error;
}

// The output takes its own name at the end and NAME.part until then; neither may be a file that the
// job reads.
void refuse_to_replace(const std::filesystem::path& file, const std::string& what,
                       const config::JobConfig& job) {
  std::error_code error;
  std::filesystem::path target = std::filesystem::weakly_canonical(job.output_file, error);
  if (error) target = job.output_file;
  for (const char* suffix : {"", ".part"}) {
    target += suffix;
    if (!io::same_file(file, target)) continue;
    throw ConfigError(fmt::format("{}: outputs.file: {} is {}",
                                  config::to_string(job.output_location), target.string(), what),
                      "write to another file: what the job reads is never changed");
  }
}

void refuse_output_that_is_read(const config::JobConfig& job, const std::string& job_file) {
  refuse_to_replace(job_file, "this run config", job);
  for (const auto& [name, input] : job.inputs) {
    refuse_to_replace(input.file, "the file of input " + name, job);
  }
}

void refuse_report_in_place_of(const std::filesystem::path& file, const std::string& what,
                               const std::string& report) {
  if (!io::same_file(file, report)) return;
  throw Error(ExitCode::usage, fmt::format("--report {} is {}", report, what),
              "write the report to another file");
}

void refuse_report_of_the_job(const config::JobConfig& job, const CommandLine& line) {
  if (line.report.empty()) return;
  refuse_report_in_place_of(line.job, "this run config", line.report);
  refuse_report_in_place_of(job.output_file, "the output of the job", line.report);
  for (const auto& [name, input] : job.inputs) {
    refuse_report_in_place_of(input.file, "the file of input " + name, line.report);
  }
}

std::vector<io::InputDataset> open_inputs(const Communicator& comm, const config::JobConfig& job,
                                          const KernelInfo& kernel) {
  std::vector<io::InputDataset> inputs;
  for (const OperandInfo& operand : kernel.inputs) {
    const config::InputConfig& given = job.inputs.at(operand.name);
    inputs.emplace_back(comm, given.file, given.dataset, given.in_axis.axis);
  }
  return inputs;
}

// Without run.memory a rank takes a quarter of its share of the node's memory; the smallest share
// holds for all ranks, so that all take the same blocks.
std::int64_t memory_of_rank(const Runtime& runtime, const config::JobConfig& job) {
  if (job.memory) return *job.memory;
  const std::int64_t share = detail::node_memory() / 4 / runtime.placement().node_size;
  return -runtime.comm().max(-share);
}

plan::Plan plan_job(const Runtime& runtime, const config::JobConfig& job,
                    const plan::BoundKernel& kernel, const std::vector<io::InputDataset>& inputs) {
  const plan::Resources resources = {runtime.comm().size(), memory_of_rank(runtime, job),
                                     run::is_staged(job.staging)};
  std::vector<io::DatasetInfo> datasets;
  for (const io::InputDataset& input : inputs) datasets.push_back(input.info());
  return agreed(runtime.comm(), [&] { return plan::make_plan(job, kernel, datasets, resources); });
}

double bytes_per_row(const plan::Plan& plan) {
  const auto bytes = static_cast<double>(report::bytes_read(plan) + report::bytes_written(plan));
  return plan.rows == 0 ? 0 : bytes / static_cast<double>(plan.rows);
}

// What a run has found and done so far, for its report.
struct Outcome {
  std::vector<std::string> warnings;
  std::optional<config::JobConfig> job;
  std::optional<plan::Plan> plan;
  std::optional<report::Provenance> provenance;
  std::optional<report::RunRecord> record;
};

run::RankTimes map_rows(const Runtime& runtime, const CommandLine& line, const Outcome& outcome,
                        run::Job& work, io::OutputFile& file, const std::vector<int>& datasets) {
  const plan::Plan& plan = *outcome.plan;
  const bool shows = runtime.comm().is_root();
  report::Progress progress(
      shows ? report::progress_style(line.quiet) : report::ProgressStyle::none, plan.rows,
      bytes_per_row(plan), outcome.job->progress);
  return work.run(file, datasets, [&](std::int64_t rows) { progress.set_done(rows); });
}

// Makes the datasets of the outputs and writes all but their rows. Returns their numbers.
std::vector<int> describe_outputs(const Runtime& runtime, Outcome& outcome, io::OutputFile& file) {
  const detail::Region region("kmap:write");
  const plan::Plan& plan = *outcome.plan;
  std::vector<int> datasets;
  for (const plan::OutputPlan& output : plan.outputs) {
    datasets.push_back(file.create_dataset(output.path, output.stored, output.shape));
  }
  const std::vector<int> coordinates = run::create_coordinates(plan, file);
  outcome.provenance = report::collect_provenance(runtime, plan);
  report::write_provenance(file, *outcome.provenance, *outcome.job);
  run::write_coordinates(runtime.comm(), plan, file, coordinates);
  return datasets;
}

void finish(const Communicator& comm, io::OutputFile& file) {
  const detail::Region region("kmap:write");
  file.write_attribute("/kmap", "finished", comm.broadcast(report::utc_now()));
  file.commit();
}

run::RankTimes execute(const Runtime& runtime, const CommandLine& line, Outcome& outcome,
                       const std::vector<io::InputDataset>& inputs) {
  const config::JobConfig& job = *outcome.job;
  run::Job work(runtime.comm(), *outcome.plan, inputs);
  io::OutputFile file(runtime.comm(), job.output_file, if_exists(job, line));
  const std::vector<int> datasets = describe_outputs(runtime, outcome, file);
  const run::RankTimes times = map_rows(runtime, line, outcome, work, file, datasets);
  finish(runtime.comm(), file);
  return times;
}

// Warnings are said although the run goes on, quiet or not. On rank 0.
void show_warning(const report::Finding& finding, Outcome& outcome) {
  const bool coloured = detail::use_colours(STDERR_FILENO);
  outcome.warnings.push_back(finding.what + "; " + finding.remedy);
  fmt::print(stderr, "kmap: {} {}\n  {} {}\n", detail::warning_colour("warning:", coloured),
             finding.what, detail::remedy_colour("remedy:", coloured), finding.remedy);
}

// Of what is wrong with where the ranks run.
void warn(const Runtime& runtime, Outcome& outcome) {
  const std::vector<report::RankFacts> facts =
      report::gather_facts(runtime.comm(), own_facts(runtime));
  if (!runtime.comm().is_root()) return;
  for (const report::Finding& finding : report::find_rank_problems(facts)) {
    show_warning(finding, outcome);
  }
}

// A slice beyond the end is no mistake for NumPy, but seldom what was meant.
void warn_if_nothing_is_taken(const Communicator& comm, Outcome& outcome) {
  if (outcome.plan->rows > 0 || !comm.is_root()) return;
  for (const plan::InputPlan& input : outcome.plan->inputs) {
    if (input.replicated || input.dataset.shape[input.rows.axis] == 0) continue;
    report::Finding finding = {false,
                               fmt::format("nothing of input {} is taken: {}:{} of shape {} has "
                                           "rows, but the slice has none of them",
                                           input.name, input.dataset.file, input.dataset.dataset,
                                           to_string(input.dataset.shape)),
                               fmt::format("correct inputs.{}.slice", input.name)};
    show_warning(finding, outcome);
  }
}

// Says what a run would do, and fails as it would if it cannot even begin.
void show_dry_run(const Communicator& comm, const CommandLine& line, const Outcome& outcome,
                  const std::vector<io::InputDataset>& inputs) {
  const config::JobConfig& job = *outcome.job;
  print(comm, report::details_text(job, *outcome.plan, io::look_at_output(job.output_file)));
  io::probe_output(comm, job.output_file, if_exists(job, line));
  on_root(comm,
          [&] { io::check_free_space(job.output_file, report::bytes_written(*outcome.plan)); });
  plan::Plan first_row = *outcome.plan;
  first_row.block_rows = 1;
  const run::Job work(comm, first_row, inputs);
}

// Checks the job and plans it; says what is doubtful. Returns the inputs.
std::vector<io::InputDataset> plan_run(const Runtime& runtime, const CommandLine& line,
                                       Outcome& outcome) {
  const detail::Region region("kmap:plan");
  const Communicator& comm = runtime.comm();
  outcome.job = config::load(comm, line.job, line.overrides, plan::check_kernel);
  const config::JobConfig& job = *outcome.job;
  const plan::BoundKernel kernel = agreed(comm, [&] { return plan::bind_kernel(job); });
  agreed(comm, [&] {
    refuse_report_of_the_job(job, line);
    refuse_output_that_is_read(job, line.job);
  });
  if (!line.dry_run) io::check_output(comm, job.output_file, if_exists(job, line));
  std::vector<io::InputDataset> inputs = open_inputs(comm, job, *kernel.info);
  outcome.plan = plan_job(runtime, job, kernel, inputs);
  warn(runtime, outcome);
  warn_if_nothing_is_taken(comm, outcome);
  return inputs;
}

void show_plan(const Runtime& runtime, const Outcome& outcome) {
  const detail::Region region("kmap:report");
  print(runtime.comm(), report::plan_text(*outcome.job, *outcome.plan, runtime.placement()));
}

void show_summary(const Runtime& runtime, const CommandLine& line, const run::RankTimes& mine,
                  double seconds, Outcome& outcome) {
  const detail::Region region("kmap:report");
  const Communicator& comm = runtime.comm();
  outcome.record = report::gather_record(comm, runtime.placement(), mine, seconds);
  if (line.quiet) return;
  print(comm, report::summary_text(*outcome.job, *outcome.plan, *outcome.record));
}

void run_job(const Runtime& runtime, const CommandLine& line, Outcome& outcome) {
  const auto start = std::chrono::steady_clock::now();
  const std::vector<io::InputDataset> inputs = plan_run(runtime, line, outcome);
  // A dry run has nothing else to say.
  if (!line.quiet || line.dry_run) show_plan(runtime, outcome);
  if (line.dry_run) return show_dry_run(runtime.comm(), line, outcome, inputs);
  const run::RankTimes mine = execute(runtime, line, outcome, inputs);
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  show_summary(runtime, line, mine, seconds.count(), outcome);
}

report::ReportContent content_of(const CommandLine& line, const Outcome& outcome) {
  report::ReportContent content;
  content.job_file = line.job;
  content.warnings = outcome.warnings;
  if (outcome.job) content.job = &*outcome.job;
  if (outcome.plan) content.plan = &*outcome.plan;
  if (outcome.provenance) content.provenance = &*outcome.provenance;
  if (outcome.record) content.record = &*outcome.record;
  return content;
}

// The run's own error is the one that people must see: what goes wrong here is not shown.
void report_failure(const Communicator& comm, const CommandLine& line, const Outcome& outcome,
                    const Error& error) {
  const bool is_possible = error.code() != ExitCode::usage;  // the file may be one of the job
  if (line.report.empty() || !is_possible || !error.agreed() || !comm.is_root()) return;
  report::ReportContent content = content_of(line, outcome);
  content.failure = detail::Failure{error.code(), error.what()};
  try {
    report::write_report(line.report, report::json_report(content));
  } catch (const std::exception&) {
    return;
  }
}

}  // namespace

ExitCode run(const Runtime& runtime, const CommandLine& line) {
  const Communicator& comm = runtime.comm();
  if (!line.report.empty()) on_root(comm, [&] { report::check_report_place(line.report); });
  Outcome outcome;
  try {
    run_job(runtime, line, outcome);
  } catch (const Error& error) {
    report_failure(comm, line, outcome, error);
    throw;
  }
  if (!line.report.empty()) {
    const detail::Region region("kmap:report");
    on_root(comm, [&] {
      report::write_report(line.report, report::json_report(content_of(line, outcome)));
    });
  }
  return ExitCode::ok;
}

}  // namespace kmap::driver
