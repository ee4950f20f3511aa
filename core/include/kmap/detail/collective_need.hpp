#pragma once
// What a collective takes in memory, said before it is done.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>

namespace kmap::detail {

/// Bytes on this rank while the operands of one collective (of a tuple, of all its parts) are
/// recorded and combined, the results of those before it included.
struct CollectiveNeed {
  std::size_t number = 0;      // of its first operand, from 1
  std::string call;            // "all_gather over axis …"
  std::int64_t recording = 0;  // beside the operands of a run
  std::int64_t run = 0;        // those, if there is room
  std::int64_t least_run = 0;  // those of one row
  std::int64_t combining = 0;

  std::int64_t bytes(std::int64_t of_run) const {
    return std::max(recording > INT64_MAX - of_run ? INT64_MAX : recording + of_run, combining);
  }
};

}  // namespace kmap::detail
