#pragma once
// Scalars that stand for maps: "data.h5:/x" for {file: data.h5, dataset: /x}.

#include "config/node.hpp"
#include "config/schema.hpp"

namespace kmap::config {

// Puts the map in the place of a scalar. A missing part is left out of the map; true if none is.
bool expand_short_form(const Key& key, Node& node);

}  // namespace kmap::config
