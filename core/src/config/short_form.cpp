#include "config/short_form.hpp"

#include <string>
#include <utility>

namespace kmap::config {
namespace {

void put(Node& map, const Key& key, std::string text, const Node& from) {
  Node value = scalar_node(std::move(text), from.quoted, from.place);
  value.variables_done = from.variables_done;
  map.entries.push_back({std::string(key.name), from.place, std::move(value)});
}

}  // namespace

bool expand_short_form(const Key& key, Node& node) {
  const Node scalar = std::exchange(node, map_node(node.place));
  if (key.short_form == ShortForm::first_key) {
    put(node, key.keys[0], scalar.text, scalar);
    return true;
  }
  // The last one, as a file's name may have a colon, too.
  const std::size_t split = scalar.text.rfind(":/");
  put(node, key.keys[0], scalar.text.substr(0, split), scalar);
  if (split == std::string::npos) return false;
  put(node, key.keys[1], scalar.text.substr(split + 1), scalar);
  return true;
}

}  // namespace kmap::config
