#pragma once
// The keys of a batch's examples, as an operand that takes no memory.

#include "kmap/detail/operand.hpp"
#include "kmap/random_key.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace kmap::detail {

/// Example i of all, row-major by global index, gets split(root, n)[i].
template <int Levels>
struct KeyOperandOf {
  using element_type = const random::Key;
  using value_type = random::Key;
  static constexpr int rank = 0;
  static constexpr bool mapped = true;
  using example_type = random::Key;

  random::Key root;
  std::int64_t first = 0;  // index of the first example
  Extents<Levels> batch;   // examples from one index of a level to the next

  KOKKOS_FUNCTION random::Key at(std::int64_t offset) const {
    return random::split_at(root, first + offset);
  }
};

using KeyOperand = KeyOperandOf<max_levels>;

template <int Levels>
KOKKOS_FUNCTION KeyOperandOf<1> line_of(const KeyOperandOf<Levels>& operand, std::int64_t offset,
                                        int level) {
  return {operand.root, operand.first + offset, {{operand.batch[level]}}};
}

/// The keys of the examples that `space` has on this rank.
inline KeyOperand example_keys(random::Key root, const IterationSpace& space) {
  KeyOperand keys;
  keys.root = root;
  std::int64_t step = 1;
  for (int l = space.levels - 1; l >= 0; --l) {
    keys.batch[l] = step;
    keys.first += space.offset[l] * step;
    step *= space.length[l];
  }
  return keys;
}

}  // namespace kmap::detail
