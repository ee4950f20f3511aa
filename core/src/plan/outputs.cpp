#include "plan/outputs.hpp"

#include "plan/input_types.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kmap::plan {

namespace {

Shape output_core(const OperandInfo& output, const DimSizes& sizes) {
  Shape core;
  for (const CoreDim& dim : output.core) {
    if (dim.fixed) {
      core.push_back(*dim.fixed);
      continue;
    }
    const auto found = sizes.find(dim.name);
    if (found == sizes.end() || found->second < 0) {
      throw Error(ExitCode::internal,
                  fmt::format("output {}: the kernel gives no size for dimension {}", output.name,
                              dim.name),
                  "declare it in the kernel by .dim(\"name\", …)");
    }
    core.push_back(found->second);
  }
  return core;
}

// Puts a level into the dimensions of an output, or drops it. `key`: where the config says so.
void place_level(const config::JobConfig& job, int level, const config::MappedAxis& wanted,
                 const std::string& key, OutputPlan& output) {
  if (!wanted.mapped) {
    output.dropped.insert(output.dropped.begin(), level);
    return;
  }
  const auto rank = static_cast<int>(output.dims.size()) + 1;
  const int axis = wanted.axis < 0 ? wanted.axis + rank : wanted.axis;
  if (axis < 0 || axis >= rank) {
    throw ConfigError(fmt::format("{}: {}: output {} has {} {} there, and no axis {}",
                                  config::to_string(job.where(key)), key, output.name, rank,
                                  rank == 1 ? "dimension" : "dimensions", wanted.axis),
                      fmt::format("say one of {} to {}, or null", -rank, rank - 1));
  }
  output.dims.insert(output.dims.begin() + axis, OutputDim{level, -1});
}

// What the kernel says: an output that no example changes is stored once along the axes that its
// collectives are over.
config::MappedAxis kernel_axis(const OperandInfo& operand, int level, const Plan& plan) {
  const std::vector<std::string>& axes = plan.kernel.info->axes;
  const bool is_asked =
      axes.empty() ? level == 0 : std::any_of(axes.begin(), axes.end(), [&](const auto& axis) {
        return plan.level_of(axis) == level;
      });
  return {!(operand.same_for_all && is_asked), 0};
}

// Level 0 is the batch, those after it the vmaps of the config, further ones lie before the
// example.
config::MappedAxis axis_of_level(const config::JobConfig& job, const OperandInfo& operand,
                                 int level, const Plan& plan) {
  const auto vmap = static_cast<std::size_t>(level) - 1;
  if (level == 0) {
    const auto given = job.output_datasets.find(operand.name);
    if (given != job.output_datasets.end() && given->second.out_axis) {
      return *given->second.out_axis;
    }
  } else if (vmap < job.map.vmap.size()) {
    const auto& given = job.map.vmap[vmap].out_axes;
    if (const auto found = given.find(operand.name); found != given.end()) return found->second;
  }
  return kernel_axis(operand, level, plan);
}

std::string axis_key(const OperandInfo& operand, int level) {
  return level == 0 ? fmt::format("outputs.datasets.{}.out_axis", operand.name)
                    : fmt::format("map.vmap.{}.out_axes.{}", level - 1, operand.name);
}

void place_levels(const config::JobConfig& job, const OperandInfo& operand, const Plan& plan,
                  OutputPlan& output) {
  for (std::size_t d = 0; d < output.core.size(); ++d) {
    output.dims.push_back(OutputDim{-1, static_cast<int>(d)});
  }
  for (int level = static_cast<int>(plan.loops.size()); level >= 0; --level) {
    place_level(job, level, axis_of_level(job, operand, level, plan), axis_key(operand, level),
                output);
  }
  for (const OutputDim& dim : output.dims) {
    output.shape.push_back(dim.is_level() ? plan.level_length(dim.level)
                                          : output.core[static_cast<std::size_t>(dim.core)]);
  }
}

void require_examples(const OperandInfo& operand, const Plan& plan, const OutputPlan& output) {
  if (output.dropped.empty() || plan.examples() > 0) return;
  throw ShapeError(fmt::format("output {} has one value for all examples, and there is no example "
                               "to take it from",
                               operand.name),
                   fmt::format("map at least one example, or say outputs.datasets.{}.out_axis: 0",
                               operand.name));
}

OutputPlan plan_output(const config::JobConfig& job, const OperandInfo& operand, DType type,
                       const DimSizes& sizes, const Plan& plan) {
  OutputPlan output;
  output.name = operand.name;
  output.path = "/" + operand.name;
  output.type = output.stored = type;
  if (const auto given = job.output_datasets.find(operand.name);
      given != job.output_datasets.end()) {
    output.path = given->second.path;
    output.stored = given->second.dtype.value_or(type);
  }
  require_conversion(job, "outputs.datasets." + operand.name + ".dtype", "", output.type,
                     output.stored);
  output.core = output_core(operand, sizes);
  place_levels(job, operand, plan, output);
  require_examples(operand, plan, output);
  refuse_too_large(fmt::format("output {} of shape {}", operand.name, to_string(output.shape)),
                   output.shape);
  const std::int64_t row = count(plan.loops) * count(output.core);
  output.row_bytes = row * static_cast<std::int64_t>(size_of(output.type));
  output.whole_bytes = count(output.shape) * static_cast<std::int64_t>(size_of(output.stored));
  return output;
}

CoordinatePlan plan_coordinate(const config::JobConfig& job, const CoordinateInfo& info,
                               const DimSizes& sizes, const BoundKernel& kernel) {
  CoordinatePlan coordinate{info.name, "/" + info.name, info.dim, info.unit, DType::f8, {}, 0, {}};
  if (const auto given = job.output_datasets.find(info.name); given != job.output_datasets.end()) {
    coordinate.path = given->second.path;
    coordinate.stored = given->second.dtype.value_or(DType::f8);
  }
  require_conversion(job, "outputs.datasets." + info.name + ".dtype", "", DType::f8,
                     coordinate.stored);
  coordinate.shape = {sizes.at(info.dim)};
  coordinate.bytes = sizes.at(info.dim) * static_cast<std::int64_t>(size_of(coordinate.stored));
  coordinate.value = [value = info.value, sizes, params = kernel.params](std::int64_t i) {
    return value(i, sizes, params.get());
  };
  return coordinate;
}

}  // namespace

void refuse_too_large(const std::string& what, const Shape& shape) {
  constexpr double most_elements = 0x1p56;  // of at most 16 bytes
  double elements = 1;
  for (const std::int64_t extent : shape) {
    elements *= static_cast<double>(std::max<std::int64_t>(extent, 1));
  }
  if (elements > most_elements) throw ShapeError(what + " is too large for any machine");
}

void add_outputs(const config::JobConfig& job, const DimSizes& sizes, Plan& plan) {
  const KernelInfo& kernel = *plan.kernel.info;
  for (std::size_t k = 0; k < kernel.outputs.size(); ++k) {
    plan.outputs.push_back(
        plan_output(job, kernel.outputs[k], plan.instance->output_types[k], sizes, plan));
  }
  for (const CoordinateInfo& info : kernel.coordinates) {
    plan.coordinates.push_back(plan_coordinate(job, info, sizes, plan.kernel));
  }
}

}  // namespace kmap::plan
