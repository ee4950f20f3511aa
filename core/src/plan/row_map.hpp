#pragma once
// Where the rows of a batch are along an axis.

#include "kmap/shape.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace kmap::plan {

// How a batch lies along an axis of a dataset: row i is [first + i * step, first + i * step +
// length).
struct RowMap {
  std::size_t axis = 0;
  std::int64_t first = 0;
  std::int64_t step = 1;    // negative: backwards
  std::int64_t length = 1;  // of a window; 1 otherwise

  std::int64_t begin(std::int64_t row) const { return first + row * step; }

  // All that the rows, and what lies between them, take of the axis.
  Range span(Range rows) const {
    if (rows.size() <= 0) return {first, first};
    const std::int64_t one = begin(rows.begin);
    const std::int64_t other = begin(rows.end - 1);
    return {std::min(one, other), std::max(one, other) + length};
  }
};

}  // namespace kmap::plan
