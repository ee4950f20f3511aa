#pragma once
// How much memory the processes of this node may use together.

#include <cstdint>

namespace kmap::detail {

// Bytes: the smaller of the node's memory and the limit of this process's control group.
std::int64_t node_memory();

}  // namespace kmap::detail
