#include "plan/plan.hpp"

#include "plan/dim_table.hpp"
#include "plan/input_axes.hpp"
#include "plan/input_types.hpp"
#include "plan/outputs.hpp"

#include "kmap/detail/operand.hpp"
#include "kmap/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>

namespace kmap::plan {

namespace {

// Larger blocks gain nothing: they leave the caches and touch fresh memory.
constexpr std::int64_t block_target = std::int64_t{32} << 20;

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

// ---- Levels

// What has said the length of a level: the config, or inputs.
struct LengthSource {
  std::string who;
  std::int64_t length = 0;
};

// All that say a length must agree; those that most others agree with come first.
std::int64_t common_length(std::vector<LengthSource> sources, const std::string& what) {
  const auto votes = [&](std::int64_t length) {
    return std::count_if(sources.begin(), sources.end(),
                         [&](const LengthSource& source) { return source.length == length; });
  };
  std::stable_sort(sources.begin(), sources.end(),
                   [&](const LengthSource& a, const LengthSource& b) {
                     return votes(a.length) > votes(b.length);
                   });
  const std::int64_t length = sources.front().length;
  std::vector<std::string> texts;
  for (const LengthSource& source : sources) {
    texts.push_back(fmt::format("{} says {}", source.who, source.length));
  }
  if (votes(length) == static_cast<std::ptrdiff_t>(sources.size())) return length;
  throw ShapeError(fmt::format("{} has no one length: {}", what, fmt::join(texts, ", ")),
                   "give inputs of equal length along it, or null to give one whole to every "
                   "example");
}

std::int64_t vmap_length(const config::JobConfig& job, std::size_t v,
                         const std::vector<InputAxes>& axes, const Plan& plan) {
  const std::string key = fmt::format("map.vmap.{}", v);
  std::vector<LengthSource> sources;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const std::optional<RowAxis>& axis = axes[i].vmaps[v];
    if (!axis) continue;
    sources.push_back({fmt::format("axis {} of input {} ({})", axis->dataset_axis,
                                   plan.inputs[i].name, describe(plan.inputs[i].dataset)),
                       axis->extent});
  }
  if (job.map.vmap[v].axis_size) sources.push_back({"axis_size", *job.map.vmap[v].axis_size});
  if (!sources.empty()) return common_length(sources, key);
  throw ConfigError(fmt::format("{}: {}: nothing to map: no input has this axis",
                                config::to_string(job.where(key)), key),
                    "name an axis of an input in in_axes, or say axis_size");
}

// The batch and the loops of the first input that has them; others must have the same.
void match_batch(const config::JobConfig& job, const std::vector<InputAxes>& axes, Plan& plan,
                 Shape& loops) {
  const auto shape_of = [](const InputAxes& input) {
    Shape shape;
    for (const RowAxis& loop : input.loops) shape.push_back(loop.extent);
    return shape;
  };
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    if (axes[i].replicated) continue;
    if (!first) {
      first = i;
      plan.rows = axes[i].row_count;
      loops = shape_of(axes[i]);
    }
    if (axes[i].row_count == plan.rows && shape_of(axes[i]) == loops) continue;
    throw ShapeError(
        fmt::format("the mapped axes differ: input {} ({}) has {} rows of {} examples, input {} "
                    "({}) has {} rows of {}",
                    plan.inputs[*first].name, describe(plan.inputs[*first].dataset), plan.rows,
                    to_string(loops), plan.inputs[i].name, describe(plan.inputs[i].dataset),
                    axes[i].row_count, to_string(shape_of(axes[i]))),
        "give inputs with equal leading axes, cut one with slice, or give one whole to every "
        "example with in_axis: null");
  }
  const std::optional<std::int64_t> wanted = job.map.axis_size;
  if (first && wanted && *wanted != plan.rows) {
    throw ConfigError(
        fmt::format("{}: map.axis_size: {}, but input {} ({}) has {} rows",
                    config::to_string(job.where("map.axis_size")), *wanted,
                    plan.inputs[*first].name, describe(plan.inputs[*first].dataset), plan.rows),
        "leave it out: it is for kernels of which no input is mapped");
  }
  if (!first && !wanted) {
    throw ConfigError(
        fmt::format("{}: {}", config::to_string(job.where("inputs")),
                    axes.empty()
                        ? "map.axis_size: missing: the kernel has no inputs that say how many "
                          "examples there are"
                        : "inputs: nothing to map: in_axis is null for every input"),
        axes.empty() ? "say map: {axis_size: 1000}"
                     : "leave in_axis out for the input that has the examples, or say "
                       "map.axis_size");
  }
  if (!first) plan.rows = *wanted;
}

