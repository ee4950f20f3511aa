#include "plan/plan.hpp"

#include "io/conversion.hpp"
#include "plan/choose_type.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>

namespace kmap::plan {

namespace {

// Larger blocks gain nothing: they leave the caches and touch fresh memory.
constexpr std::int64_t block_target = std::int64_t{32} << 20;

std::string describe(const io::DatasetInfo& dataset) {
  return fmt::format("{}:{} of shape {}", dataset.file, dataset.dataset, to_string(dataset.shape));
}

std::string type_names(const std::vector<DType>& types) {
  std::vector<std::string_view> names;
  for (const DType type : types) names.push_back(name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}

// ---- Shapes

// Numbers of bytes are 64-bit integers: what is near their end is refused before it is computed.
void refuse_too_large(const std::string& what, const Shape& shape) {
  constexpr double most_elements = 0x1p56;  // of at most 16 bytes
  double elements = 1;
  for (const std::int64_t extent : shape) {
    elements *= static_cast<double>(std::max<std::int64_t>(extent, 1));
  }
  if (elements > most_elements) throw ShapeError(what + " is too large for any machine");
}

std::string dimensions_text(int rank) {
  return fmt::format("{} {}", rank, rank == 1 ? "dimension" : "dimensions");
}

int core_rank(const OperandInfo& operand) { return static_cast<int>(operand.core.size()); }
bool takes_rest(const OperandInfo& operand) {
  return core_rank(operand) == 1 && operand.core.front().rest;
}

std::string core_text(const OperandInfo& operand) {
  std::vector<std::string> names;
  for (const CoreDim& dim : operand.core) names.push_back(dim.name);
  return fmt::format("({})", fmt::join(names, ", "));
}

// Python's rules for start:stop: from the end if negative, cut to the axis.
Range resolve_slice(const std::optional<config::Slice>& slice, std::int64_t length) {
  if (!slice) return {0, length};
  const auto place = [length](std::int64_t at) {
    return std::clamp<std::int64_t>(at < 0 ? at + length : at, 0, length);
  };
  const std::int64_t begin = place(slice->start.value_or(0));
  const std::int64_t end = place(slice->stop.value_or(length));
  return {begin, std::max(begin, end)};
}

struct SplitShape {
  Shape loops;
  Shape core;
};

// (rows, loops…, core…) of a mapped input, (core…) of a replicated one.
SplitShape split_shape(const OperandInfo& operand, const io::DatasetInfo& dataset,
                       bool replicated) {
  const Shape& shape = dataset.shape;
  const auto rank = static_cast<int>(shape.size());
  const int leading = replicated ? 0 : 1;
  if (!replicated && rank == 0) {
    throw ShapeError(fmt::format("input {}: {} is a scalar: it has no leading axis to map",
                                 operand.name, describe(dataset)),
                     fmt::format("give a dataset with examples along its first axis, or in_axis: "
                                 "null to give this one whole to every example"));
  }
  if (takes_rest(operand)) {
    return {{}, {count(Shape(shape.begin() + leading, shape.end()))}};
  }
  const int cores = core_rank(operand);
  if (rank < leading + cores || (replicated && rank != cores)) {
    throw ShapeError(
        fmt::format("input {}: {} has {}; {} of {} needs {}{}", operand.name, describe(dataset),
                    dimensions_text(rank), replicated ? "the whole input" : "a batch",
                    core_text(operand), leading + cores, replicated ? "" : " or more"),
        replicated ? "map it (leave in_axis out), or give a dataset of that rank"
                   : "give a dataset whose first axis counts examples");
  }
  return {Shape(shape.begin() + leading, shape.end() - cores),
          Shape(shape.end() - cores, shape.end())};
}

// Sizes of core dimensions, and who said so.
class DimTable {
 public:
  void bind(const OperandInfo& operand, const Shape& core, const io::DatasetInfo& dataset) {
    for (std::size_t d = 0; d < core.size(); ++d) {
      const CoreDim& dim = operand.core[d];
      const std::string who = fmt::format("input {} ({})", operand.name, describe(dataset));
      if (core[d] == 0) {
        throw ShapeError(
            fmt::format("the examples of {} are empty: dimension {} has size 0", who, dim.name),
            "an example needs at least one value; a batch may have no examples");
      }
      if (dim.fixed && *dim.fixed != core[d]) {
        throw ShapeError(
            fmt::format("{}: dimension {} of an example has size {}, the kernel needs "
                        "{}",
                        who, d, core[d], *dim.fixed));
      }
      if (dim.fixed || dim.rest) continue;
      const auto [found, fresh] = sizes_.try_emplace(dim.name, core[d]);
      if (fresh) {
        first_[dim.name] = who;
      } else if (found->second != core[d]) {
        throw ShapeError(fmt::format("dimension {} has size {} in {}, but {} in {}", dim.name,
                                     found->second, first_[dim.name], core[d], who),
                         "inputs that share a named dimension must agree on its size");
      }
    }
  }

  DimSizes& sizes() { return sizes_; }

 private:
  DimSizes sizes_;
  std::map<std::string, std::string> first_;
};

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

// ---- Types

// The inputs that share one choice of type: input i and those declared same_as it.
std::vector<std::size_t> type_group(const KernelInfo& kernel, std::size_t i) {
  std::vector<std::size_t> group = {i};
  for (std::size_t j = i + 1; j < kernel.inputs.size(); ++j) {
    const bool follows = std::any_of(group.begin(), group.end(), [&](std::size_t k) {
      return kernel.inputs[j].same_as == kernel.inputs[k].name;
    });
    if (follows) group.push_back(j);
  }
  return group;
}

DType type_of_group(const config::JobConfig& job, const KernelInfo& kernel,
                    const std::vector<std::size_t>& group,
                    const std::vector<io::DatasetInfo>& datasets) {
  const std::vector<DType>& allowed = kernel.inputs[group.front()].types;
  std::vector<DType> wanted;
  std::vector<DType> possible = allowed;
  std::vector<std::string> who;
  for (const std::size_t i : group) {
    const std::string& input = kernel.inputs[i].name;
    const auto& asked = job.inputs.at(input).dtype;
    wanted.push_back(asked.value_or(datasets[i].dtype));
    who.push_back(asked ? fmt::format("input {} with dtype: {}", input, name(*asked))
                        : fmt::format("input {} ({}:{}, type {})", input, datasets[i].file,
                                      datasets[i].dataset, datasets[i].stored_type));
    if (asked && std::find(allowed.begin(), allowed.end(), *asked) == allowed.end()) {
      const std::string key = "inputs." + input + ".dtype";
      throw ConfigError(fmt::format("{}: {}: kernel {} does not take {}; expected one of {}",
                                    config::to_string(job.where(key)), key, kernel.name,
                                    name(*asked), type_names(allowed)));
    }
    if (asked) possible = {*asked};  // what the config says holds for the whole group
  }
  if (const auto type = choose_type(wanted, possible)) return *type;
  if (possible != allowed && group.size() > 1) {
    throw ShapeError(fmt::format("these inputs of kernel {} have one type together, but {} cannot "
                                 "all be {}",
                                 kernel.name, fmt::join(who, " and "), type_names(possible)),
                     "say the same `dtype:` under each of them");
  }
  throw ShapeError(fmt::format("kernel {} does not take the type of {}: it takes {}", kernel.name,
                               fmt::join(who, " with "), type_names(allowed)),
                   "say with `dtype:` under the input what to convert it to on reading");
}

std::vector<DType> choose_input_types(const config::JobConfig& job, const KernelInfo& kernel,
                                      const std::vector<io::DatasetInfo>& datasets) {
  std::vector<DType> types(kernel.inputs.size());
  for (std::size_t i = 0; i < kernel.inputs.size(); ++i) {
    if (!kernel.inputs[i].same_as.empty()) continue;
    const std::vector<std::size_t> group = type_group(kernel, i);
    const DType type = type_of_group(job, kernel, group, datasets);
    for (const std::size_t j : group) types[j] = type;
  }
  return types;
}

const KernelInstance& find_instance(const KernelInfo& kernel, const std::vector<DType>& types) {
  for (const KernelInstance& instance : kernel.instances) {
    if (instance.input_types == types) return instance;
  }
  throw Error(ExitCode::internal,
              fmt::format("kernel {} is not compiled for {}", kernel.name, type_names(types)));
}

void require_conversion(const config::JobConfig& job, const std::string& key, DType from,
                        DType to) {
  if (io::can_convert(from, to)) return;
  throw ConfigError(fmt::format("{}: {}: {} cannot become {}: complex numbers have no place in it",
                                config::to_string(job.where(key)), key, name(from), name(to)),
                    "say c8 or c16");
}

// ---- Inputs, outputs, blocks

void add_input(const config::JobConfig& job, std::size_t i, DType type,
               const io::DatasetInfo& dataset, DimTable& dims, Plan& plan,
               std::optional<std::size_t>& first_mapped) {
  const OperandInfo& operand = plan.kernel.info->inputs[i];
  const config::InputConfig& given = job.inputs.at(operand.name);
  refuse_too_large(fmt::format("input {}: {}", operand.name, describe(dataset)), dataset.shape);
  require_conversion(job, "inputs." + operand.name + ".dtype", dataset.dtype, type);
  InputPlan input{operand.name, dataset, type, given.replicated, {}, {}, 0, 0};
  SplitShape split = split_shape(operand, dataset, given.replicated);
  dims.bind(operand, split.core, dataset);
  input.core = split.core;
  const auto size = static_cast<std::int64_t>(size_of(type));
  if (given.replicated) {
    if (given.slice) {
      const std::string key = "inputs." + operand.name + ".slice";
      throw ConfigError(
          fmt::format("{}: {}: a slice is of the batch, but in_axis: null gives this "
                      "input whole to every example",
                      config::to_string(job.where(key)), key));
    }
    input.whole_bytes = count(input.core) * size;
    plan.inputs.push_back(std::move(input));
    return;
  }
  input.rows = resolve_slice(given.slice, dataset.shape.front());
  if (!first_mapped) {
    first_mapped = plan.inputs.size();
    plan.rows = input.rows.size();
    plan.loops = split.loops;
  } else {
    const InputPlan& other = plan.inputs[*first_mapped];
    if (input.rows.size() != plan.rows || split.loops != plan.loops) {
      throw ShapeError(
          fmt::format("the mapped axes differ: input {} ({}) has {} rows of {} examples, input {} "
                      "({}) has {} rows of {}",
                      other.name, describe(other.dataset), plan.rows, to_string(plan.loops),
                      input.name, describe(dataset), input.rows.size(), to_string(split.loops)),
          "give inputs with equal leading axes, cut one with slice, or give one whole to every "
          "example with in_axis: null");
    }
  }
  input.row_bytes = count(split.loops) * count(input.core) * size;
  input.whole_bytes = input.row_bytes * plan.rows;
  plan.inputs.push_back(std::move(input));
}

void add_outputs(const config::JobConfig& job, const DimSizes& sizes, Plan& plan) {
  const KernelInfo& kernel = *plan.kernel.info;
  for (std::size_t k = 0; k < kernel.outputs.size(); ++k) {
    const OperandInfo& operand = kernel.outputs[k];
    OutputPlan output{
        operand.name, "/" + operand.name, plan.instance->output_types[k], {}, {}, {}, 0, 0};
    output.stored = output.type;
    if (const auto given = job.output_datasets.find(operand.name);
        given != job.output_datasets.end()) {
      output.path = given->second.path;
      output.stored = given->second.dtype.value_or(output.type);
    }
    require_conversion(job, "outputs.datasets." + operand.name + ".dtype", output.type,
                       output.stored);
    output.core = output_core(operand, sizes);
    output.shape = {plan.rows};
    output.shape.insert(output.shape.end(), plan.loops.begin(), plan.loops.end());
    output.shape.insert(output.shape.end(), output.core.begin(), output.core.end());
    refuse_too_large(fmt::format("output {} of shape {}", operand.name, to_string(output.shape)),
                     output.shape);
    const std::int64_t row = count(plan.loops) * count(output.core);
    output.row_bytes = row * static_cast<std::int64_t>(size_of(output.type));
    output.whole_bytes = row * plan.rows * static_cast<std::int64_t>(size_of(output.stored));
    plan.outputs.push_back(std::move(output));
  }
}

CoordinatePlan plan_coordinate(const config::JobConfig& job, const CoordinateInfo& info,
                               const DimSizes& sizes, const BoundKernel& kernel) {
  CoordinatePlan coordinate{info.name, "/" + info.name, info.dim, info.unit, DType::f8, {}, 0, {}};
  if (const auto given = job.output_datasets.find(info.name); given != job.output_datasets.end()) {
    coordinate.path = given->second.path;
    coordinate.stored = given->second.dtype.value_or(DType::f8);
  }
  require_conversion(job, "outputs.datasets." + info.name + ".dtype", DType::f8, coordinate.stored);
  coordinate.shape = {sizes.at(info.dim)};
  coordinate.bytes = sizes.at(info.dim) * static_cast<std::int64_t>(size_of(coordinate.stored));
  coordinate.value = [value = info.value, sizes, params = kernel.params](std::int64_t i) {
    return value(i, sizes, params.get());
  };
  return coordinate;
}

// After add_outputs, which has found the sizes of all dimensions of outputs.
void add_coordinates(const config::JobConfig& job, const DimSizes& sizes, Plan& plan) {
  for (const CoordinateInfo& info : plan.kernel.info->coordinates) {
    plan.coordinates.push_back(plan_coordinate(job, info, sizes, plan.kernel));
  }
}

[[noreturn]] void refuse_memory(const config::JobConfig& job, const Plan& plan) {
  const std::string besides = plan.fixed_memory == 0
                                  ? ""
                                  : fmt::format(
                                        " and {} for inputs that go whole to every example and "
                                        "for decompressed chunks",
                                        plan.fixed_memory);
  throw ConfigError(
      fmt::format("{}: run.memory: {} bytes are too few: each rank needs {} for one row of the "
                  "inputs and outputs{}",
                  config::to_string(job.where("run.memory")), plan.resources.memory,
                  plan.row_memory, besides),
      fmt::format("allow at least {} bytes", plan.fixed_memory + plan.row_memory));
}

void choose_blocks(const config::JobConfig& job, Plan& plan) {
  // A staged block is held twice: on the host and on the device.
  const std::int64_t copies = plan.resources.staged ? 2 : 1;
  for (const InputPlan& input : plan.inputs) {
    plan.row_memory += copies * input.row_bytes;
    if (input.replicated) plan.fixed_memory += copies * input.whole_bytes;
  }
  for (const OutputPlan& output : plan.outputs) plan.row_memory += copies * output.row_bytes;
  for (const InputPlan& input : plan.inputs) plan.fixed_memory += input.dataset.cache_bytes;
  const std::int64_t memory = plan.resources.memory;
  const std::int64_t longest = plan.shard(0).size();
  if (longest > 0 && plan.fixed_memory + plan.row_memory > memory) refuse_memory(job, plan);
  const std::int64_t room =
      std::min(memory - plan.fixed_memory, std::max(block_target, plan.row_memory));
  const std::int64_t fitting = plan.row_memory == 0 ? longest : room / plan.row_memory;
  plan.block_rows = std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, longest));
  plan.steps = (longest + plan.block_rows - 1) / plan.block_rows;
}

}  // namespace

