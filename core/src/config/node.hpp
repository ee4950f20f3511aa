#pragma once
// A YAML document as a tree that keeps the place of everything.

#include "config/job_config.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace kmap::config {

struct Node {
  enum class Kind { null, scalar, map, list };
  struct Entry;

  Kind kind = Kind::null;
  Location place;
  std::string text;             // of a scalar, or of a null that is written and not just no value
  bool quoted = false;          // a scalar in quotes is text, whatever it looks like
  bool variables_done = false;  // ${…} in the text is literal by now
  bool refused = false;         // a mistake is reported already
  std::vector<Entry> entries;   // of a map, in order; names are unique
  std::vector<Node> items;      // of a list

  bool is_null() const noexcept { return kind == Kind::null; }
  bool is_scalar() const noexcept { return kind == Kind::scalar; }
  bool is_map() const noexcept { return kind == Kind::map; }

  // The value of that name in a map, or nullptr.
  Node* find(std::string_view name);
  const Node* find(std::string_view name) const;
};

struct Node::Entry {
  std::string name;
  Location name_place;
  Node value;
};

// True for null as YAML writes it, without quotes.
bool is_null_text(std::string_view text);

Node scalar_node(std::string text, bool quoted, Location place);
Node map_node(Location place);

// "inputs" and "x" make "inputs.x".
std::string join_key(const std::string& parent, const std::string& name);

// "is a map", "has no value", "1 is a number", "\"1\" is text, as it is quoted": what a node is,
// for messages.
std::string what_it_is(const Node& node);

// `text` in quotes, cut if it is long, on one line: for messages.
std::string shown(std::string_view text);

}  // namespace kmap::config
