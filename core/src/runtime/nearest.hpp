#pragma once
// Names that someone may have meant: for messages about unknown keys, kernels, files, datasets.

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kmap::detail {

// Up to `most` of `candidates` that `name` may stand for, the nearest first; empty if none is near.
// Near means few edits (insert, delete, replace, swap of neighbours; case does not count), or that
// one is the beginning of the other.
std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& candidates,
                                       std::size_t most = 3);

// The nearest of them, or "".
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace kmap::detail
