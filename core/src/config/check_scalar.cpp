#include "config/check_scalar.hpp"

#include "config/parse_value.hpp"

#include <algorithm>
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

std::string wrong_axis(const Node& node) {
  if (!node.quoted && node.text == "0") return "";
  const bool is_integer = !node.quoted && parse_integer(node.text);
  return is_integer ? "axis " + node.text + " is not supported" : what_it_is(node);
}

std::string wrong_slice(const Node& node) {
  if (parse_slice(node.text)) return "";
  const auto colons = std::count(node.text.begin(), node.text.end(), ':');
  return colons == 2 ? "a step is not supported" : what_it_is(node);
}

std::string wrong_size(const Node& node) {
  const bool is_number = looks_like_number(node.text);
  if (node.quoted && is_number) return what_it_is(node);
  const auto size = parse_size(node.text);
  if (!size) return is_number ? node.text + " is not a number of bytes" : what_it_is(node);
  return *size > 0 ? "" : "is not positive";
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
  const std::size_t colon = text.find(':');
  if (colon == text.npos) return std::nullopt;
  Slice slice;
  for (const bool is_start : {true, false}) {
    const std::string_view part = is_start ? text.substr(0, colon) : text.substr(colon + 1);
    if (part.empty()) continue;
    const auto value = parse_integer(part);
    if (!value) return std::nullopt;
    (is_start ? slice.start : slice.stop) = value;
  }
  return slice;
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
    case Kind::size:
      return wrong_size(node);
    case Kind::scalar:
      return "";
    case Kind::map:
    case Kind::named:
      break;
  }
  return what_it_is(node);
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
      return "0 or null";
    case Kind::slice:
      return "START:STOP" + example;
    case Kind::size:
      return "a size" + example + " (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)";
    case Kind::scalar:
      return "a number, true, false or text";
    case Kind::named:
      return "a map of names";
    case Kind::map:
      break;
  }
  const bool has_short_form = key.short_form != ShortForm::none;
  return (has_short_form ? std::string(key.example) + " or " : "") + "a map with the keys " +
         join_names(names);
}

}  // namespace kmap::config
