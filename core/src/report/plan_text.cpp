#include "report/plan_text.hpp"

#include "report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kmap::report {

namespace {

std::string storage_text(const io::DatasetInfo& dataset) {
  if (dataset.chunk.empty()) return "contiguous";
  std::string text = "chunks of " + to_string(dataset.chunk);
  if (!dataset.filters.empty()) text += fmt::format(", {}", fmt::join(dataset.filters, ", "));
  return text;
}

std::string input_line(const plan::InputPlan& input) {
  const io::DatasetInfo& dataset = input.dataset;
  std::string line =
      fmt::format("  input  {}: {}:{}  {} {}, {}", input.name, dataset.file, dataset.dataset,
                  dataset.stored_type, to_string(dataset.shape), storage_text(dataset));
  if (input.type != dataset.dtype) line += fmt::format(", read as {}", name(input.type));
  if (input.replicated) {
    line += ", whole to every example";
  } else if (input.rows.size() != dataset.shape.front()) {
    line += fmt::format(", rows {} to {}", input.rows.begin, input.rows.end);
  }
  return line + "\n";
}

std::string output_line(const config::JobConfig& job, const plan::OutputPlan& output) {
  std::string line = fmt::format("  output {}: {}:{}  {} {}, {}", output.name,
                                 job.output_file.string(), output.path, name(output.stored),
                                 to_string(output.shape), bytes_text(output.whole_bytes));
  if (output.stored != output.type) line += fmt::format(", computed as {}", name(output.type));
  return line + "\n";
}

std::string coordinate_line(const config::JobConfig& job, const plan::CoordinatePlan& coordinate) {
  const bool has_unit = !coordinate.unit.empty() && coordinate.unit != "1";
  return fmt::format("  output {}: {}:{}  {} {}, {}, once: along {}{}\n", coordinate.name,
                     job.output_file.string(), coordinate.path, name(coordinate.stored),
                     to_string(coordinate.shape), bytes_text(coordinate.bytes), coordinate.dim,
                     has_unit ? " in " + coordinate.unit : "");
}

std::string params_line(const plan::BoundKernel& kernel) {
  if (kernel.values.empty()) return "";
  std::vector<std::string> texts;
  for (const auto& [name, value] : kernel.values) {
    texts.push_back(name + "=" +
                    std::visit([](const auto& v) { return fmt::format("{}", v); }, value));
  }
  return fmt::format("  params {}\n", fmt::join(texts, ", "));
}

std::string rows_text(std::int64_t rows) {
  return count_text(rows) + (rows == 1 ? " row" : " rows");
}

std::string shards_text(const plan::Plan& plan) {
  const std::int64_t longest = plan.shard(0).size();
  const std::int64_t shortest = plan.shard(plan.resources.ranks - 1).size();
  return longest == shortest ? rows_text(longest)
                             : fmt::format("{} or {}", count_text(shortest), rows_text(longest));
}

}  // namespace

std::string plan_text(const config::JobConfig& job, const plan::Plan& plan,
                      const Placement& placement) {
  std::string text = fmt::format("kernel {}: {}  {}\n", plan.kernel.info->name,
                                 plan.kernel.info->doc, plan.kernel.info->signature);
  text += params_line(plan.kernel);
  for (const plan::InputPlan& input : plan.inputs) text += input_line(input);
  for (const plan::OutputPlan& output : plan.outputs) text += output_line(job, output);
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) {
    text += coordinate_line(job, coordinate);
  }
  text += "  map    " + rows_text(plan.rows);
  if (count(plan.loops) != 1) text += fmt::format(" of {} examples", to_string(plan.loops));
  text += fmt::format(" over {} {} with {} {} on {}{}, {} each\n", plan.resources.ranks,
                      plan.resources.ranks == 1 ? "rank" : "ranks", placement.threads,
                      placement.threads == 1 ? "thread" : "threads", placement.backend,
                      plan.resources.staged ? " (staged through the host)" : "", shards_text(plan));
  text += fmt::format("  blocks {} per rank of up to {}, {} of memory of {} allowed\n",
                      count_text(plan.steps), rows_text(plan.block_rows),
                      bytes_text(plan.memory_needed()), bytes_text(plan.resources.memory));
  return text;
}

}  // namespace kmap::report
