#pragma once
/// \file
/// Tables that collectives take: groups of indices of an axis, pairs of a permutation, an order.
/// Made on the host before a map and kept as members of the mapped function, never inside it; a
/// copy shares the table.

#include "kmap/detail/inside_map.hpp"
#include "kmap/error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <utility>
#include <vector>

namespace kmap {

namespace detail {

/// A table in host memory: its length in words, itself included, then its words. Functions on a
/// device only hand on where it is.
using Table = Kokkos::View<const std::int64_t*, Kokkos::HostSpace>;

inline Table make_table(const std::vector<std::int64_t>& words) {
  if (InsideMap::here()) {
    throw Error(ExitCode::bad_data,
                "a table for a collective (AxisIndexGroups, Pairs, Permutation) was made inside a "
                "mapped function",
                "make it before the map and keep it as a member of the function");
  }
  const Kokkos::View<std::int64_t*, Kokkos::HostSpace> table(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:table"), words.size() + 1);
  table(0) = static_cast<std::int64_t>(words.size()) + 1;
  for (std::size_t i = 0; i < words.size(); ++i) table(i + 1) = words[i];
  return table;
}

}  // namespace detail

/// Disjoint groups of indices that together are the whole axis (JAX's axis_index_groups): a
/// collective then works within each. Order within a group is the listed one. Whether the groups
/// fit the axis is checked by the collective.
class AxisIndexGroups {
 public:
  explicit AxisIndexGroups(const std::vector<std::vector<std::int64_t>>& groups)
      : table_(encode(groups)),
        size_(groups.empty() ? 0 : static_cast<std::int64_t>(groups.front().size())) {}

  KOKKOS_FUNCTION const std::int64_t* table() const { return table_.data(); }
  /// Members of the first group: of each one, where the collective wants groups of equal size.
  KOKKOS_FUNCTION std::int64_t size() const { return size_; }

 private:
  static detail::Table encode(const std::vector<std::vector<std::int64_t>>& groups) {
    std::vector<std::int64_t> words = {static_cast<std::int64_t>(groups.size())};
    for (const auto& group : groups) words.push_back(static_cast<std::int64_t>(group.size()));
    for (const auto& group : groups) words.insert(words.end(), group.begin(), group.end());
    return detail::make_table(words);
  }

  detail::Table table_;
  std::int64_t size_;
};

/// (source, destination) pairs for ppermute. No source and no destination may repeat.
class Pairs {
 public:
  explicit Pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs)
      : table_(encode(pairs)) {}
  KOKKOS_FUNCTION const std::int64_t* table() const { return table_.data(); }

 private:
  static detail::Table encode(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
    std::vector<std::int64_t> words;
    for (const auto& [source, destination] : pairs) {
      words.push_back(source);
      words.push_back(destination);
    }
    return detail::make_table(words);
  }

  detail::Table table_;
};

/// For ppermute: every index i sends to (i + shift) modulo the length of the axis.
struct Ring {
  std::int64_t shift;
};
KOKKOS_FUNCTION constexpr Ring ring(std::int64_t shift) { return {shift}; }

/// For pshuffle: index i gets the operand of order[i]; a permutation of 0 … n - 1.
class Permutation {
 public:
  explicit Permutation(const std::vector<std::int64_t>& order)
      : table_(detail::make_table(order)) {}
  KOKKOS_FUNCTION const std::int64_t* table() const { return table_.data(); }

 private:
  detail::Table table_;
};

}  // namespace kmap
