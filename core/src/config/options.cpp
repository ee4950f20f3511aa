#include "config/options.hpp"

#include "config/parse_value.hpp"
#include "config/schema.hpp"
#include "config/short_form.hpp"
#include "config/yaml.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace kmap::config {
namespace {

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t"), text.size());
  const std::size_t end = text.find_last_not_of(" \t");
  return end == text.npos ? std::string_view{} : text.substr(begin, end - begin + 1);
}

// The names of a key; empty if one of them is.
std::vector<std::string> split_key(std::string_view key) {
  std::vector<std::string> names;
  while (true) {
    const std::size_t dot = key.find('.');
    names.emplace_back(trimmed(key.substr(0, dot)));
    if (names.back().empty()) return {};
    if (dot == key.npos) return names;
    key.remove_prefix(dot + 1);
  }
}

std::string joined(const std::vector<std::string>& names) {
  std::string key;
  for (const std::string& name : names) key = join_key(key, name);
  return key;
}

// The item of that number, or a new one behind the last; null if `name` is no such number.
Node* item(Node& list, const std::string& name) {
  const std::optional<std::int64_t> number = parse_integer(name);
  const auto size = static_cast<std::int64_t>(list.items.size());
  if (!number || *number < 0 || *number > size) return nullptr;
  if (*number == size) list.items.emplace_back();
  return &list.items[static_cast<std::size_t>(*number)];
}

Node& child(Node& map, const std::string& name, const Location& option) {
  if (Node* found = map.find(name)) return *found;
  map.entries.push_back({name, option, Node{}});
  return map.entries.back().value;
}

void put(Node& root, const std::vector<std::string>& names, Node value, const Location& option,
         const Environment& environment, Mistakes& mistakes) {
  Node* node = &root;
  const Key* key = &schema();
  std::string path;
  for (const std::string& name : names) {
    if (node->is_scalar() && key != nullptr && key->short_form != ShortForm::none) {
      replace_variables(*node, path, environment, mistakes);  // they may hold either part
      expand_short_form(*key, *node);
    }
    const bool is_list = key != nullptr && key->kind == Kind::list;
    if (is_list && node->kind == Node::Kind::null) node->kind = Node::Kind::list;
    Node* found = node->kind == Node::Kind::list ? item(*node, name) : nullptr;
    if (found == nullptr && !node->is_map()) *node = map_node(option);
    node = found != nullptr ? found : &child(*node, name, option);
    if (node->place == Location{}) node->place = option;
    key = key == nullptr ? nullptr : find_key(*key, name);
    path = join_key(path, name);
  }
  *node = std::move(value);
}

}  // namespace

void apply_options(Node& root, const std::vector<std::string>& options,
                   const Environment& environment, Mistakes& mistakes) {
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string& option = options[i];
    const Location place{"--set " + option, 0, static_cast<int>(i) + 1};
    const std::size_t equals = std::min(option.find('='), option.size());
    const std::vector<std::string> names = split_key(std::string_view(option).substr(0, equals));
    if (equals == option.size() || names.empty()) {
      mistakes.add({place, "", equals == option.size() ? "no = in it" : "an empty key",
                    "KEY=VALUE, such as inputs.x.slice=0:10", ""});
      continue;
    }
    const std::string_view value_text = trimmed(std::string_view(option).substr(equals + 1));
    Node value = read_option_value(value_text, joined(names), place, mistakes);
    put(root, names, std::move(value), place, environment, mistakes);
  }
}

}  // namespace kmap::config
