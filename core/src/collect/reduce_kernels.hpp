#pragma once
// Sums, greatest and least over many examples, in an order that depends on their number alone.

#include "collect/combiner.hpp"
#include "collect/leaves.hpp"
#include "collect/strided_copy.hpp"

#include "kmap/detail/collective_call.hpp"
#include "kmap/detail/lanes.hpp"
#include "kmap/detail/registers.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace kmap::detail {

/// The lanes that the examples of a leaf add to in turn.
inline constexpr std::int64_t leaf_lanes = 32;

struct Plus {
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const {
    return static_cast<T>(a + b);
  }
};
// NaN wins, wherever it is.
struct Greater {
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const {
    return a < b || b != b ? b : a;
  }
};
struct Less {
  template <class T>
  KOKKOS_FUNCTION T operator()(const T& a, const T& b) const {
    return b < a || b != b ? b : a;
  }
};

/// Integers wrap, as unsigned ones do, and are added in a type that can.
template <class T>
struct SumAs {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && !std::is_same_v<T, bool>)
struct SumAs<T> {
  using type = std::make_unsigned_t<T>;
};

#if KMAP_DETAIL_PACKS
template <class T, class Op>
inline constexpr bool adds_in_registers = std::is_same_v<Op, Plus> && std::is_floating_point_v<T>;

/// A leaf of `groups` times as many neighbours as there are lanes.
template <class T>
T add_groups(const T* x, std::int64_t groups) {
  using LeafLanes = Registers<T, static_cast<int>(leaf_lanes)>;
  LeafLanes sum;
  std::memcpy(&sum, x, sizeof sum);
  for (std::int64_t g = 1; g < groups; ++g) {
    LeafLanes next;
    std::memcpy(&next, x + g * leaf_lanes, sizeof next);
    for (int r = 0; r < LeafLanes::count; ++r) sum.at[r] += next.at[r];
  }
  return join_lanes<T>(sum, Added{});
}
#else
template <class T, class Op>
inline constexpr bool adds_in_registers = false;
#endif

template <class T, class Op, class Space>
struct LeafSums {
  static constexpr bool on_host = std::is_same_v<Space, Kokkos::HostSpace>;
  static constexpr std::int64_t most_block = on_host ? 64 : 1;