Range Plan::block(int rank, std::int64_t step) const {
  const Range mine = shard(rank);
  const std::int64_t begin = std::min(mine.end, mine.begin + step * block_rows);
  return {begin, std::min(mine.end, begin + block_rows)};
}

Plan make_plan(const config::JobConfig& job, const BoundKernel& kernel,
               const std::vector<io::DatasetInfo>& datasets, const Resources& resources) {
  Plan plan;
  plan.kernel = kernel;
  plan.resources = resources;
  const std::vector<DType> types = choose_input_types(job, *kernel.info, datasets);
  plan.instance = &find_instance(*kernel.info, types);
  DimTable dims;
  std::optional<std::size_t> first_mapped;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    add_input(job, i, types[i], datasets[i], dims, plan, first_mapped);
  }
  if (!first_mapped) {
    throw ConfigError(fmt::format("{}: inputs: nothing to map: in_axis is null for every input",
                                  config::to_string(job.where("inputs"))),
                      "leave in_axis out for the input that has the examples");
  }
  kernel.info->size_outputs(dims.sizes(), kernel.params.get());
  add_outputs(job, dims.sizes(), plan);
  add_coordinates(job, dims.sizes(), plan);
  choose_blocks(job, plan);
  return plan;
}

}  // namespace kmap::plan
