#include "plan/plan.hpp"

#include "io/conversion.hpp"
#include "kernel/kernel_text.hpp"
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

// What a slice takes of an axis: first, first + step, …
struct Steps {
  std::int64_t first = 0;
  std::int64_t step = 1;
  std::int64_t count = 0;
};

// Python's rules for start:stop:step: from the end if negative, cut to the axis.
Steps resolve_slice(const std::optional<config::Slice>& slice, std::int64_t length) {
  if (!slice) return {0, 1, length};
  const std::int64_t step = std::clamp(slice->step, -length - 1, length + 1);
  const bool back = step < 0;
  const std::int64_t least = back ? -1 : 0;
  const std::int64_t most = back ? length - 1 : length;
  const auto place = [&](std::int64_t at) {
    return std::clamp(at < 0 ? at + length : at, least, most);
  };
  const std::int64_t start = slice->start ? place(*slice->start) : (back ? most : least);
  const std::int64_t stop = slice->stop ? place(*slice->stop) : (back ? least : most);
  const std::int64_t distance = back ? start - stop : stop - start;
  const std::int64_t stride = back ? -step : step;
  return {start, step, std::max<std::int64_t>(0, (distance + stride - 1) / stride)};
}

struct Rows {
  RowMap map;
  std::int64_t count = 0;
  Shape shape;  // of one row: the dataset's without the mapped axis, or with a window's length
};

std::size_t resolve_axis(const config::JobConfig& job, const OperandInfo& operand,
                         const io::DatasetInfo& dataset) {
  const auto rank = static_cast<int>(dataset.shape.size());
  const int given = job.inputs.at(operand.name).in_axis;
  const int axis = given < 0 ? given + rank : given;
  if (rank == 0) {
    throw ShapeError(fmt::format("input {}: {} is a scalar: it has no leading axis to map",
                                 operand.name, describe(dataset)),
                     job.inputs.size() == 1
                         ? "give a dataset with examples along its first axis"
                         : "give a dataset with examples along its first axis, or in_axis: null to "
                           "give this one whole to every example");
  }
  if (axis < 0 || axis >= rank) {
    const std::string key = "inputs." + operand.name + ".in_axis";
    throw ConfigError(fmt::format("{}: {}: {} has no axis {}", config::to_string(job.where(key)),
                                  key, describe(dataset), given),
                      fmt::format("say one of {} to {}", -rank, rank - 1));
  }
  return static_cast<std::size_t>(axis);
}

Rows resolve_rows(const config::JobConfig& job, const OperandInfo& operand,
                  const io::DatasetInfo& dataset) {
  const config::InputConfig& given = job.inputs.at(operand.name);
  Rows rows;
  rows.map.axis = resolve_axis(job, operand, dataset);
  rows.shape = dataset.shape;
  const std::int64_t length = dataset.shape[rows.map.axis];
  if (!given.window) {
    const Steps steps = resolve_slice(given.slice, length);
    rows.map = {rows.map.axis, steps.first, steps.count > 1 ? steps.step : 1, 1};
    rows.count = steps.count;
    rows.shape.erase(rows.shape.begin() + static_cast<std::ptrdiff_t>(rows.map.axis));
    return rows;
  }
  const auto [size, stride] = *given.window;
  if (length > 0 && length < size) {
    const std::string key = "inputs." + operand.name + ".window";
    throw ConfigError(
        fmt::format("{}: {}: a window of {} is longer than axis {} of {}",
                    config::to_string(job.where(key)), key, size, rows.map.axis, describe(dataset)),
        fmt::format("say a size of at most {}", length));
  }
  const std::int64_t windows = length == 0 ? 0 : (length - size) / stride + 1;
  const Steps steps = resolve_slice(given.slice, windows);
  rows.map.first = steps.count == 0 ? 0 : steps.first * stride;
  rows.map.step = steps.count > 1 ? steps.step * stride : size;
  rows.map.length = size;
  rows.count = steps.count;
  rows.shape[rows.map.axis] = size;
  return rows;
}

