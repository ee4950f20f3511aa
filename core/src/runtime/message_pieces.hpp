#pragma once
// MPI counts are ints: larger messages go in pieces.

#include <algorithm>
#include <cstddef>

namespace kmap::detail {

// Calls action(offset, bytes) for pieces of at most 1 GiB.
template <class Action>
void for_each_piece(std::size_t bytes, const Action& action) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t done = 0; done < bytes; done += most) {
    action(done, static_cast<int>(std::min(most, bytes - done)));
  }
}

}  // namespace kmap::detail
