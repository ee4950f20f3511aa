#pragma once
// psum, pmean, pmax, pmin, psum_scatter.

#include "collect/leaves.hpp"
#include "collect/task.hpp"

#include <vector>

namespace kmap::detail {

/// Operands over the distributed axis that were summed as they came.
template <class Space>
struct SummedLeaves {
  Bytes<Space> sums;  // of the rank's own leaves; that of the shared one, the last, is to be made
  const std::byte* kept;  // its operands of leaves that ranks share: the head's, then the tail's
  OwnLeaves leaves;
};

/// One result per group, or with psum_scatter a slice of it for each member. With `summed` the
/// operands of the task are not looked at. Collective over the ranks that the places are on.
template <class Space>
CollectiveResult reduced(const Task& task, std::vector<Bytes<Space>>& storage,
                         const SummedLeaves<Space>* summed = nullptr);

}  // namespace kmap::detail