struct SplitShape {
  Shape loops;
  Shape core;
};

// A row's (loops…, core…).
SplitShape split_row(const OperandInfo& operand, const io::DatasetInfo& dataset, const Rows& rows,
                     bool is_window) {
  if (takes_rest(operand)) return {{}, {count(rows.shape)}};
  const auto rank = static_cast<int>(rows.shape.size());
  const int cores = core_rank(operand);
  if (rank < cores) {
    throw ShapeError(
        fmt::format("input {}: {} has {}; a batch of {} needs {} or more", operand.name,
                    describe(dataset), dimensions_text(static_cast<int>(dataset.shape.size())),
                    detail::core_text(operand), (is_window ? 0 : 1) + cores),
        "give a dataset whose first axis counts examples");
  }
  const auto middle = rows.shape.end() - cores;
  if (is_window && static_cast<int>(rows.map.axis) < rank - cores) {
    throw ShapeError(
        fmt::format(
            "input {}: the windows along axis {} of {} have the shape {}, and an example {} "
            "is the end of that shape, without the window's axis",
            operand.name, rows.map.axis, describe(dataset), to_string(rows.shape),
            detail::core_text(operand)),
        cores == 0
            ? "leave window out: the kernel takes single numbers, and windows are for kernels "
              "of (t), (...) and the like"
            : "store the signal along the last axis and say in_axis: -1");
  }
  return {Shape(rows.shape.begin(), middle), Shape(middle, rows.shape.end())};
}

// The (core…) of a replicated input.
Shape replicated_core(const OperandInfo& operand, const io::DatasetInfo& dataset) {
  if (takes_rest(operand)) return {count(dataset.shape)};
  const auto rank = static_cast<int>(dataset.shape.size());
  if (rank != core_rank(operand)) {
    throw ShapeError(fmt::format("input {}: {} has {}; the whole input of {} needs {}",
                                 operand.name, describe(dataset), dimensions_text(rank),
                                 detail::core_text(operand), core_rank(operand)),
                     "map it (leave in_axis out), or give a dataset of that rank");
  }
  return dataset.shape;
}

