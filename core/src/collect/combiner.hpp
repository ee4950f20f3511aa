#pragma once
// How elements of one type are combined: kernels behind function pointers, so that they are
// compiled in one place.

#include "collect/strided_copy.hpp"

#include "kmap/detail/replay.hpp"
#include "kmap/dtype.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kmap::detail {

/// The members of a leaf: `count` of them, `stride` apart from `first`, or as listed. More than
/// leaf_size are those of a subtree, at most subtree_leaves; only on hosts, and not listed.
struct Leaf {
  std::int64_t first = 0;  // offset of the first member, or with a list the first in the list
  std::int64_t count = 0;
};

struct Combiner {
  /// Sums `leaves` of `in` to `out`, which is (leaves, positions), the positions those of `dims` in
  /// row-major order. `members`: the offsets of all members, or empty.
  void (*sum)(const void* in, void* out, const std::vector<Leaf>& leaves,
              const std::vector<std::int64_t>& members, std::int64_t stride,
              const std::vector<CopyDim>& dims);
  /// sums[to] = sums[to] + sums[from] for each pair, all positions.
  void (*add)(void* sums, const std::vector<std::int64_t>& to,
              const std::vector<std::int64_t>& from, std::int64_t positions);
  /// Group g of the result from slot[g] of the sums, divided by size[g] if that is not 0.
  void (*finish)(const void* sums, void* out, const std::vector<std::int64_t>& slot,
                 const std::vector<std::int64_t>& size, std::int64_t positions);
  std::size_t result_size;  // bytes of an element of the result
};

/// Of a reduction, with operands of that type.
template <class Space>
Combiner combiner_for(CollectiveKind kind, DType dtype);

}  // namespace kmap::detail
