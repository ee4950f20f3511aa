#include "plan/bind_kernel.hpp"

#include "config/mistakes.hpp"
#include "config/node.hpp"
#include "config/param_value.hpp"
#include "runtime/nearest.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace kmap::plan {

namespace {

using config::Mistakes;

std::string one_of(const std::vector<std::string>& names) {
  return names.empty() ? "none" : fmt::format("one of {}", fmt::join(names, ", "));
}

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

// Null, and a mistake, if there is none.
const KernelInfo* find(const config::JobConfig& job, Mistakes& mistakes) {
  const auto kernels = all_kernels();
  const KernelInfo* kernel = find_kernel(job.kernel);
  if (kernel != nullptr || mistakes.concern("kernel")) return kernel;
  std::vector<std::string> names;
  for (const KernelInfo* known : kernels) names.push_back(known->name);
  mistakes.add({job.kernel_location, "kernel", "no kernel is named " + config::shown(job.kernel),
                one_of(names) + " (see `kmap list`)", detail::nearest(job.kernel, names)});
  return nullptr;
}

config::ParamType type_of(const ParamInfo& param) {
  constexpr config::ParamType types[] = {config::ParamType::boolean, config::ParamType::integer,
                                         config::ParamType::real, config::ParamType::text};
  return types[param.fallback.index()];
}

std::optional<double> as_number(const ParamValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return static_cast<double>(*integer);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

std::string bounds_text(const ParamInfo& param) {
  if (param.least && param.most && !param.above_least) {
    return fmt::format("{} to {}", *param.least, *param.most);
  }
  std::vector<std::string> bounds;
  if (param.least) {
    bounds.push_back(fmt::format("{} {}", param.above_least ? "above" : "at least", *param.least));
  }
  if (param.most) bounds.push_back(fmt::format("at most {}", *param.most));
  return fmt::format("{}", fmt::join(bounds, ", "));
}

// "a number in Hz, above 0"
std::string expected_text(const ParamInfo& param) {
  if (!param.choices.empty()) return one_of(param.choices);
  constexpr const char* types[] = {"true or false", "an integer", "a number", "text"};
  std::string text = types[param.fallback.index()];
  if (!param.unit.empty() && param.unit != "1") text += " in " + param.unit;
  const std::string bounds = bounds_text(param);
  return bounds.empty() ? text : text + ", " + bounds;
}

// What is wrong with a value of the right type, or nothing.
std::optional<std::string> expected_instead(const ParamInfo& param, const ParamValue& value) {
  if (const auto number = as_number(value)) {
    // Written so that NaN is outside of any bounds.
    const bool inside =
        (!param.least || *number >= *param.least) && (!param.most || *number <= *param.most);
    const bool excluded = param.above_least && number == param.least;
    if (!inside || excluded) return bounds_text(param);
    constexpr double most_single = std::numeric_limits<float>::max();
    if (param.is_single && std::isfinite(*number) && std::abs(*number) > most_single) {
      return fmt::format("at most {} in size", std::numeric_limits<float>::max());
    }
  }
  if (const auto* text = std::get_if<std::string>(&value); text && !param.choices.empty()) {
    if (std::find(param.choices.begin(), param.choices.end(), *text) == param.choices.end()) {
      return one_of(param.choices);
    }
  }
  return std::nullopt;
}

// The kernel's members may be narrower than the 64 bits of the config; bounds are theirs then.
void set_params(const config::JobConfig& job, BoundKernel& bound, Mistakes& mistakes) {
  for (const ParamInfo& param : bound.info->params) {
    bound.values[param.name] = param.fallback;
    const auto given = job.params.find(param.name);
    if (given == job.params.end()) continue;
    const std::string key = "params." + param.name;
    const auto value = config::param_value(param.name, given->second, type_of(param), mistakes);
    if (!value) mistakes.expect(key, expected_text(param));
    if (!value) continue;
    if (const auto expected = expected_instead(param, *value)) {
      mistakes.add(
          {given->second.location, key, fmt::format("{} is not allowed", given->second.text),
           *expected,
           param.choices.empty() ? "" : detail::nearest(given->second.text, param.choices)});
      continue;
    }
    bound.values[param.name] = *value;
  }
}

// Names in the config that the kernel does not have.
template <class Given>
void reject_unknown(const Given& given, const std::vector<std::string>& known,
                    const std::string& group, const std::string& what, const KernelInfo& kernel,
                    Mistakes& mistakes) {
  for (const auto& [name, item] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string wrong =
        known.empty() ? fmt::format("kernel {} has no {}s", kernel.name, what)
                      : fmt::format("kernel {} has no {} of that name", kernel.name, what);
    mistakes.add({item.name_location, group + "." + name, wrong, known.empty() ? "" : one_of(known),
                  detail::nearest(name, known)});
  }
}

void require_inputs(const config::JobConfig& job, const KernelInfo& kernel, Mistakes& mistakes) {
  if (mistakes.concern("inputs")) return;
  for (const OperandInfo& input : kernel.inputs) {
    if (job.inputs.contains(input.name)) continue;
    mistakes.add({job.where("inputs"), "inputs." + input.name,
                  fmt::format("missing: kernel {} needs this input", kernel.name), "FILE:/DATASET",
                  ""});
  }
}

// Of the datasets in the output file: outputs, then coordinates.
std::vector<std::string> dataset_names(const KernelInfo& kernel) {
  std::vector<std::string> names = names_of(kernel.outputs);
  for (const CoordinateInfo& coordinate : kernel.coordinates) names.push_back(coordinate.name);
  return names;
}

// Named dimensions of outputs, in the order of the signature.
std::vector<std::string> output_dims(const KernelInfo& kernel) {
  std::vector<std::string> dims;
  for (const OperandInfo& output : kernel.outputs) {
    for (const CoreDim& dim : output.core) {
      const bool known = std::find(dims.begin(), dims.end(), dim.name) != dims.end();
      if (!dim.fixed && !dim.rest && !known) dims.push_back(dim.name);
    }
  }
  return dims;
}

// Mistakes of the kernel's author, not of the config's.
void check_coordinates(const KernelInfo& kernel) {
  std::vector<std::string> taken = names_of(kernel.outputs);
  const std::vector<std::string> dims = output_dims(kernel);
  for (const CoordinateInfo& coordinate : kernel.coordinates) {
    const std::string what =
        fmt::format("coordinate {} of kernel {}", coordinate.name, kernel.name);
    if (std::find(dims.begin(), dims.end(), coordinate.dim) == dims.end()) {
      throw Error(ExitCode::internal,
                  fmt::format("{}: no output has a named dimension {}", what, coordinate.dim),
                  fmt::format("name {} in .coordinate(\"{}\", …)", one_of(dims), coordinate.name));
    }
    if (std::find(taken.begin(), taken.end(), coordinate.name) != taken.end()) {
      throw Error(ExitCode::internal, what + ": an output or another coordinate has this name",
                  "give each of them a name of its own");
    }
    taken.push_back(coordinate.name);
  }
}

std::string output_path(const config::JobConfig& job, const std::string& name) {
  const auto given = job.output_datasets.find(name);
  return given == job.output_datasets.end() ? "/" + name : given->second.path;
}

// Names of inputs or outputs under in_axes or out_axes.
void check_axes_of(const config::JobConfig& job,
                   const std::map<std::string, config::MappedAxis>& given,
                   const std::vector<std::string>& known, const std::string& group,
                   const std::string& what, const KernelInfo& kernel, Mistakes& mistakes) {
  for (const auto& [name, axis] : given) {
    if (std::find(known.begin(), known.end(), name) != known.end()) continue;
    const std::string key = group + "." + name;
    mistakes.add({job.where(key), key,
                  fmt::format("kernel {} has no {} of that name", kernel.name, what), one_of(known),
                  detail::nearest(name, known)});
  }
}

void check_vmaps(const config::JobConfig& job, const KernelInfo& kernel, Mistakes& mistakes) {
  for (std::size_t v = 0; v < job.map.vmap.size(); ++v) {
    const config::VmapConfig& vmap = job.map.vmap[v];
    const std::string key = fmt::format("map.vmap.{}", v);
    check_axes_of(job, vmap.in_axes, names_of(kernel.inputs), key + ".in_axes", "input", kernel,
                  mistakes);
    check_axes_of(job, vmap.out_axes, names_of(kernel.outputs), key + ".out_axes", "output", kernel,
                  mistakes);
  }
  for (const CoordinateInfo& coordinate : kernel.coordinates) {
    const auto given = job.output_datasets.find(coordinate.name);
    if (given == job.output_datasets.end() || !given->second.out_axis) continue;
    const std::string key = "outputs.datasets." + coordinate.name + ".out_axis";
    mistakes.add({job.where(key), key, "is no axis of the batch: these values are written once",
                  "to be left out", ""});
  }
}

// Each name once, and all that the kernel asks about.
void check_axis_names(const config::JobConfig& job, const KernelInfo& kernel, Mistakes& mistakes) {
  std::vector<std::string> names = {job.map.axis_name};
  for (std::size_t v = 0; v < job.map.vmap.size(); ++v) {
    const std::string& name = job.map.vmap[v].axis_name;
    const std::string key = fmt::format("map.vmap.{}.axis_name", v);
    if (!name.empty() && std::find(names.begin(), names.end(), name) != names.end()) {
      mistakes.add({job.where(key), key, "an axis around has the name " + config::shown(name),
                    "another name", ""});
    }
    if (!name.empty()) names.push_back(name);
  }
  for (const std::string& axis : kernel.axes) {
    if (std::find(names.begin(), names.end(), axis) != names.end()) continue;
    mistakes.add({job.where("map.axis_name"), "map.axis_name",
                  fmt::format("kernel {} asks about the axis {}, and no axis has that name",
                              kernel.name, config::shown(axis)),
                  fmt::format("axis_name: {} here or under map.vmap", axis),
                  detail::nearest(axis, names)});
  }
}

void check_seed(const config::JobConfig& job, const KernelInfo& kernel, Mistakes& mistakes) {
  if (!job.seed || kernel.takes_key) return;
  mistakes.add({job.where("seed"), "seed",
                fmt::format("kernel {} draws no random numbers", kernel.name), "to be left out",
                ""});
}

bool is_inside(const std::string& path, const std::string& group) {
  return path == group || path.starts_with(group + "/");
}

// HDF5 reads "/a//b" and "/a/./b" as "/a/b", and ".." as a name like any other.
bool is_plain(const std::string& path) {
  std::size_t begin = 1;
  while (begin <= path.size()) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string part = path.substr(begin, end - begin);
    if (part.empty() || part == "." || part == "..") return false;
    begin = end + 1;
  }
  return path.starts_with('/');
}

void check_output_paths(const config::JobConfig& job, const KernelInfo& kernel,
                        Mistakes& mistakes) {
  std::vector<std::string> taken = {"/kmap"};
  for (const std::string& output : dataset_names(kernel)) {
    const std::string path = output_path(job, output);
    const std::string key = "outputs.datasets." + output + ".path";
    if (!is_plain(path)) {
      mistakes.add({job.where(key), key, path + " has an empty part, . or .. in it",
                    "a plain path, such as /" + output, ""});
      continue;
    }
    for (const std::string& other : taken) {
      if (!is_inside(path, other) && !is_inside(other, path)) continue;
      mistakes.add({job.where(key), key,
                    fmt::format("{} collides with {}{}", path, other,
                                other == "/kmap" ? ", where kmap keeps the provenance" : ""),
                    "another path", ""});
    }
    taken.push_back(path);
  }
}

// Without the function object.
BoundKernel bind(const config::JobConfig& job, Mistakes& mistakes) {
  BoundKernel bound;
  bound.info = find(job, mistakes);
  if (bound.info == nullptr) return bound;
  check_coordinates(*bound.info);
  const std::vector<std::string> inputs = names_of(bound.info->inputs);
  const std::vector<std::string> outputs = dataset_names(*bound.info);
  reject_unknown(job.params, names_of(bound.info->params), "params", "parameter", *bound.info,
                 mistakes);
  reject_unknown(job.inputs, inputs, "inputs", "input", *bound.info, mistakes);
  reject_unknown(job.output_datasets, outputs, "outputs.datasets", "output", *bound.info, mistakes);
  require_inputs(job, *bound.info, mistakes);
  check_output_paths(job, *bound.info, mistakes);
  check_vmaps(job, *bound.info, mistakes);
  check_axis_names(job, *bound.info, mistakes);
  check_seed(job, *bound.info, mistakes);
  set_params(job, bound, mistakes);
  return bound;
}

}  // namespace

void check_kernel(const config::JobConfig& job, Mistakes& mistakes) { bind(job, mistakes); }

BoundKernel bind_kernel(const config::JobConfig& job) {
  Mistakes mistakes;
  BoundKernel bound = bind(job, mistakes);
  mistakes.throw_if_any();
  bound.params = bound.info->make_params(bound.values);
  return bound;
}

}  // namespace kmap::plan