  const T* in;
  T* out;  // (leaves, positions)
  Words<Space, Leaf> leaves;
  Words<Space, std::int64_t> members;  // offsets, or empty
  std::int64_t stride;
  CopyDims dims;
  std::int64_t positions;
  std::int64_t lines;
  std::int64_t blocks;  // of the inner dimension
  std::int64_t block;   // positions of one

  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t per_leaf = lines * blocks;
    const std::int64_t l = task / per_leaf;
    const std::int64_t line = (task - l * per_leaf) / blocks;
    const std::int64_t begin = (task - l * per_leaf - line * blocks) * block;
    std::int64_t from = begin * dims.inner().in;
    std::int64_t to = l * positions + begin * dims.inner().out;
    dims.locate(line, from, to);
    const std::int64_t left = dims.inner().extent - begin;
    const std::int64_t width = left < block ? left : block;
    if constexpr (on_host) {
      if (leaves(l).count > leaf_size) {
        subtree(leaves(l), in + from, out + to, width);
        return;
      }
    }
    sum(leaves(l), in + from, out + to, width);
  }

 private:
  KOKKOS_FUNCTION void sum(const Leaf& leaf, const T* x, T* result, std::int64_t width) const {
    if (width == 1) {
      one(leaf, x, *result);
    } else if constexpr (on_host) {
      many(leaf, x, result, width);
    }
  }

  // Its leaves, and then these in pairs as add_leaves does it.
  KOKKOS_FUNCTION void subtree(const Leaf& all, const T* x, T* result, std::int64_t width) const {
    const Op op;
    T sums[subtree_leaves][most_block];
    std::int64_t count = 0;
    for (std::int64_t first = 0; first < all.count; first += leaf_size) {
      const std::int64_t left = all.count - first;
      const Leaf leaf{all.first + first * stride, left < leaf_size ? left : leaf_size};
      sum(leaf, x, sums[count++], width);
    }
    for (std::int64_t step = 1; step < count; step *= 2) {
      for (std::int64_t l = 0; l + step < count; l += 2 * step) {
        for (std::int64_t p = 0; p < width; ++p) sums[l][p] = op(sums[l][p], sums[l + step][p]);
      }
    }
    for (std::int64_t p = 0; p < width; ++p) result[p] = sums[0][p];
  }

  KOKKOS_FUNCTION std::int64_t offset(const Leaf& leaf, std::int64_t j) const {
    return members.size() > 0 ? members(leaf.first + j) : leaf.first + j * stride;
  }

  KOKKOS_FUNCTION void one(const Leaf& leaf, const T* x, T& result) const {
    const Op op;
    const bool neighbours = members.size() == 0 && stride == 1;
    if constexpr (on_host && adds_in_registers<T, Op>) {
      if (neighbours && leaf.count > 0 && leaf.count % leaf_lanes == 0) {
        result = add_groups(x + leaf.first, leaf.count / leaf_lanes);
        return;
      }
    }
    T lane[leaf_lanes];
    const std::int64_t lanes = leaf.count < leaf_lanes ? leaf.count : leaf_lanes;
    for (std::int64_t j = 0; j < lanes; ++j) lane[j] = x[offset(leaf, j)];
    std::int64_t j = lanes;
    if (neighbours) {
      const T* values = x + leaf.first;
      for (; j + leaf_lanes <= leaf.count; j += leaf_lanes) {
        for (std::int64_t k = 0; k < leaf_lanes; ++k) lane[k] = op(lane[k], values[j + k]);
      }
    }
    for (; j < leaf.count; ++j) {
      T& sum = lane[j % leaf_lanes];
      sum = op(sum, x[offset(leaf, j)]);
    }
    for (std::int64_t half = leaf_lanes / 2; half > 0; half /= 2) {
      for (std::int64_t k = 0; k < half; ++k) {
        if (k + half < lanes) lane[k] = op(lane[k], lane[k + half]);
      }
    }
    result = lane[0];
  }

  // The same for `width` positions that lie side by side.
  KOKKOS_FUNCTION void many(const Leaf& leaf, const T* x, T* result, std::int64_t width) const {
    const Op op;
    T lane[leaf_lanes][most_block];
    const std::int64_t lanes = leaf.count < leaf_lanes ? leaf.count : leaf_lanes;
    for (std::int64_t j = 0; j < lanes; ++j) {
      const T* values = x + offset(leaf, j);
      for (std::int64_t p = 0; p < width; ++p) lane[j][p] = values[p];
    }
    for (std::int64_t j = lanes; j < leaf.count; ++j) {
      T* sum = lane[j % leaf_lanes];
      const T* values = x + offset(leaf, j);
      for (std::int64_t p = 0; p < width; ++p) sum[p] = op(sum[p], values[p]);
    }
    for (std::int64_t half = leaf_lanes / 2; half > 0; half /= 2) {
      for (std::int64_t k = 0; k < half && k + half < lanes; ++k) {
        for (std::int64_t p = 0; p < width; ++p) lane[k][p] = op(lane[k][p], lane[k + half][p]);
      }
    }
    for (std::int64_t p = 0; p < width; ++p) result[p] = lane[0][p];
  }
};

/// Combiner::sum.
template <class T, class Op, class Space>
void sum_leaves(const void* in, void* out, const std::vector<Leaf>& leaves,
                const std::vector<std::int64_t>& members, std::int64_t stride,
                const std::vector<CopyDim>& all_dims) {
  using Kernel = LeafSums<T, Op, Space>;
  const CopyDims dims(all_dims);
  std::int64_t positions = 1;
  for (const CopyDim& dim : all_dims) positions *= dim.extent;
  if (positions == 0 || leaves.empty()) return;
  const bool side_by_side = dims.inner().in == 1 && dims.inner().out == 1;
  const std::int64_t block = side_by_side ? Kernel::most_block : 1;
  const std::int64_t blocks = (dims.inner().extent + block - 1) / block;
  const std::int64_t lines = dims.outer_count();
  const Kernel kernel{static_cast<const T*>(in),
                      static_cast<T*>(out),
                      to_space<Space>(leaves),
                      to_space<Space>(members),
                      stride,
                      dims,
                      positions,
                      lines,
                      blocks,
                      block};
  const auto tasks = static_cast<std::int64_t>(leaves.size()) * lines * blocks;
  run_tasks<Space>("kmap:collect:leaves", tasks, kernel);
}

