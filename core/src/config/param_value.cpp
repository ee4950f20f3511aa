#include "config/param_value.hpp"

#include "config/node.hpp"
#include "config/parse_value.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace kmap::config {
namespace {

template <class T>
std::optional<ParamValue> as_param(const std::optional<T>& value) {
  return value ? std::optional<ParamValue>(*value) : std::nullopt;
}

bool looks_like_text(const Param& param) {
  return param.quoted || (!looks_like_number(param.text) && !parse_boolean(param.text));
}

std::optional<ParamValue> read(const Param& param, ParamType type) {
  if (type == ParamType::text) {
    return looks_like_text(param) ? std::optional<ParamValue>(param.text) : std::nullopt;
  }
  if (param.quoted) return std::nullopt;
  if (type == ParamType::boolean) return as_param(parse_boolean(param.text));
  if (type == ParamType::integer) return as_param(parse_integer(param.text));
  return as_param(parse_real(param.text));
}

std::string expected_for(ParamType type) {
  constexpr std::array<std::string_view, 4> names = {"true or false", "an integer", "a number",
                                                     "text"};
  return std::string(names[static_cast<std::size_t>(type)]);
}

std::string wrong_number(const Param& param) {
  const std::optional<double> real = parse_real(param.text);
  const bool is_decimal = param.text.find_first_not_of("+-.0123456789eE") == std::string::npos;
  if (real && !std::isfinite(*real)) return param.text + " is not finite";
  if (real && std::abs(*real) >= 0x1p63) return param.text + " does not fit into 64 bits";
  if (real) return param.text + " is a number with a fraction";
  if (is_decimal && param.text.find_first_of("eE") != std::string::npos) {
    return param.text + " is out of range";
  }
  return param.text + " is not a plain decimal number";  // 010 (octal or ten?), 0x10, 1_000
}

std::string wrong_with(const Param& param, ParamType type) {
  const std::string is = what_it_is(scalar_node(param.text, param.quoted, param.location));
  if (type == ParamType::text) return is + " unless it is quoted";
  const bool asks_number = type == ParamType::integer || type == ParamType::real;
  if (asks_number && !looks_like_text(param) && !parse_boolean(param.text)) {
    return wrong_number(param);
  }
  return is;
}

// What other languages write for true and false.
std::string boolean_meant(const Param& param) {
  constexpr std::array<std::string_view, 7> yes = {"True", "TRUE", "yes", "Yes", "on", "On", "y"};
  constexpr std::array<std::string_view, 7> no = {"False", "FALSE", "no", "No", "off", "Off", "n"};
  if (std::find(yes.begin(), yes.end(), param.text) != yes.end()) return "true";
  if (std::find(no.begin(), no.end(), param.text) != no.end()) return "false";
  return "";
}

}  // namespace

std::optional<ParamValue> param_value(const std::string& name, const Param& param, ParamType type,
                                      Mistakes& mistakes) {
  std::optional<ParamValue> value = read(param, type);
  if (!value) {
    mistakes.add({param.location, "params." + name, wrong_with(param, type), expected_for(type),
                  type == ParamType::boolean ? boolean_meant(param) : ""});
  }
  return value;
}

}  // namespace kmap::config
