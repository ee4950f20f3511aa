#include "report/plan_text.hpp"

#include "report/text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

namespace kmap::report {

namespace {

std::string storage_text(const io::DatasetInfo& dataset) {
  if (dataset.chunk.empty()) return "contiguous";
  std::string text = "chunks of " + to_string(dataset.chunk);
  if (!dataset.filters.empty()) text += fmt::format(", {}", fmt::join(dataset.filters, ", "));
  return text;
}

// Which part of the dataset makes the batch.
std::string rows_text(const plan::InputPlan& input, std::int64_t count) {
  if (input.replicated) return "whole to every example";
  const plan::RowMap& rows = input.rows;
  std::string text = fmt::format("axis {} mapped", rows.axis);
  if (count == 0) {
    text += ", none of it";
  } else if (input.is_window && count == 1) {
    text += fmt::format(" in one window of {} from {} on", rows.length, rows.first);
  } else if (input.is_window) {
    text +=
        fmt::format(" in windows of {} every {} from {} on", rows.length, rows.step, rows.first);
  } else if (rows.step != 1) {
    text += fmt::format(", every {} from {} on", rows.step, rows.first);
  } else if (count != input.dataset.shape[rows.axis]) {
    text += fmt::format(", {} to {}", rows.first, rows.first + count);
  }
  return text;
}

std::string input_line(const plan::InputPlan& input, std::int64_t rows) {
  const io::DatasetInfo& dataset = input.dataset;
  std::string line =
      fmt::format("  input  {}: {}:{}  {} {}, {}", input.name, dataset.file, dataset.dataset,
                  dataset.stored_type, to_string(dataset.shape), storage_text(dataset));
  if (input.type != dataset.dtype) line += fmt::format(", read as {}", name(input.type));
  return line + ", " + rows_text(input, rows) + "\n";
}

std::string output_line(const config::JobConfig& job, const plan::OutputPlan& output) {
  std::string line = fmt::format("  output {}: {}:{}  {} {}, {}", output.name,
                                 job.output_file.string(), output.path, name(output.stored),
                                 to_string(output.shape), bytes_text(output.whole_bytes));
  if (output.stored != output.type) line += fmt::format(", computed as {}", name(output.type));
  const std::optional<std::size_t> axis = output.row_axis();
  if (!axis) line += ", once for all rows";
  if (axis && *axis != 0) line += fmt::format(", rows along axis {}", *axis);
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

// Only where there is more to say than the numbers of rows and examples.
std::string axes_line(const config::JobConfig& job, const plan::Plan& plan) {
  if (job.map.vmap.empty() && plan.kernel.info->axes.empty()) return "";
  std::vector<std::string> texts;
  for (std::size_t l = 0; l < plan.level_names.size(); ++l) {
    const std::string& name = plan.level_names[l];
    texts.push_back(fmt::format("{}{}", name.empty() ? "" : name + "=",
                                plan.level_length(static_cast<int>(l))));
  }
  return fmt::format("  axes   {}\n", fmt::join(texts, ", "));
}

std::string number_of_rows(std::int64_t rows) {
  return count_text(rows) + (rows == 1 ? " row" : " rows");
}

std::string shards_text(const plan::Plan& plan) {
  const std::int64_t longest = plan.shard(0).size();
  const std::int64_t shortest = plan.shard(plan.resources.ranks - 1).size();
  return longest == shortest
             ? number_of_rows(longest)
             : fmt::format("{} or {}", count_text(shortest), number_of_rows(longest));
}

// "(t, 3)" with its sizes: "(t=4096, 3)".
std::string core_text(const OperandInfo& operand, const Shape& core) {
  if (operand.core.size() == 1 && operand.core.front().rest) {
    return fmt::format("{} values", core.front());
  }
  std::vector<std::string> dims;
  for (std::size_t d = 0; d < core.size(); ++d) {
    const CoreDim& dim = operand.core[d];
    dims.push_back(dim.fixed ? std::to_string(core[d]) : fmt::format("{}={}", dim.name, core[d]));
  }
  return dims.empty() ? "one value" : fmt::format("({})", fmt::join(dims, ", "));
}

}  // namespace

std::string details_text(const config::JobConfig& job, const plan::Plan& plan,
                         const io::OutputState& output) {
  std::string text = "  one example\n";
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
    const plan::InputPlan& input = plan.inputs[i];
    text += fmt::format("    of {}: {}, {}\n", input.name,
                        core_text(plan.kernel.info->inputs[i], input.core), name(input.type));
  }
  for (std::size_t k = 0; k < plan.outputs.size(); ++k) {
    const plan::OutputPlan& made = plan.outputs[k];
    bytes += made.whole_bytes;
    text += fmt::format("    of {}: {}, {}\n", made.name,
                        core_text(plan.kernel.info->outputs[k], made.core), name(made.type));
  }
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) bytes += coordinate.bytes;
  text += fmt::format("  disk   {} needed", bytes_text(bytes));
  if (output.free_bytes >= 0) text += fmt::format(", {} free", bytes_text(output.free_bytes));
  text += "\n  there  ";
  text += output.exists
              ? fmt::format("{} exists, {}", job.output_file.string(), bytes_text(output.bytes))
              : fmt::format("no {} yet", job.output_file.string());
  if (output.has_leftover) text += ", and a .part that another run left or is writing";
  return text + "\n";
}

std::string plan_text(const config::JobConfig& job, const plan::Plan& plan,
                      const Placement& placement) {
  std::string text = fmt::format("kernel {}: {}  {}\n", plan.kernel.info->name,
                                 plan.kernel.info->doc, plan.kernel.info->signature);
  text += params_line(plan.kernel);
  for (const plan::InputPlan& input : plan.inputs) text += input_line(input, plan.rows);
  for (const plan::OutputPlan& output : plan.outputs) text += output_line(job, output);
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) {
    text += coordinate_line(job, coordinate);
  }
  text += axes_line(job, plan);
  if (plan.kernel.info->takes_key) text += fmt::format("  seed   {}\n", plan.seed);
  text += "  map    " + number_of_rows(plan.rows);
  if (count(plan.loops) != 1) text += fmt::format(" of {} examples", to_string(plan.loops));
  text += fmt::format(" over {} {} with {} {} on {}{}, {} each\n", plan.resources.ranks,
                      plan.resources.ranks == 1 ? "rank" : "ranks", placement.threads,
                      placement.threads == 1 ? "thread" : "threads", placement.backend,
                      plan.resources.staged ? " (staged through the host)" : "", shards_text(plan));
  text += fmt::format("  blocks {} per rank of up to {}, {} of memory of {} allowed\n",
                      count_text(plan.steps), number_of_rows(plan.block_rows),
                      bytes_text(plan.memory_needed()), bytes_text(plan.resources.memory));
  return text;
}

}  // namespace kmap::report
