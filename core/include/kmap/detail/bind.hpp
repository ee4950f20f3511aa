#pragma once
// From the options of vmap and pmap and their arguments to operands: checks every axis and size.

#include "kmap/axes.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/small_list.hpp"
#include "kmap/detail/views.hpp"
#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::detail {

/// One vmap or pmap: the axes and the name of one mapped axis. Under pmap `size` is that of this
/// rank's shard, `offset` its first global index and `length` that of the whole axis.
template <auto Name, class In, class Out>
struct Level {
  static constexpr auto name = Name;
  In in;
  Out out;
  std::int64_t size = -1;  // -1: taken from the arguments
  std::int64_t offset = 0;
  std::int64_t length = -1;  // -1: as size
};

/// Entry I of an axes tuple in which one entry may stand for all.
template <int I, class... A>
constexpr const auto& entry(const std::tuple<A...>& entries) {
  if constexpr (sizeof...(A) == 1) {
    return std::get<0>(entries);
  } else {
    static_assert(I < static_cast<int>(sizeof...(A)),
                  "kmap: in_axes and out_axes have one entry, or one per argument or output");
    return std::get<I>(entries);
  }
}

template <int I, class Entries>
inline constexpr bool entry_is_none =
    std::is_same_v<std::remove_cvref_t<decltype(entry<I>(std::declval<const Entries&>()))>, None>;

/// The compiler's message shows both numbers.
template <int Given, int Arguments>
struct InAxesCount {
  static_assert(Given == 1 || Given == Arguments,
                "kmap: in_axes has one entry, or as many as there are arguments; `Given` of this "
                "template are given for `Arguments`");
};

/// How many levels map argument (or output) I.
template <int I, class... Entries>
constexpr int mapped_count(std::type_identity<std::tuple<Entries...>>) {
  return (0 + ... + (entry_is_none<I, Entries> ? 0 : 1));
}

/// A shape with strides that loses and gains dimensions while axes are bound.
struct Dims {
  Dimensions extent;
  Dimensions stride;

  int rank() const { return static_cast<int>(extent.size()); }
  void remove(int axis) {
    extent.remove(axis);
    stride.remove(axis);
  }
};

template <class View>
Dims dims_of(const View& view) {
  Dims dims;
  for (std::size_t d = 0; d < View::rank(); ++d) {
    dims.extent.push_back(static_cast<std::int64_t>(view.extent(d)));
    dims.stride.push_back(static_cast<std::int64_t>(view.stride(d)));
  }
  return dims;
}

inline std::string argument_name(int i) { return "args[" + std::to_string(i) + "]"; }

/// How the arguments of a map of F are called in messages.
using NameOf = std::string (*)(int argument);
template <class F>
struct ArgumentNames {
  static std::string name(int i) { return argument_name(i); }
};

/// `axis` in [0, rank), counted from the end if negative.
inline int normalize_in_axis(int axis, int argument, const Dimensions& shape,
                             NameOf name_of = argument_name) {
  const int rank = static_cast<int>(shape.size());
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  const int needed = axis < 0 ? -axis : axis + 1;
  throw ShapeError("in_axes " + std::to_string(axis) + " is out of range for " + name_of(argument) +
                       " of shape " + to_string(to_vector(shape)) + ", rank " +
                       std::to_string(rank),
                   "that axis needs an argument of rank " + std::to_string(needed) + " or more");
}

inline int normalize_out_axis(int axis, int output, int rank) {
  if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
  throw ShapeError("out_axes " + std::to_string(axis) + " is out of range for output " +
                       std::to_string(output) + ", whose rank with the mapped axis is " +
                       std::to_string(rank),
                   "use an axis from " + std::to_string(-rank) + " to " + std::to_string(rank - 1));
}

/// What one argument says of a mapped axis' size.
struct SizeClaim {
  int argument;
  int axis;
  std::int64_t size;
  Dimensions shape;
  NameOf name_of = argument_name;
};

inline std::string describe(const SizeClaim& claim) {
  return claim.name_of(claim.argument) + " has size " + std::to_string(claim.size) + " at axis " +
         std::to_string(claim.axis) + " of shape " + to_string(to_vector(claim.shape));
}

/// Says which claims differ from what most say.
[[noreturn]] inline void refuse_sizes(std::span<const SizeClaim> claims) {
  std::map<std::int64_t, int> votes;
  for (const SizeClaim& claim : claims) ++votes[claim.size];
  std::int64_t majority = claims.front().size;
  for (const auto& [size, count] : votes) {
    if (count > votes[majority]) majority = size;
  }
  std::string text = "the mapped axes differ in size; ";
  const auto list = [&](bool agreeing) {
    const char* separator = "";
    for (const SizeClaim& claim : claims) {
      if ((claim.size == majority) != agreeing) continue;
      text += separator + describe(claim);
      separator = ", ";
    }
  };
  list(true);
  text += "; but ";
  list(false);
  throw ShapeError(text,
                   "give arguments of one size along their mapped axes, or map another axis "
                   "with in_axes");
}

/// The size along one mapped axis, on which all arguments and axis_size (or -1) must agree.
inline std::int64_t agree_on_size(std::span<const SizeClaim> claims, std::int64_t axis_size) {
  if (claims.empty()) {
    if (axis_size >= 0) return axis_size;
    throw ShapeError("nothing to map: in_axes is none for every argument",
                     "map at least one argument, or give axis_size(n)");
  }
  const std::int64_t size = claims.front().size;
  for (const SizeClaim& claim : claims) {
    if (claim.size != size) refuse_sizes(claims);
  }
  if (axis_size >= 0 && axis_size != size) {
    throw ShapeError("axis_size is " + std::to_string(axis_size) + ", but " +
                     describe(claims.front()));
  }
  return size;
}

/// Where the dimensions of an output come from: level l as l, core dimension c as -1 - c.
using Sources = SmallList<int, 2 * max_levels>;

/// Levels and the axes at which an output has them, outermost level first.
using PlacedLevels = SmallList<std::pair<int, int>, max_levels>;

inline Sources place_output(int output, int implicit_first, int implicit_count, int core_rank,
                            std::span<const std::pair<int, int>> axes) {
  Sources sources;
  for (int e = 0; e < implicit_count; ++e) sources.push_back(implicit_first + e);
  for (int c = 0; c < core_rank; ++c) sources.push_back(-1 - c);
  // Inner maps come first: each inserts its axis into what the maps inside it have made.
  for (auto it = axes.rbegin(); it != axes.rend(); ++it) {
    const auto [level, axis] = *it;
    const int rank = static_cast<int>(sources.size()) + 1;
    sources.insert(normalize_out_axis(axis, output, rank), level);
  }
  return sources;
}

}  // namespace kmap::detail
