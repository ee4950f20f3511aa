#include "kernel/kernel_text.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>
#include <vector>

namespace kmap::detail {

std::string core_text(const OperandInfo& operand) {
  std::vector<std::string_view> names;
  for (const CoreDim& dim : operand.core) names.push_back(dim.name);
  return fmt::format("({})", fmt::join(names, ", "));
}

std::string unit_text(const std::string& unit) {
  return unit.empty() || unit == "1" ? "" : " in " + unit;
}

std::string allowed_text(const ParamInfo& param) {
  if (!param.choices.empty()) return fmt::format(", one of {}", fmt::join(param.choices, ", "));
  std::string text;
  if (param.least) {
    text += fmt::format(", {} {}", param.above_least ? "above" : "at least", *param.least);
  }
  if (param.most) text += fmt::format(", at most {}", *param.most);
  return text;
}

}  // namespace kmap::detail
