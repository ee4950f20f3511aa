#pragma once
// all_gather, all_to_all, ppermute, pshuffle, pbroadcast.

#include "collect/task.hpp"

#include <vector>

namespace kmap::detail {

/// Brings every receiver its pieces of the operands and puts them together. Collective over the
/// ranks that the places are on.
template <class Space>
CollectiveResult moved(const Task& task, std::vector<Bytes<Space>>& storage);

}  // namespace kmap::detail
