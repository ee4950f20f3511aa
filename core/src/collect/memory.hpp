#pragma once
// The memory that a collective takes, before it is done.

#include "kmap/communicator.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/replay.hpp"

#include <cstdint>

namespace kmap::detail {

/// Bytes on this rank. Where groups are not known (no table), what is needed at least.
struct CallMemory {
  std::int64_t recording = 0;  // beside the operands of a run
  std::int64_t combining = 0;  // with what was recorded and the result
  std::int64_t result = 0;
};

CallMemory memory_of(const IterationSpace& space, const Communicator* comm,
                     const CollectiveCall& call);

/// The sum and product of numbers that are not negative, or the greatest number.
std::int64_t plus(std::int64_t a, std::int64_t b);
std::int64_t times(std::int64_t a, std::int64_t b);

}  // namespace kmap::detail
