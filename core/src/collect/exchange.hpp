#pragma once
// Bytes between all ranks.

#include "kmap/communicator.hpp"

#include <cstddef>
#include <vector>

namespace kmap::detail {

/// Sends `sent[r]` bytes to each rank r, which lie one after the other in `send`, and receives
/// `received[r]` bytes from each into `receive`. Collective.
void exchange(const Communicator& comm, const std::byte* send, const std::vector<std::size_t>& sent,
              std::byte* receive, const std::vector<std::size_t>& received);

/// Everyone's bytes to all, in the order of ranks: `sizes[r]` from rank r. Collective.
void gather_all(const Communicator& comm, const std::byte* mine,
                const std::vector<std::size_t>& sizes, std::byte* all);

}  // namespace kmap::detail
