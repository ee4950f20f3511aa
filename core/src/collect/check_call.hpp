#pragma once
// Whether a collective call fits its axes: groups, permutations, dimensions.

#include "kmap/detail/replay.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kmap::detail {

/// The groups of a call, in the order of their lists; one of all places where it has none (then
/// left empty, as the identity). Made by check_call.
struct CheckedCall {
  CollectiveCall call;  // with its dimensions counted from the front
  std::int64_t places = 0;
  std::vector<std::vector<std::int64_t>> groups;  // empty: all places in order
  /// ppermute, pshuffle: the source of each place, or -1.
  std::vector<std::int64_t> sources;

  std::size_t group_count() const { return groups.empty() ? 1 : groups.size(); }
  std::int64_t group_size(std::size_t g) const {
    return groups.empty() ? places : static_cast<std::int64_t>(groups[g].size());
  }
  std::int64_t member(std::size_t g, std::int64_t i) const {
    return groups.empty() ? i : groups[g][static_cast<std::size_t>(i)];
  }
  /// The size that all groups have, where the collective wants that.
  std::int64_t size() const { return group_size(0); }
};

/// Throws ShapeError with the collective, its axes, the sizes and the remedy. `places`: n of its
/// axes.
CheckedCall check_call(const CollectiveCall& call, const std::vector<std::string>& names,
                       std::int64_t places);

}  // namespace kmap::detail
