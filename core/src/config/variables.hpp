#pragma once
// ${VAR} and ${VAR:-default} in scalars.

#include "config/mistakes.hpp"
#include "config/node.hpp"

#include <functional>
#include <optional>
#include <string>

namespace kmap::config {

// The value of an environment variable, or nothing if it is not set.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

// Replaces them in all scalars of the tree, once: what a variable holds is not looked at again.
// ${VAR:-default} takes the default if VAR is not set or empty; $${ stands for ${ itself. `key` is
// where `node` is, for messages.
void replace_variables(Node& node, const std::string& key, const Environment& environment,
                       Mistakes& mistakes);

}  // namespace kmap::config
