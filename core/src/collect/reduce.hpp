#pragma once
// psum, pmean, pmax, pmin, psum_scatter.

#include "collect/task.hpp"

#include <vector>

namespace kmap::detail {

/// One result per group, or with psum_scatter a slice of it for each member. Collective over the
/// ranks that the places are on.
template <class Space>
CollectiveResult reduced(const Task& task, std::vector<Bytes<Space>>& storage);

}  // namespace kmap::detail
