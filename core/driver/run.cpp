#include "commands.hpp"
#include "config/load.hpp"
#include "io/input.hpp"
#include "io/output.hpp"
#include "plan/bind_kernel.hpp"
#include "plan/plan.hpp"
#include "report/plan_text.hpp"
#include "report/provenance.hpp"
#include "report/summary.hpp"
#include "run/coordinates.hpp"
#include "run/run_plan.hpp"
#include "runtime/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
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

std::vector<io::InputDataset> open_inputs(const Communicator& comm, const config::JobConfig& job,
                                          const KernelInfo& kernel) {
  std::vector<io::InputDataset> inputs;
  for (const OperandInfo& operand : kernel.inputs) {
    const config::InputConfig& given = job.inputs.at(operand.name);
    inputs.emplace_back(comm, given.file, given.dataset);
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

run::RankTimes execute(const Runtime& runtime, const config::JobConfig& job, const plan::Plan& plan,
                       const std::vector<io::InputDataset>& inputs, io::IfExists exists) {
  io::OutputFile file(runtime.comm(), job.output_file, exists);
  std::vector<int> datasets;
  for (const plan::OutputPlan& output : plan.outputs) {
    datasets.push_back(file.create_dataset(output.path, output.stored, output.shape));
  }
  const std::vector<int> coordinates = run::create_coordinates(plan, file);
  report::write_provenance(file, runtime, job, plan);
  run::write_coordinates(runtime.comm(), plan, file, coordinates);
  const run::RankTimes times = run::run_plan(runtime.comm(), plan, inputs, file, datasets);
  file.write_attribute("/kmap", "finished", runtime.comm().broadcast(report::utc_now()));
  file.commit();
  return times;
}

}  // namespace

ExitCode run(const Runtime& runtime, const CommandLine& line) {
  const auto start = std::chrono::steady_clock::now();
  const Communicator& comm = runtime.comm();
  const config::JobConfig job = config::load(comm, line.job, line.overrides);
  const plan::BoundKernel kernel = agreed(comm, [&] { return plan::bind_kernel(job); });
  agreed(comm, [&] { refuse_output_that_is_read(job, line.job); });
  if (!line.dry_run) io::check_output(comm, job.output_file, if_exists(job, line));
  const std::vector<io::InputDataset> inputs = open_inputs(comm, job, *kernel.info);
  const plan::Plan plan = plan_job(runtime, job, kernel, inputs);
  print(comm, report::plan_text(job, plan, runtime.placement()));
  if (line.dry_run) return ExitCode::ok;
  const run::RankTimes mine = execute(runtime, job, plan, inputs, if_exists(job, line));
  const std::chrono::duration<double> total = std::chrono::steady_clock::now() - start;
  print(comm, report::summary_text(job, plan, report::gather_times(comm, mine, total.count())));
  return ExitCode::ok;
}

}  // namespace kmap::driver
