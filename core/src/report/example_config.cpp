#include "report/example_config.hpp"

#include "kernel/kernel_text.hpp"
#include "report/kernel_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace kmap::report {

namespace {

// In double quotes, with JSON's escapes, which are among YAML's; "${" would be a variable.
std::string quoted(const std::string& text) {
  std::string value = text;
  for (std::size_t at = 0; (at = value.find("${", at)) != std::string::npos; at += 3) {
    value.insert(at, "$");
  }
  return nlohmann::json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string value_text(const ParamValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return quoted(*text);
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string one_line(std::string text) {
  std::replace_if(text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string param_comment(const ParamInfo& param) {
  std::string text = type_name(param.fallback);
  text += detail::unit_text(param.unit) + detail::allowed_text(param);
  if (!param.doc.empty()) text += ": " + param.doc;
  return one_line(text);
}

std::string input_comment(const OperandInfo& input) {
  std::string text = detail::core_text(input) + " of " + input.type_text;
  if (!input.doc.empty()) text += ": " + input.doc;
  return one_line(text);
}

struct Line {
  std::string words;
  std::string comment;
};

// Comments below each other.
std::string lines_text(const std::vector<Line>& lines) {
  std::size_t width = 0;
  for (const Line& line : lines) width = std::max(width, line.words.size());
  std::string text;
  for (const Line& line : lines) {
    text += fmt::format("  {:<{}}  # {}\n", line.words, width, line.comment);
  }
  return text;
}

}  // namespace

std::string example_config(const KernelInfo& kernel) {
  std::string text = fmt::format("# {}\nkernel: {}\n", one_line(kernel.doc), kernel.name);
  std::vector<Line> params;
  for (const ParamInfo& param : kernel.params) {
    params.push_back({param.name + ": " + value_text(param.fallback), param_comment(param)});
  }
  if (!params.empty()) text += "params:  # these are the defaults\n" + lines_text(params);
  std::vector<Line> inputs;
  for (const OperandInfo& input : kernel.inputs) {
    inputs.push_back({fmt::format("{0}: data.h5:/{0}", input.name), input_comment(input)});
  }
  if (!inputs.empty()) text += "inputs:\n" + lines_text(inputs);
  if (inputs.empty()) text += "map: {axis_size: 1000}  # examples\n";
  if (kernel.takes_key) text += "seed: 0  # of the random numbers\n";
  return text + "outputs: out.h5\n";
}

}  // namespace kmap::report