template <class T, class Op, class Space>
struct AddPairs {
  T* sums;  // (slots, positions)
  Words<Space, std::int64_t> to;
  Words<Space, std::int64_t> from;
  std::int64_t positions;
  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t pair = task / positions;
    const std::int64_t p = task - pair * positions;
    T& sum = sums[to(pair) * positions + p];
    sum = Op()(sum, sums[from(pair) * positions + p]);
  }
};

/// Combiner::add.
template <class T, class Op, class Space>
void add_pairs(void* sums, const std::vector<std::int64_t>& to,
               const std::vector<std::int64_t>& from, std::int64_t positions) {
  const auto tasks = static_cast<std::int64_t>(to.size()) * positions;
  const AddPairs<T, Op, Space> kernel{static_cast<T*>(sums), to_space<Space>(to),
                                      to_space<Space>(from), positions};
  run_tasks<Space>("kmap:collect:pairs", tasks, kernel);
}

template <class T, class S, class Space>
struct FinishSums {
  const T* sums;
  S* out;
  Words<Space, std::int64_t> slot;
  Words<Space, std::int64_t> size;
  std::int64_t positions;
  KOKKOS_FUNCTION void operator()(std::int64_t task) const {
    const std::int64_t group = task / positions;
    const T& sum = sums[slot(group) * positions + (task - group * positions)];
    out[task] = static_cast<S>(sum);
    if constexpr (!std::is_integral_v<S>) {
      if (size(group) != 0) {
        using Real = typename RealPart<S>::type;
        out[task] = out[task] / static_cast<Real>(size(group));
      }
    }
  }

  template <class X>
  struct RealPart {
    using type = X;
  };
  template <class X>
  struct RealPart<Kokkos::complex<X>> {
    using type = X;
  };
};

/// Combiner::finish.
template <class T, class S, class Space>
void finish_sums(const void* sums, void* out, const std::vector<std::int64_t>& slot,
                 const std::vector<std::int64_t>& size, std::int64_t positions) {
  const auto tasks = static_cast<std::int64_t>(slot.size()) * positions;
  const FinishSums<T, S, Space> kernel{static_cast<const T*>(sums), static_cast<S*>(out),
                                       to_space<Space>(slot), to_space<Space>(size), positions};
  run_tasks<Space>("kmap:collect:finish", tasks, kernel);
}

/// T: the elements' type; A: that in which they are combined; S: that of the result.
template <class T, class A, class S, class Op, class Space>
Combiner make_combiner() {
  return {&sum_leaves<A, Op, Space>, &add_pairs<A, Op, Space>, &finish_sums<T, S, Space>,
          sizeof(S)};
}

template <class Space>
Combiner combiner_for(CollectiveKind kind, DType dtype) {
  return visit_dtype(dtype, [&]<class T>(std::type_identity<T>) -> Combiner {
    if constexpr (info(dtype_of<T>).kind != 'c') {
      if (kind == CollectiveKind::pmax) return make_combiner<T, T, T, Greater, Space>();
      if (kind == CollectiveKind::pmin) return make_combiner<T, T, T, Less, Space>();
    }
    // Operands that are summed are never recorded as bool, and complex ones have no order.
    if constexpr (std::is_same_v<T, bool>) {
      return {};
    } else {
      using A = typename SumAs<T>::type;
      if (kind == CollectiveKind::pmean) return make_combiner<T, A, MeanType<T>, Plus, Space>();
      return make_combiner<T, A, T, Plus, Space>();
    }
  });
}

}  // namespace kmap::detail
