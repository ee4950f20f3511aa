#pragma once
// The leaves of the tree of a sum: 1024 neighbours each, by the places of a whole axis.

#include "kmap/shape.hpp"

#include <algorithm>
#include <cstdint>

namespace kmap::detail {

/// Examples of one leaf of the tree.
inline constexpr std::int64_t leaf_size = 1024;

/// Leaves of a subtree that one task can add up by itself: a power of two.
inline constexpr std::int64_t subtree_leaves = 16;

inline std::int64_t leaves_in(std::int64_t places) { return (places + leaf_size - 1) / leaf_size; }

/// How neighbouring places on one rank, [begin, end) of `all`, lie in leaves: the first ones in a
/// leaf that an earlier rank sums; then its own complete leaves; then those in a leaf of its own
/// that later ranks share.
struct OwnLeaves {
  Range places;
  std::int64_t all = 0;
  std::int64_t head_end = 0;
  std::int64_t complete = 0;
  std::int64_t tail_begin = 0;

  OwnLeaves(Range mine, std::int64_t count) : places(mine), all(count) {
    const std::int64_t boundary = leaves_in(mine.begin) * leaf_size;
    head_end = std::min(mine.end, boundary);
    const std::int64_t own = mine.end - head_end;
    complete = mine.end == count ? leaves_in(own) : own / leaf_size;
    tail_begin = std::min(mine.end, head_end + complete * leaf_size);
  }

  std::int64_t head() const { return head_end - places.begin; }
  std::int64_t tail() const { return places.end - tail_begin; }
  /// Leaves that this rank sums.
  std::int64_t owned() const { return complete + (tail() > 0 ? 1 : 0); }
  /// Members of the one that it shares with later ranks.
  std::int64_t shared() const { return tail() > 0 ? std::min(leaf_size, all - tail_begin) : 0; }
  /// Operands of an unfinished own leaf, at most.
  std::int64_t most_open() const { return std::min(leaf_size, places.end - head_end); }
  /// The end of the leaf that has this place.
  std::int64_t leaf_end(std::int64_t place) const {
    return std::min(all, (place / leaf_size + 1) * leaf_size);
  }
};

}  // namespace kmap::detail
