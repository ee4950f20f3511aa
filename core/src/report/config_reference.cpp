#include "report/config_reference.hpp"

#include "config/check_scalar.hpp"
#include "config/schema.hpp"

#include <fmt/format.h>

namespace kmap::report {

namespace {

std::string joined(const std::string& parent, std::string_view name) {
  return parent.empty() ? std::string(name) : parent + "." + std::string(name);
}

std::string value_text(const config::Key& key) {
  std::string text = config::expected_by(key);
  if (key.required) return text + "; required";
  if (!key.default_value.empty()) text += fmt::format("; default {}", key.default_value);
  return text;
}

void add(const config::Key& key, const std::string& path, std::string& text) {
  if (!path.empty()) text += fmt::format("{}\n    {}\n    {}\n", path, value_text(key), key.doc);
  for (const config::Key& inner : key.keys) add(inner, joined(path, inner.name), text);
  if (key.each != nullptr) add(*key.each, joined(path, key.each->name), text);
}

}  // namespace

std::string config_reference() {
  std::string text;
  add(config::schema(), "", text);
  return text;
}

}  // namespace kmap::report
