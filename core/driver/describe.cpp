#include "commands.hpp"
#include "kernel/kernel_text.hpp"
#include "report/config_reference.hpp"
#include "report/example_config.hpp"
#include "report/kernel_json.hpp"
#include "runtime/colour.hpp"
#include "runtime/nearest.hpp"

#include "kmap/kernel_info.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <sstream>

namespace kmap::driver {

namespace {

std::string value_text(const ParamValue& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string type_text(const ParamInfo& param) {
  constexpr const char* names[] = {"true or false", "integer", "number", "text"};
  return names[param.fallback.index()];
}

void print_operands(const char* title, const std::vector<OperandInfo>& operands, bool coloured) {
  if (operands.empty()) return;
  fmt::print("{}\n", detail::bold(title, coloured));
  for (const OperandInfo& operand : operands) {
    fmt::print("  {} {}  {}{}{}{}\n", operand.name, detail::core_text(operand), operand.type_text,
               operand.same_for_all ? ", once for all examples" : "",
               operand.doc.empty() ? "" : "  ", operand.doc);
  }
}

void print_coordinates(const std::vector<CoordinateInfo>& coordinates, bool coloured) {
  if (coordinates.empty()) return;
  fmt::print("{}\n", detail::bold("coordinates, written once:", coloured));
  for (const CoordinateInfo& coordinate : coordinates) {
    fmt::print("  {} ({})  f8{}{}{}\n", coordinate.name, coordinate.dim,
               detail::unit_text(coordinate.unit), coordinate.doc.empty() ? "" : "  ",
               coordinate.doc);
  }
}

void print_params(const std::vector<ParamInfo>& params, bool coloured) {
  if (params.empty()) return;
  fmt::print("{}\n", detail::bold("params:", coloured));
  for (const ParamInfo& param : params) {
    fmt::print("  {}: {}{}, default {}{}\n      {}\n", param.name, type_text(param),
               detail::unit_text(param.unit), value_text(param.fallback),
               detail::allowed_text(param), param.doc);
  }
}

void print_description(const KernelInfo& kernel, bool coloured) {
  fmt::print("{}: {}\n{}, one {} at a time\n", detail::bold(kernel.name, coloured), kernel.doc,
             kernel.signature, kernel.kind == "block" ? "block of examples" : "example");
  if (!kernel.axes.empty()) {
    fmt::print("asks about the whole of the axis {}\n", fmt::join(kernel.axes, ", "));
  }
  if (kernel.takes_key) fmt::print("draws random numbers from a key per example\n");
  print_operands("inputs:", kernel.inputs, coloured);
  print_operands("outputs:", kernel.outputs, coloured);
  print_coordinates(kernel.coordinates, coloured);
  print_params(kernel.params, coloured);
  fmt::print("{}\n", detail::bold("example of a config:", coloured));
  std::istringstream config(report::example_config(kernel));
  for (std::string text; std::getline(config, text);) fmt::print("  {}\n", text);
}

const KernelInfo& find(const std::string& wanted) {
  const auto kernels = all_kernels();
  if (const KernelInfo* kernel = find_kernel(wanted)) return *kernel;
  std::vector<std::string> names;
  for (const KernelInfo* kernel : kernels) names.push_back(kernel->name);
  const std::string nearest = detail::nearest(wanted, names);
  throw Error(ExitCode::usage, fmt::format("no kernel is named \"{}\"", wanted),
              nearest.empty() ? "see `kmap list`" : "did you mean " + nearest + "?");
}

ExitCode describe_config(const Runtime& runtime, const CommandLine& line) {
  if (line.json) {
    agreed(runtime.comm(), [] {
      throw Error(ExitCode::usage, "--json is of a kernel", "name one, as `kmap list` shows them");
    });
  }
  if (runtime.comm().is_root()) fmt::print("{}", report::config_reference());
  return ExitCode::ok;
}

}  // namespace

ExitCode describe(const Runtime& runtime, const CommandLine& line) {
  if (line.kernel.empty()) return describe_config(runtime, line);
  const KernelInfo* kernel = agreed(runtime.comm(), [&] { return &find(line.kernel); });
  if (!runtime.comm().is_root()) return ExitCode::ok;
  if (line.json) {
    nlohmann::ordered_json json = report::kernel_json(*kernel);
    json["example_config"] = report::example_config(*kernel);
    fmt::print("{}", report::json_text(json));
  } else {
    print_description(*kernel, detail::use_colours(STDOUT_FILENO));
  }
  return ExitCode::ok;
}

}  // namespace kmap::driver
