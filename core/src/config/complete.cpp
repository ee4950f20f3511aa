#include "config/complete.hpp"

#include "config/check_scalar.hpp"
#include "config/parse_value.hpp"
#include "config/schema.hpp"
#include "config/short_form.hpp"
#include "config/variables.hpp"
#include "runtime/nearest.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace kmap::config {
namespace {

class Completer {
 public:
  Completer(const Folders& folders, Mistakes& mistakes) : folders_(folders), mistakes_(mistakes) {}

  // `path` is where `node` is, `name` the last part of it.
  void complete(const Key& key, Node& node, const std::string& path, const std::string& name) {
    if (node.refused) return;
    switch (key.kind) {
      case Kind::map:
        return complete_map(key, node, path, name);
      case Kind::named:
        return complete_named(key, node, path);
      case Kind::list:
        return complete_list(key, node, path);
      default:
        return complete_scalar(key, node, path);
    }
  }

 private:
  void complete_map(const Key& key, Node& node, const std::string& path, const std::string& name) {
    if (!make_map(key, node, path)) return;
    refuse_unknown(key, node, path);
    std::vector<Node::Entry> in_order;
    for (const Key& inner : key.keys) {
      const std::string inner_path = join_key(path, std::string(inner.name));
      if (Node* value = node.find(inner.name)) {
        complete(inner, *value, inner_path, std::string(inner.name));
      } else if (!add_default(inner, node, inner_path, name)) {
        continue;
      }
      for (Node::Entry& entry : node.entries) {
        if (entry.name == inner.name) in_order.push_back(std::move(entry));
      }
    }
    node.entries = std::move(in_order);
  }

  void complete_named(const Key& key, Node& node, const std::string& path) {
    if (!make_map(key, node, path)) return;
    for (Node::Entry& entry : node.entries) {
      complete(*key.each, entry.value, join_key(path, entry.name), entry.name);
    }
  }

  void complete_list(const Key& key, Node& node, const std::string& path) {
    if (node.is_null()) node.kind = Node::Kind::list;  // a section whose items are comments
    if (node.kind != Node::Kind::list) {
      mistakes_.add({node.place, path, what_it_is(node), expected_by(key), ""});
      return;
    }
    for (std::size_t i = 0; i < node.items.size(); ++i) {
      const std::string number = std::to_string(i);
      complete(*key.each, node.items[i], join_key(path, number), number);
    }
  }

  void complete_scalar(const Key& key, Node& node, const std::string& path) {
    if (const std::string wrong = wrong_with(key, node); !wrong.empty()) {
      mistakes_.add({node.place, path, wrong, expected_by(key), meant_by(key, node)});
      return;
    }
    if (key.kind == Kind::file) node.text = absolute_path(node).string();
    if (key.kind == Kind::dataset && !node.text.starts_with('/')) node.text.insert(0, "/");
  }

  // Turns the node into a map if it may stand for one; false, and a mistake, if it may not.
  bool make_map(const Key& key, Node& node, const std::string& path) {
    if (node.is_map()) return true;
    if (node.is_null() && !key.required && !path.empty()) {  // a section whose keys are comments
      node = map_node(node.place);
      return true;
    }
    if (node.is_scalar() && key.short_form != ShortForm::none) return expand(key, node, path);
    mistakes_.add({node.place, path, what_it_is(node), expected_by(key), ""});
    return false;
  }

  bool expand(const Key& key, Node& node, const std::string& path) {
    const Node scalar = node;
    const bool is_text = wrong_with(key.keys[0], scalar).empty();
    const bool has_all_parts = expand_short_form(key, node);
    if (is_text && !has_all_parts) {
      mistakes_.add({scalar.place, path, shown(scalar.text) + " names no dataset",
                     "FILE:/DATASET, such as " + std::string(key.example), ""});
      return false;
    }
    const bool is_one_file =
        key.short_form == ShortForm::first_key && key.keys[0].kind == Kind::file;
    if (is_text && is_one_file && scalar.text.find(":/") != std::string::npos) {
      mistakes_.add({scalar.place, path, shown(scalar.text) + " names a dataset",
                     "a file alone; datasets are named in " + join_key(path, "datasets"), ""});
      return false;
    }
    return true;
  }

  void refuse_unknown(const Key& key, const Node& node, const std::string& path) {
    std::vector<std::string_view> names;
    for (const Key& inner : key.keys) names.push_back(inner.name);
    for (const Node::Entry& entry : node.entries) {
      if (find_key(key, entry.name) != nullptr) continue;
      mistakes_.add({entry.name_place, join_key(path, entry.name), "unknown key",
                     "one of " + join_names(names), nearest_of(names, entry.name)});
    }
  }

  // False if there is no default, which is a mistake if the key is required.
  bool add_default(const Key& key, Node& map, const std::string& path, const std::string& name) {
    const bool is_section = key.kind == Kind::map || key.kind == Kind::named;
    if (key.required) {
      mistakes_.add({map.place, path, "missing", expected_by(key), ""});
      return false;
    }
    if (is_section ? has_required_keys(key) : key.default_value.empty()) return false;
    Node value = map_node(map.place);
    if (is_section) {
      complete(key, value, path, std::string(key.name));
    } else {
      const bool is_named = key.default_value == "/NAME";
      value =
          scalar_node(is_named ? "/" + name : std::string(key.default_value), is_named, map.place);
    }
    map.entries.push_back({std::string(key.name), map.place, std::move(value)});
    return true;
  }

  static bool has_required_keys(const Key& section) {
    return std::any_of(section.keys.begin(), section.keys.end(),
                       [](const Key& key) { return key.required; });
  }

  static std::string nearest_of(std::span<const std::string_view> names, const std::string& name) {
    return detail::nearest(name, std::vector<std::string>(names.begin(), names.end()));
  }

  std::filesystem::path absolute_path(const Node& node) const {
    const std::filesystem::path path = node.text;
    if (path.is_absolute()) return path;
    if (node.place.line == 0) return (folders_.working / path).lexically_normal();
    const bool leaves_folder = !path.empty() && *path.lexically_normal().begin() == "..";
    return ((leaves_folder ? folders_.config_real : folders_.config) / path).lexically_normal();
  }

  const Folders& folders_;
  Mistakes& mistakes_;
};

}  // namespace

void complete(Node& root, const Folders& folders, Mistakes& mistakes) {
  Completer(folders, mistakes).complete(schema(), root, "", "");
}

}  // namespace kmap::config
