#include "plan/input_axes.hpp"

#include "kernel/kernel_text.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kmap::plan {

namespace {

std::string dimensions_text(int rank) {
  return fmt::format("{} {}", rank, rank == 1 ? "dimension" : "dimensions");
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

std::size_t resolve_axis(const config::JobConfig& job, const OperandInfo& operand,
                         const io::DatasetInfo& dataset) {
  const auto rank = static_cast<int>(dataset.shape.size());
  const int given = job.inputs.at(operand.name).in_axis.axis;
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

void resolve_rows(const config::JobConfig& job, const OperandInfo& operand,
                  const io::DatasetInfo& dataset, InputAxes& axes) {
  const config::InputConfig& given = job.inputs.at(operand.name);
  RowMap& map = axes.rows;
  map.axis = resolve_axis(job, operand, dataset);
  axes.row_shape = dataset.shape;
  const std::int64_t length = dataset.shape[map.axis];
  if (!given.window) {
    const Steps steps = resolve_slice(given.slice, length);
    map = {map.axis, steps.first, steps.count > 1 ? steps.step : 1, 1};
    axes.row_count = steps.count;
    axes.row_shape.erase(axes.row_shape.begin() + static_cast<std::ptrdiff_t>(map.axis));
    return;
  }
  const auto [size, stride] = *given.window;
  if (length > 0 && length < size) {
    const std::string key = "inputs." + operand.name + ".window";
    throw ConfigError(
        fmt::format("{}: {}: a window of {} is longer than axis {} of {}",
                    config::to_string(job.where(key)), key, size, map.axis, describe(dataset)),
        fmt::format("say a size of at most {}", length));
  }
  const std::int64_t windows = length == 0 ? 0 : (length - size) / stride + 1;
  const Steps steps = resolve_slice(given.slice, windows);
  map.first = steps.count == 0 ? 0 : steps.first * stride;
  map.step = steps.count > 1 ? steps.step * stride : size;
  map.length = size;
  axes.row_count = steps.count;
  axes.row_shape[map.axis] = size;
}

// The axes of a row, with their strides.
std::vector<RowAxis> axes_of_row(const InputAxes& axes, bool is_window) {
  std::vector<RowAxis> result(axes.row_shape.size());
  std::int64_t stride = 1;
  for (std::size_t d = result.size(); d-- > 0;) {
    const bool is_behind = !axes.replicated && !is_window && d >= axes.rows.axis;
    result[d] = {axes.row_shape[d], stride, is_behind ? d + 1 : d};
    stride *= axes.row_shape[d];
  }
  return result;
}

Shape extents_of(const std::vector<RowAxis>& axes) {
  Shape shape;
  for (const RowAxis& axis : axes) shape.push_back(axis.extent);
  return shape;
}

// Takes the axis that one vmap of the config maps out of those left by the ones around it.
std::optional<RowAxis> take_mapped(const config::JobConfig& job, std::size_t v,
                                   const OperandInfo& operand, const io::DatasetInfo& dataset,
                                   std::vector<RowAxis>& left) {
  const auto given = job.map.vmap[v].in_axes.find(operand.name);
  const config::MappedAxis wanted =
      given == job.map.vmap[v].in_axes.end() ? config::MappedAxis{} : given->second;
  if (!wanted.mapped) return std::nullopt;
  const auto rank = static_cast<int>(left.size());
  const int axis = wanted.axis < 0 ? wanted.axis + rank : wanted.axis;
  if (axis < 0 || axis >= rank) {
    const std::string key = fmt::format("map.vmap.{}.in_axes.{}", v, operand.name);
    throw ConfigError(
        fmt::format("{}: {}: what the maps around leave of {} has shape {} and no axis {}",
                    config::to_string(job.where(key)), key, describe(dataset),
                    to_string(extents_of(left)), wanted.axis),
        rank == 0 ? "say null to give this input whole to every example"
                  : fmt::format("say one of {} to {}, or null", -rank, rank - 1));
  }
  const RowAxis taken = left[static_cast<std::size_t>(axis)];
  left.erase(left.begin() + axis);
  return taken;
}

// All that is left, seen as one dimension.
void take_rest(const OperandInfo& operand, const io::DatasetInfo& dataset,
               const std::vector<RowAxis>& left, InputAxes& axes) {
  axes.core_strides = {1};
  axes.core = {count(extents_of(left)) == 0 ? 0 : 1};
  if (axes.core[0] == 0) return;  // refused where the sizes are known
  bool is_line = true;
  for (auto axis = left.rbegin(); axis != left.rend(); ++axis) {
    if (axis->extent == 1) continue;
    if (axes.core[0] == 1) axes.core_strides[0] = axis->stride;
    is_line = is_line && axis->stride == axes.core[0] * axes.core_strides[0];
    axes.core[0] *= axis->extent;
  }
  if (!is_line) {
    throw ShapeError(
        fmt::format("input {}: {}: what the maps leave of it is not one line in memory, and the "
                    "kernel takes an example of any shape as one dimension",
                    operand.name, describe(dataset)),
        "map that axis by in_axis, or map axes before those of the example");
  }
}

[[noreturn]] void refuse_rank(const config::JobConfig& job, const OperandInfo& operand,
                              const io::DatasetInfo& dataset, const InputAxes& axes, int mapped,
                              bool is_window) {
  const auto rank = static_cast<int>(dataset.shape.size());
  const auto cores = static_cast<int>(operand.core.size());
  if (axes.replicated) {
    throw ShapeError(
        fmt::format("input {}: {} has {}; the whole input of {} needs {}", operand.name,
                    describe(dataset), dimensions_text(rank), detail::core_text(operand),
                    cores + mapped),
        mapped == 0
            ? "map it (leave in_axis out), or give a dataset of that rank"
            : "give a dataset of that rank, or null in in_axes of map.vmap where this input "
              "is not mapped");
  }
  const bool may_be_whole = rank == cores && job.inputs.size() > 1;
  throw ShapeError(
      fmt::format("input {}: {} has {}; a batch of {} needs {} or more", operand.name,
                  describe(dataset), dimensions_text(rank), detail::core_text(operand),
                  (is_window ? 0 : 1) + mapped + cores),
      mapped > 0
          ? "give a dataset of that rank, or null in in_axes of map.vmap where this input is "
            "not mapped"
      : may_be_whole
          ? "give a dataset whose first axis counts examples, or this one whole to every "
            "example with in_axis: null"
          : "give a dataset whose first axis counts examples");
}

// What is left are the loops, then the example. A replicated input has no loops.
void take_core(const config::JobConfig& job, const OperandInfo& operand,
               const io::DatasetInfo& dataset, const std::vector<RowAxis>& left, int mapped,
               bool is_window, InputAxes& axes) {
  const std::size_t cores = operand.core.size();
  if (left.size() < cores || (axes.replicated && left.size() != cores)) {
    refuse_rank(job, operand, dataset, axes, mapped, is_window);
  }
  const std::size_t loops = left.size() - cores;
  axes.loops.assign(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(loops));
  for (std::size_t d = loops; d < left.size(); ++d) {
    axes.core.push_back(left[d].extent);
    axes.core_strides.push_back(left[d].stride);
  }
  const auto is_in_window = [&](const RowAxis& axis) {
    return is_window && axis.dataset_axis == axes.rows.axis;
  };
  if (std::none_of(axes.loops.begin(), axes.loops.end(), is_in_window)) return;
  throw ShapeError(
      fmt::format("input {}: the windows along axis {} of {} have the shape {}, and an example {} "
                  "is the end of that shape, without the window's axis",
                  operand.name, axes.rows.axis, describe(dataset), to_string(axes.row_shape),
                  detail::core_text(operand)),
      cores == 0 ? "leave window out: the kernel takes single numbers, and windows are for kernels "
                   "of (t), (...) and the like"
                 : "store the signal along the last axis and say in_axis: -1");
}

void refuse_with_replicated(const config::JobConfig& job, const std::string& input,
                            const std::string& name, const std::string& what) {
  const std::string key = "inputs." + input + "." + name;
  throw ConfigError(fmt::format("{}: {}: {}, but in_axis: null gives this input whole to every "
                                "example",
                                config::to_string(job.where(key)), key, what),
                    "leave out one of the two");
}

}  // namespace

std::string describe(const io::DatasetInfo& dataset) {
  return fmt::format("{}:{} of shape {}", dataset.file, dataset.dataset, to_string(dataset.shape));
}

InputAxes find_input_axes(const config::JobConfig& job, const OperandInfo& operand,
                          const io::DatasetInfo& dataset) {
  const config::InputConfig& given = job.inputs.at(operand.name);
  InputAxes axes;
  axes.replicated = !given.in_axis.mapped;
  if (axes.replicated) {
    if (given.slice) refuse_with_replicated(job, operand.name, "slice", "a slice is of the batch");
    if (given.window) refuse_with_replicated(job, operand.name, "window", "windows make a batch");
    axes.row_shape = dataset.shape;
  } else {
    resolve_rows(job, operand, dataset, axes);
  }
  const bool is_window = given.window.has_value();
  std::vector<RowAxis> left = axes_of_row(axes, is_window);
  int mapped = 0;
  for (std::size_t v = 0; v < job.map.vmap.size(); ++v) {
    axes.vmaps.push_back(take_mapped(job, v, operand, dataset, left));
    if (axes.vmaps.back()) ++mapped;
  }
  const bool takes_rest = operand.core.size() == 1 && operand.core.front().rest;
  if (takes_rest) {
    take_rest(operand, dataset, left, axes);
  } else {
    take_core(job, operand, dataset, left, mapped, is_window, axes);
  }
  return axes;
}

}  // namespace kmap::plan