void add_levels(const config::JobConfig& job, const std::vector<InputAxes>& axes, Plan& plan) {
  Shape loops;
  match_batch(job, axes, plan, loops);
  plan.level_names = {job.map.axis_name};
  for (std::size_t v = 0; v < job.map.vmap.size(); ++v) {
    plan.loops.push_back(vmap_length(job, v, axes, plan));
    plan.level_names.push_back(job.map.vmap[v].axis_name);
  }
  plan.loops.insert(plan.loops.end(), loops.begin(), loops.end());
  plan.level_names.resize(plan.loops.size() + 1);
  for (std::size_t i = 0; i < axes.size(); ++i) {
    Shape& strides = plan.inputs[i].loop_strides;
    for (const std::optional<RowAxis>& axis : axes[i].vmaps) {
      strides.push_back(axis ? axis->stride : 0);
    }
    for (const RowAxis& loop : axes[i].loops) strides.push_back(loop.stride);
    strides.resize(plan.loops.size());
  }
}

// Levels without a name that are one line with their outer neighbour in every operand. Strides of
// outputs depend on the rows of a block, so that two numbers of rows have to agree.
void join_levels(Plan& plan) {
  plan.joined.assign(plan.loops.size() + 1, false);
  std::vector<BlockLayout> layouts;
  for (std::size_t i = 0; i < plan.inputs.size(); ++i) layouts.push_back(plan.input_layout(i));
  for (std::size_t k = 0; k < plan.outputs.size(); ++k) {
    for (const std::int64_t rows : {2, 3}) layouts.push_back(plan.output_layout(k, rows));
  }
  for (std::size_t l = 2; l <= plan.loops.size(); ++l) {
    if (!plan.level_names[l].empty() || !plan.level_names[l - 1].empty()) continue;
    plan.joined[l] = std::all_of(layouts.begin(), layouts.end(), [&](const BlockLayout& layout) {
      return layout.strides[l - 1] == layout.strides[l] * plan.loops[l - 1];
    });
  }
  const auto levels = std::count(plan.joined.begin(), plan.joined.end(), false);
  if (levels <= detail::max_levels) return;
  throw ShapeError(
      fmt::format("{} axes are mapped that are not one line in memory; {} are possible", levels,
                  detail::max_levels),
      "give datasets with fewer dimensions before those of an example");
}

// Picks what belongs to the innermost of each group of joined levels.
Shape without_joined(const Shape& strides, const std::vector<bool>& joined) {
  Shape result;
  for (std::size_t l = 0; l < strides.size(); ++l) {
    if (joined[l]) result.pop_back();
    result.push_back(strides[l]);
  }
  return result;
}

// ---- Inputs, blocks

InputPlan plan_input(const config::JobConfig& job, const OperandInfo& operand, DType type,
                     const io::DatasetInfo& dataset, const InputAxes& axes,
                     const KernelInfo& kernel) {
  InputPlan input;
  input.name = operand.name;
  input.dataset = dataset;
  input.type = type;
  input.replicated = axes.replicated;
  input.is_window = job.inputs.at(operand.name).window.has_value();
  input.core = axes.core;
  input.core_strides = axes.core_strides;
  const auto size = static_cast<std::int64_t>(size_of(type));
  if (input.replicated) {
    input.whole_bytes = count(dataset.shape) * size;
    return input;
  }
  Shape loops;
  for (const std::optional<RowAxis>& axis : axes.vmaps) loops.push_back(axis ? axis->extent : 1);
  for (const RowAxis& loop : axes.loops) loops.push_back(loop.extent);
  input.rows = axes.rows;
  input.row_bytes = count(axes.row_shape) * size;
  input.index_bytes = input.row_bytes / axes.rows.length;
  input.access = choose_access(input, loops, kernel);
  input.whole_bytes = input.access == Access::row_by_row
                          ? axes.row_count * input.row_bytes
                          : axes.rows.span({0, axes.row_count}).size() * input.index_bytes;
  return input;
}

std::vector<InputAxes> add_inputs(const config::JobConfig& job,
                                  const std::vector<io::DatasetInfo>& datasets,
                                  const std::vector<DType>& types, DimTable& dims, Plan& plan) {
  std::vector<InputAxes> axes;
  for (std::size_t i = 0; i < datasets.size(); ++i) {
    const OperandInfo& operand = plan.kernel.info->inputs[i];
    const io::DatasetInfo& dataset = datasets[i];
    refuse_too_large(fmt::format("input {}: {}", operand.name, describe(dataset)), dataset.shape);
    require_conversion(job, "inputs." + operand.name + ".dtype",
                       dataset.file + ":" + dataset.dataset, dataset.dtype, types[i]);
    axes.push_back(find_input_axes(job, operand, dataset));
    dims.bind(operand, axes.back().core, dataset);
    plan.inputs.push_back(
        plan_input(job, operand, types[i], dataset, axes.back(), *plan.kernel.info));
  }
  return axes;
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
  for (std::size_t k = 0; k < plan.outputs.size(); ++k) {
    const OutputPlan& output = plan.outputs[k];
    plan.row_memory += copies * output.row_bytes;
    if (output.row_axis()) continue;  // others are kept to the end
    plan.fixed_memory +=
        plan.output_elements(k, 0) * static_cast<std::int64_t>(size_of(output.type));
  }
  for (const InputPlan& input : plan.inputs) plan.fixed_memory += input.dataset.cache_bytes;
  if (!plan.cut_blocks()) refuse_memory(job, plan);
}

}  // namespace

