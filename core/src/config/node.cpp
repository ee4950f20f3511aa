#include "config/node.hpp"

#include "config/parse_value.hpp"

#include <algorithm>
#include <utility>

namespace kmap::config {

const Node* Node::find(std::string_view name) const {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &found->value;
}

Node* Node::find(std::string_view name) {
  return const_cast<Node*>(std::as_const(*this).find(name));
}

bool is_null_text(std::string_view text) {
  return text == "null" || text == "Null" || text == "NULL" || text == "~";
}

Node scalar_node(std::string text, bool quoted, Location place) {
  Node node;
  node.kind = Node::Kind::scalar;
  node.place = std::move(place);
  node.text = std::move(text);
  node.quoted = quoted;
  return node;
}

Node map_node(Location place) {
  Node node;
  node.kind = Node::Kind::map;
  node.place = std::move(place);
  return node;
}

std::string join_key(const std::string& parent, const std::string& name) {
  return parent.empty() ? name : parent + "." + name;
}

std::string shown(std::string_view text) {
  constexpr std::size_t longest = 60;
  std::string result = "\"";
  std::size_t size = std::min(text.size(), longest);
  while (size < text.size() && size > 0 && (text[size] & 0xC0) == 0x80) --size;  // whole characters
  for (const char c : text.substr(0, size)) {
    const bool is_control = static_cast<unsigned char>(c) < 0x20 || c == 0x7F;
    result += is_control ? ' ' : c;
  }
  return result + (size < text.size() ? "…\"" : "\"");
}

std::string what_it_is(const Node& node) {
  if (node.is_null()) return node.text.empty() ? "has no value" : "is null";
  if (node.kind == Node::Kind::map) return "is a map";
  if (node.kind == Node::Kind::list) return "is a list";
  if (node.text.empty()) return "is empty";
  if (node.quoted) return shown(node.text) + " is text, as it is quoted";
  if (parse_boolean(node.text)) return node.text + " is a boolean";
  if (looks_like_number(node.text)) return node.text + " is a number";
  return shown(node.text) + " is text";
}

}  // namespace kmap::config
