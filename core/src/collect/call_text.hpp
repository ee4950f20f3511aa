#pragma once
// A collective call in words, for messages.

#include "kmap/detail/collective_session.hpp"
#include "kmap/shape.hpp"

#include <string>
#include <vector>

namespace kmap::detail {

/// "axis \"i\"" or "axes \"i\", \"j\"".
std::string axes_text(const CollectiveCall& call, const std::vector<std::string>& names);

/// "psum over axis \"i\" of f8 with shape (3,)".
std::string call_text(const CollectiveCall& call, const std::vector<std::string>& names);

Shape extents_of(const CollectiveCall& call);

}  // namespace kmap::detail
