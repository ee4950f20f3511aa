#include "config/check_scalar.hpp"

#include "config/parse_value.hpp"
#include "runtime/lower_case.hpp"
#include "runtime/nearest.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

namespace kmap::config {
namespace {

bool has_control_character(std::string_view text) {
  return std::any_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

std::string wrong_text(const Node& node) {
  if (node.text.empty()) return "is empty";
  if (!node.quoted && (looks_like_number(node.text) || parse_boolean(node.text))) {
    return what_it_is(node) + " unless it is quoted";
  }
  return has_control_character(node.text) ? "has line breaks or control characters" : "";
}

std::string wrong_file(const Node& node) {
  if (std::string wrong = wrong_text(node); !wrong.empty()) return wrong;
  if (node.text == "~" || node.text.starts_with("~/")) return "~ is not replaced; use ${HOME}";
  return "";
}

std::string wrong_dataset(const Node& node) {
  if (std::string wrong = wrong_text(node); !wrong.empty()) return wrong;
  return node.text.ends_with('/') ? shown(node.text) + " is a group" : "";
}

std::string wrong_choice(const Key& key, const Node& node) {
  const bool is_known =
      std::find(key.choices.begin(), key.choices.end(), node.text) != key.choices.end();
  if (is_known) return "";
  const std::string is = what_it_is(node);
  return is.ends_with(" is text") ? shown(node.text) + " is unknown" : is;
}

// Of a number that parse_integer does not take.
std::string wrong_integer(const std::string& number) {
  const std::optional<double> real = parse_real(number);
  if (!real) return number + " is not a plain decimal number";  // 010 (octal or ten?), 0x10, 1_000
  if (!std::isfinite(*real)) return number + " is not finite";
  return number + (std::abs(*real) >= 0x1p63 ? " does not fit into 64 bits"
                                             : " is a number with a fraction");
}

std::string wrong_axis(const Node& node) {
  const std::optional<std::int64_t> axis = node.quoted ? std::nullopt : parse_integer(node.text);
  if (!axis && !node.quoted && looks_like_number(node.text)) return wrong_integer(node.text);
  if (!axis) return what_it_is(node);
  // HDF5's datasets have at most 32 dimensions.
  return *axis >= -32 && *axis < 32 ? "" : node.text + " is no axis of any dataset";
}

// The first part of START:STOP:STEP that is a number, but no integer; "" if there is none.
std::string wrong_part(std::string_view slice) {
  if (slice.find(':') == slice.npos) return "";
  while (!slice.empty()) {
    const std::string part(slice.substr(0, slice.find(':')));
    slice.remove_prefix(std::min(part.size() + 1, slice.size()));
    if (looks_like_number(part) && !parse_integer(part)) return wrong_integer(part);
  }
  return "";
}

std::string wrong_slice(const Node& node) {
  const std::optional<Slice> slice = parse_slice(node.text);
  if (!slice) {
    const std::string part = wrong_part(node.text);
    if (!part.empty()) return shown(node.text) + ": " + part;
    return node.quoted ? shown(node.text) + " is no slice" : what_it_is(node);
  }
  return slice->step == 0 ? "a step of 0" : "";
}

std::string wrong_whole_number(const Node& node) {
  const bool is_integer = !node.quoted && parse_integer(node.text);
  if (is_integer) return "";
  return !node.quoted && looks_like_number(node.text) ? wrong_integer(node.text) : what_it_is(node);
}

std::string wrong_count(const Node& node) {
  if (std::string wrong = wrong_whole_number(node); !wrong.empty()) return wrong;
  return *parse_integer(node.text) >= 1 ? "" : node.text + " is not positive";
}

bool is_negative(std::string_view text) {
  return text.starts_with('-') && text.size() > 1 && text[1] >= '0' && text[1] <= '9';
}

std::string wrong_duration(const Node& node) {
  const std::optional<double> seconds = parse_duration(node.text);
  if (!seconds && is_negative(node.text) && parse_duration(std::string_view(node.text).substr(1))) {
    return shown(node.text) + " is negative";
  }
  if (!seconds) {
    const bool is_number = !node.quoted && looks_like_number(node.text);
    return is_number ? node.text + " has no unit" : what_it_is(node);
  }
  return *seconds > 0 ? "" : "is not positive";
}

std::string wrong_size(const Node& node) {
  const bool is_number = looks_like_number(node.text);
  if (node.quoted && is_number) return what_it_is(node);
  const auto size = parse_size(node.text);
  if (size) return *size > 0 ? "" : "is not positive";
  if (is_number) return node.text + " is not a number of bytes";
  const std::string_view text = node.text;
  const std::size_t last_digit = text.find_last_of("0123456789");
  const bool has_unit =
      last_digit != text.npos && parse_size("1" + node.text.substr(last_digit + 1));
  if (!has_unit) return what_it_is(node);
  const std::optional<double> number = parse_real(text.substr(0, last_digit + 1));
  if (!number) return shown(text) + " has no plain decimal number before its unit";
  if (*number < 0) return shown(text) + " is negative";
  return shown(text) + (*number >= 0x1p23 ? " is too large" : " has a part of a byte");
}

// What NumPy and C call the types; float and int are not the same in both.
std::string type_meant(std::string_view name) {
  struct Alias {
    std::string_view name, meant;
  };
  constexpr std::array<Alias, 14> aliases = {{{"float64", "f8"},
                                              {"double", "f8"},
                                              {"float32", "f4"},
                                              {"int8", "i1"},
                                              {"int16", "i2"},
                                              {"int32", "i4"},
                                              {"int64", "i8"},
                                              {"uint8", "u1"},
                                              {"uint16", "u2"},
                                              {"uint32", "u4"},
                                              {"uint64", "u8"},
                                              {"complex64", "c8"},
                                              {"complex128", "c16"},
                                              {"boolean", "bool"}}};
  for (const Alias& alias : aliases) {
    if (alias.name == name) return std::string(alias.meant);
  }
  return "";
}

// The unit as kmap writes it, if only capitals differ.
std::string size_meant(const std::string& text) {
  constexpr std::array<std::string_view, 9> names = {"B",   "kB",  "MB",  "GB", "TB",
                                                     "KiB", "MiB", "GiB", "TiB"};
  const std::size_t begin = std::min(text.find_last_of("0123456789. ") + 1, text.size());
  for (const std::string_view name : names) {
    const std::string meant = text.substr(0, begin) + std::string(name);
    if (detail::lower_case(text.substr(begin)) == detail::lower_case(name) && parse_size(meant))
      return meant;
  }
  return "";
}

}  // namespace

std::string join_names(std::span<const std::string_view> names) {
  std::string text;
  for (const std::string_view name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

std::optional<Slice> parse_slice(std::string_view text) {
  std::array<std::optional<std::int64_t>, 3> values;  // start, stop, step
  std::size_t parts = 0;
  for (bool is_last = false; !is_last; ++parts) {
    if (parts == values.size()) return std::nullopt;
    const std::size_t colon = text.find(':');
    is_last = colon == text.npos;
    const std::string_view part = text.substr(0, colon);
    text.remove_prefix(is_last ? text.size() : colon + 1);
    if (part.empty()) continue;
    values[parts] = parse_integer(part);
    if (!values[parts]) return std::nullopt;
  }
  if (parts < 2) return std::nullopt;
  return Slice{values[0], values[1], values[2].value_or(1)};
}

std::string wrong_with(const Key& key, const Node& node) {
  if (node.is_null() && key.kind == Kind::axis && !node.text.empty()) return "";
  if (!node.is_scalar()) return what_it_is(node);
  switch (key.kind) {
    case Kind::text:
      return wrong_text(node);
    case Kind::file:
      return wrong_file(node);
    case Kind::dataset:
      return wrong_dataset(node);
    case Kind::choice:
      return wrong_choice(key, node);
    case Kind::axis:
      return wrong_axis(node);
    case Kind::slice:
      return wrong_slice(node);
    case Kind::count:
      return wrong_count(node);
    case Kind::integer:
      return wrong_whole_number(node);
    case Kind::size:
      return wrong_size(node);
    case Kind::duration:
      return wrong_duration(node);
    case Kind::scalar:
      return "";
    case Kind::map:
    case Kind::named:
    case Kind::list:
      break;
  }
  return what_it_is(node);
}

std::string meant_by(const Key& key, const Node& node) {
  if (!node.is_scalar()) return "";
  if (key.kind == Kind::size) return parse_size(node.text) ? "" : size_meant(node.text);
  if (key.kind != Kind::choice || looks_like_number(node.text)) return "";
  if (std::string alias = type_meant(node.text);
      std::count(key.choices.begin(), key.choices.end(), alias) > 0) {
    return alias;
  }
  return detail::nearest(node.text,
                         std::vector<std::string>(key.choices.begin(), key.choices.end()));
}

std::string expected_by(const Key& key) {
  const std::string example = key.example.empty() ? "" : ", such as " + std::string(key.example);
  std::vector<std::string_view> names;
  for (const Key& inner : key.keys) names.push_back(inner.name);
  switch (key.kind) {
    case Kind::text:
      return "text" + example;
    case Kind::file:
      return "the name of a file" + example;
    case Kind::dataset:
      return "the path of a dataset" + example;
    case Kind::choice:
      return "one of " + join_names(key.choices);
    case Kind::axis:
      return "an axis" + example + ", or null";
    case Kind::slice:
      return "START:STOP or START:STOP:STEP" + example;
    case Kind::count:
      return "a positive integer" + example;
    case Kind::integer:
      return "an integer" + example;
    case Kind::duration:
      return "a time" + example + " (ms, s, min, h, d, or HH:MM:SS)";
    case Kind::size:
      return "a size" + example + " (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)";
    case Kind::scalar:
      return "a number, true, false or text";
    case Kind::named:
      return "a map of names";
    case Kind::list:
      return "a list, whose items begin with -";
    case Kind::map:
      break;
  }
  const bool has_short_form = key.short_form != ShortForm::none;
  return (has_short_form ? std::string(key.example) + " or " : "") + "a map with the keys " +
         join_names(names);
}

}  // namespace kmap::config