// Sizes of core dimensions, and who said so.
class DimTable {
 public:
  void bind(const OperandInfo& operand, const Shape& core, const io::DatasetInfo& dataset) {
    for (std::size_t d = 0; d < core.size(); ++d) {
      const CoreDim& dim = operand.core[d];
      const std::string who = fmt::format("input {} ({})", operand.name, describe(dataset));
      if (core[d] == 0) {
        throw ShapeError(dim.rest
                             ? fmt::format("the examples of {} are empty", who)
                             : fmt::format("the examples of {} are empty: dimension {} has size 0",
                                           who, dim.name),
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
  const auto is_complex = [](DType type) { return info(type).kind == 'c'; };
  const bool drops_parts = std::any_of(wanted.begin(), wanted.end(), is_complex) &&
                           std::none_of(allowed.begin(), allowed.end(), is_complex);
  throw ShapeError(fmt::format("kernel {} does not take the type of {}: it takes {}", kernel.name,
                               fmt::join(who, " with "), type_names(allowed)),
                   drops_parts
                       ? "give a dataset of the real parts, or of the magnitudes"
                       : "say with `dtype:` under the input what to convert it to on reading");
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

// `what`: that is of type `from`, for the message; may be empty.
void require_conversion(const config::JobConfig& job, const std::string& key,
                        const std::string& what, DType from, DType to) {
  if (io::can_convert(from, to)) return;
  throw ConfigError(
      fmt::format("{}: {}: {}{} cannot become {}: complex numbers have no place in it",
                  config::to_string(job.where(key)), key, what.empty() ? "" : what + " of type ",
                  name(from), name(to)),
      "say c8 or c16");
}

// ---- Inputs, outputs, blocks

// Rows further apart than this are not worth reading what is between them.
constexpr std::int64_t most_gap_bytes = 16384;

Access choose_access(const InputPlan& input, const Shape& loops, const KernelInfo& kernel) {
  const RowMap& rows = input.rows;
  const std::int64_t gap = std::abs(rows.step) - rows.length;
  if (gap > most_gap_bytes / std::max<std::int64_t>(1, input.index_bytes))
    return Access::row_by_row;
  if (rows.axis != 0 || rows.step < 0) return Access::arranged;
  // A kernel that works on whole blocks knows one stride from example to example.
  const bool one_stride = kernel.kind != "block" || count(loops) == 1 || rows.step == rows.length;
  return one_stride ? Access::in_place : Access::arranged;
}

void refuse_with_replicated(const config::JobConfig& job, const std::string& input,
                            const std::string& name, const std::string& what) {
  const std::string key = "inputs." + input + "." + name;
  throw ConfigError(fmt::format("{}: {}: {}, but in_axis: null gives this input whole to every "
                                "example",
                                config::to_string(job.where(key)), key, what),
                    "leave out one of the two");
}

void add_replicated(const config::JobConfig& job, InputPlan input, const OperandInfo& operand,
                    DimTable& dims, Plan& plan) {
  const config::InputConfig& given = job.inputs.at(input.name);
  if (given.slice) refuse_with_replicated(job, input.name, "slice", "a slice is of the batch");
  if (given.window) refuse_with_replicated(job, input.name, "window", "windows make a batch");
  input.replicated = true;
  input.core = replicated_core(operand, input.dataset);
  dims.bind(operand, input.core, input.dataset);
  input.whole_bytes = count(input.core) * static_cast<std::int64_t>(size_of(input.type));
  plan.inputs.push_back(std::move(input));
}

// The axes of the first mapped input are the plan's; others must have the same.
void match_axes(const InputPlan& input, std::int64_t rows, const Shape& loops, Plan& plan,
                std::optional<std::size_t>& first_mapped) {
  if (!first_mapped) {
    first_mapped = plan.inputs.size();
    plan.rows = rows;
    plan.loops = loops;
    return;
  }
  if (rows == plan.rows && loops == plan.loops) return;
  const InputPlan& other = plan.inputs[*first_mapped];
  throw ShapeError(
      fmt::format("the mapped axes differ: input {} ({}) has {} rows of {} examples, input {} "
                  "({}) has {} rows of {}",
                  other.name, describe(other.dataset), plan.rows, to_string(plan.loops), input.name,
                  describe(input.dataset), rows, to_string(loops)),
      "give inputs with equal leading axes, cut one with slice, or give one whole to every "
      "example with in_axis: null");
}

void add_input(const config::JobConfig& job, std::size_t i, DType type,
               const io::DatasetInfo& dataset, DimTable& dims, Plan& plan,
               std::optional<std::size_t>& first_mapped) {
  const OperandInfo& operand = plan.kernel.info->inputs[i];
  const config::InputConfig& given = job.inputs.at(operand.name);
  refuse_too_large(fmt::format("input {}: {}", operand.name, describe(dataset)), dataset.shape);
  require_conversion(job, "inputs." + operand.name + ".dtype", dataset.file + ":" + dataset.dataset,
                     dataset.dtype, type);
  InputPlan input;
  input.name = operand.name;
  input.dataset = dataset;
  input.type = type;
  if (given.replicated) return add_replicated(job, std::move(input), operand, dims, plan);
  const Rows rows = resolve_rows(job, operand, dataset);
  input.is_window = given.window.has_value();
  const SplitShape split = split_row(operand, dataset, rows, input.is_window);
  dims.bind(operand, split.core, dataset);
  match_axes(input, rows.count, split.loops, plan, first_mapped);
  const auto size = static_cast<std::int64_t>(size_of(type));
  input.rows = rows.map;
  input.core = split.core;
  input.row_bytes = count(rows.shape) * size;
  input.index_bytes = input.row_bytes / rows.map.length;
  input.access = choose_access(input, split.loops, *plan.kernel.info);
  input.whole_bytes = input.access == Access::row_by_row
                          ? rows.count * input.row_bytes
                          : rows.map.span({0, rows.count}).size() * input.index_bytes;
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
    require_conversion(job, "outputs.datasets." + operand.name + ".dtype", "", output.type,
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
  require_conversion(job, "outputs.datasets." + info.name + ".dtype", "", DType::f8,
                     coordinate.stored);
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
                                        " and {} for whole inputs, overlaps of windows and "
                                        "decompressed chunks",
                                        plan.fixed_memory);
  throw ConfigError(
      fmt::format("{}: run.memory: {} bytes{} are too few: each rank needs {} for one row of the "
                  "inputs and outputs{}",
                  config::to_string(job.where("run.memory")), plan.resources.memory,
                  job.memory ? "" : ", a quarter of its share of this node's memory,",
                  plan.row_memory, besides),
      fmt::format("allow at least {} bytes", plan.fixed_memory + plan.row_memory));
}

void choose_blocks(const config::JobConfig& job, Plan& plan) {
  // A staged block is held twice: on the host and on the device.
  const std::int64_t copies = plan.resources.staged ? 2 : 1;
  for (const InputPlan& input : plan.inputs) {
    if (input.replicated) {
      plan.fixed_memory += copies * input.whole_bytes;
      continue;
    }
    // What the first row needs beyond what every further one adds.
    const std::int64_t block = input.block_bytes(2) - input.block_bytes(1);
    const std::int64_t arranging = input.arranging_bytes(2) - input.arranging_bytes(1);
    plan.row_memory += copies * block + arranging;
    plan.fixed_memory += copies * std::max<std::int64_t>(0, input.block_bytes(1) - block) +
                         std::max<std::int64_t>(0, input.arranging_bytes(1) - arranging);
  }
  for (const OutputPlan& output : plan.outputs) plan.row_memory += copies * output.row_bytes;
  for (const InputPlan& input : plan.inputs) plan.fixed_memory += input.dataset.cache_bytes;
  if (!plan.cut_blocks()) refuse_memory(job, plan);
}

}  // namespace

Range RowMap::span(Range rows) const {
  if (rows.size() <= 0) return {first, first};
  const std::int64_t one = begin(rows.begin);
  const std::int64_t other = begin(rows.end - 1);
  return {std::min(one, other), std::max(one, other) + length};
}

std::int64_t InputPlan::block_bytes(std::int64_t count) const {
  if (access != Access::in_place) return count * row_bytes;
  return rows.span({0, count}).size() * index_bytes;
}

std::int64_t InputPlan::arranging_bytes(std::int64_t count) const {
  return access == Access::arranged ? rows.span({0, count}).size() * index_bytes : 0;
}

std::int64_t Plan::rows_done(std::int64_t steps_done) const {
  const std::int64_t each = steps_done * block_rows;
  const std::int64_t shorter = rows / resources.ranks;
  const std::int64_t longer_ranks = rows % resources.ranks;
  return longer_ranks * std::min(each, shorter + 1) +
         (resources.ranks - longer_ranks) * std::min(each, shorter);
}

Range Plan::block(int rank, std::int64_t step) const {
  const Range mine = shard(rank);
  const std::int64_t begin = std::min(mine.end, mine.begin + step * block_rows);
  return {begin, std::min(mine.end, begin + block_rows)};
}

bool Plan::cut_blocks(std::int64_t kept) {
  const std::int64_t longest = shard(0).size();
  const std::int64_t left = resources.memory - fixed_memory - kept;
  if (longest > 0 && row_memory > left) return false;
  const std::int64_t room = std::min(left, std::max(block_target, row_memory));
  const std::int64_t fitting = row_memory == 0 ? longest : room / row_memory;
  block_rows = std::clamp<std::int64_t>(fitting, 1, std::max<std::int64_t>(1, longest));
  steps = (longest + block_rows - 1) / block_rows;
  return true;
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