std::int64_t InputPlan::block_bytes(std::int64_t count) const {
  if (access != Access::in_place) return count * row_bytes;
  return rows.span({0, count}).size() * index_bytes;
}

std::int64_t InputPlan::arranging_bytes(std::int64_t count) const {
  return access == Access::arranged ? rows.span({0, count}).size() * index_bytes : 0;
}

std::int64_t InputPlan::row_stride() const {
  if (replicated) return 0;
  const auto size = static_cast<std::int64_t>(size_of(type));
  if (access != Access::in_place || rows.step == rows.length) return row_bytes / size;
  return rows.step * index_bytes / size;
}

std::optional<std::size_t> OutputPlan::row_axis() const {
  for (std::size_t d = 0; d < dims.size(); ++d) {
    if (dims[d].level == 0) return d;
  }
  return std::nullopt;
}

std::int64_t Plan::level_length(int level) const {
  return level == 0 ? rows : loops[static_cast<std::size_t>(level) - 1];
}

int Plan::level_of(const std::string& name) const {
  for (std::size_t l = level_names.size(); l-- > 0;) {
    if (level_names[l] == name) return static_cast<int>(l);
  }
  return -1;
}

JobLevels Plan::job_levels() const {
  JobLevels job;
  job.levels.clear();
  std::vector<int> place;  // of each level among those
  for (std::size_t l = 0; l <= loops.size(); ++l) {
    const std::int64_t length = level_length(static_cast<int>(l));
    if (joined[l]) {
      job.levels.back().length *= length;
    } else {
      job.levels.push_back({level_names[l], length});
    }
    place.push_back(static_cast<int>(job.levels.size()) - 1);
  }
  for (const std::string& axis : kernel.info->axes) {
    job.axes.push_back(place.at(static_cast<std::size_t>(level_of(axis))));
  }
  return job;
}

BlockLayout Plan::input_layout(std::size_t i) const {
  const InputPlan& input = inputs[i];
  BlockLayout layout{input.core, input.core_strides, {input.row_stride()}};
  layout.strides.insert(layout.strides.end(), input.loop_strides.begin(), input.loop_strides.end());
  layout.strides = without_joined(layout.strides, joined);
  return layout;
}

BlockLayout Plan::output_layout(std::size_t k, std::int64_t row_count) const {
  const OutputPlan& output = outputs[k];
  BlockLayout layout{output.core, Shape(output.core.size()), Shape(loops.size() + 1)};
  std::int64_t stride = 1;
  const auto place = [&](std::int64_t& at, std::int64_t extent) {
    at = stride;
    stride *= extent;
  };
  const auto place_level = [&](int level) {
    place(layout.strides[static_cast<std::size_t>(level)],
          level == 0 ? row_count : level_length(level));
  };
  for (auto dim = output.dims.rbegin(); dim != output.dims.rend(); ++dim) {
    if (dim->is_level()) {
      place_level(dim->level);
    } else {
      const auto d = static_cast<std::size_t>(dim->core);
      place(layout.core_strides[d], output.core[d]);
    }
  }
  for (auto level = output.dropped.rbegin(); level != output.dropped.rend(); ++level) {
    place_level(*level);
  }
  layout.strides = without_joined(layout.strides, joined);
  return layout;
}

std::int64_t Plan::output_copies(std::size_t k, std::int64_t row_count) const {
  std::int64_t copies = 1;
  for (const int level : outputs[k].dropped) copies *= level == 0 ? row_count : level_length(level);
  return copies;
}

std::int64_t Plan::output_elements(std::size_t k, std::int64_t row_count) const {
  std::int64_t elements = count(outputs[k].core);
  for (const OutputDim& dim : outputs[k].dims) {
    if (dim.is_level()) elements *= dim.level == 0 ? row_count : level_length(dim.level);
  }
  return elements;
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
  if (most_rows > 0) block_rows = std::min(block_rows, most_rows);
  steps = (longest + block_rows - 1) / block_rows;
  return true;
}

Plan make_plan(const config::JobConfig& job, const BoundKernel& kernel,
               const std::vector<io::DatasetInfo>& datasets, const Resources& resources) {
  Plan plan;
  plan.kernel = kernel;
  plan.resources = resources;
  plan.most_rows = job.map.batch_size.value_or(0);
  plan.seed = job.seed.value_or(0);
  const std::vector<DType> types = choose_input_types(job, *kernel.info, datasets);
  plan.instance = &find_instance(*kernel.info, types);
  DimTable dims;
  const std::vector<InputAxes> axes = add_inputs(job, datasets, types, dims, plan);
  add_levels(job, axes, plan);
  kernel.info->size_outputs(dims.sizes(), kernel.params.get());
  add_outputs(job, dims.sizes(), plan);
  join_levels(plan);
  choose_blocks(job, plan);
  return plan;
}

}  // namespace kmap::plan
