#include "plan/input_types.hpp"

#include "io/conversion.hpp"
#include "plan/choose_type.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kmap::plan {

namespace {

std::string type_names(const std::vector<DType>& types) {
  std::vector<std::string_view> names;
  for (const DType type : types) names.push_back(name(type));
  return fmt::format("{}", fmt::join(names, ", "));
}

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

}  // namespace

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

void require_conversion(const config::JobConfig& job, const std::string& key,
                        const std::string& what, DType from, DType to) {
  if (io::can_convert(from, to)) return;
  throw ConfigError(
      fmt::format("{}: {}: {}{} cannot become {}: complex numbers have no place in it",
                  config::to_string(job.where(key)), key, what.empty() ? "" : what + " of type ",
                  name(from), name(to)),
      "say c8 or c16");
}

}  // namespace kmap::plan
