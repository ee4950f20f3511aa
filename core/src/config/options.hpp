#pragma once
// --set KEY=VALUE: changes to the tree of a run config.

#include "config/mistakes.hpp"
#include "config/node.hpp"
#include "config/variables.hpp"

#include <string>
#include <vector>

namespace kmap::config {

// Puts VALUE at KEY ("inputs.x.slice"), in the order of the options, so that later ones win. Maps
// on the way are made, short forms on the way are expanded; a map as VALUE replaces what was there.
void apply_options(Node& root, const std::vector<std::string>& options,
                   const Environment& environment, Mistakes& mistakes);

}  // namespace kmap::config
