#pragma once
// YAML text -> tree. The subset that a run config needs: one document of maps, lists and scalars.
// Anchors, aliases, merge keys and tags are refused by name.

#include "config/mistakes.hpp"
#include "config/node.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace kmap::config {

// A run config is written by people; what is larger is another kind of file.
inline constexpr std::size_t max_config_bytes = std::size_t{1} << 20;

// The tree of `text`; `file` names it in places. What is wrong goes to `mistakes`, and the tree
// then holds what could be understood. A syntax error ends the reading: the tree is null and
// refused.
Node read_yaml(std::string_view text, const std::string& file, Mistakes& mistakes);

// The tree of an option's value: YAML if it begins with a bracket or a quote, otherwise all of it
// is one plain scalar. Everything in it has the place `option`; mistakes are of `key` or below it.
Node read_option_value(std::string_view text, const std::string& key, const Location& option,
                       Mistakes& mistakes);

// The tree as YAML that read_yaml gives back.
std::string write_yaml(const Node& root);

}  // namespace kmap::config
