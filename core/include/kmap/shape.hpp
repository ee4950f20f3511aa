#pragma once
/// \file
/// Shapes at run time, and how a leading axis is split over ranks.

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace kmap {

/// Extents of an array, the leading (slowest in HDF5 and NumPy order) axis first.
using Shape = std::vector<std::int64_t>;

/// Number of elements: the product of the extents, 1 for a scalar.
inline std::int64_t count(const Shape& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

/// "(3, 4)", "(5,)", "()": as NumPy prints shapes.
std::string to_string(const Shape& shape);

/// A contiguous part [begin, end) of an axis.
struct Range {
  std::int64_t begin = 0;
  std::int64_t end = 0;
  std::int64_t size() const noexcept { return end - begin; }
  bool operator==(const Range&) const = default;
};

/// Part `part` of `parts` of an axis of length n, in order. Sizes differ by at most one, the longer
/// parts first; parts beyond n are empty.
inline Range shard_of(std::int64_t n, int parts, int part) {
  const std::int64_t base = n / parts;
  const std::int64_t longer = n % parts;
  const std::int64_t begin = part * base + std::min<std::int64_t>(part, longer);
  return {begin, begin + base + (part < longer ? 1 : 0)};
}

}  // namespace kmap
