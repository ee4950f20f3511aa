#pragma once
// The lanes of sums over one example (kmap/sum.hpp): as many values side by side, in registers on
// hosts, one by one on devices, with the same text for both.

#include "kmap/detail/registers.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kmap::detail {

/// Partial sums of every sum.
inline constexpr int sum_lanes = 16;

/// Lanes without registers: as Registers of one lane each.
template <class T>
struct PlainLanes {
  using Register = T;
  static constexpr int lanes = 1;
  static constexpr int count = sum_lanes;
  Register at[count];
};

#if KMAP_DETAIL_PACKS
template <class T>
using Lanes = Registers<T, sum_lanes>;
#else
template <class T>
using Lanes = PlainLanes<T>;
#endif

template <class L>
inline constexpr bool in_registers = L::lanes > 1;

struct Added {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T& a, const T& b) const {
    return a + b;
  }
};
/// The first of the two if it is smaller, so that as the first a NaN is passed over.
struct Smaller {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T& a, const T& b) const {
    return a < b ? a : b;
  }
};
struct Larger {
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T& a, const T& b) const {
    return a > b ? a : b;
  }
};

/// All lanes by `join` in pairs, those half their number apart first.
template <class T, class L, class Join>
KOKKOS_FORCEINLINE_FUNCTION T join_lanes(L x, const Join& join) {
  for (int half = L::count / 2; half > 0; half /= 2) {
    for (int r = 0; r < half; ++r) x.at[r] = join(x.at[r], x.at[r + half]);
  }
  if constexpr (!in_registers<L>) {
    return x.at[0];
  } else {
#if KMAP_DETAIL_PACKS
    return join_register<T, L::lanes>(x.at[0], join);
#endif
  }
}

/// Every lane the same.
template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION L all_lanes(T value) {
  L x;
  const typename L::Register zero = {};
  for (int r = 0; r < L::count; ++r) x.at[r] = zero + value;
  return x;
}

/// A copy of an array of as many values.
template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION L lanes_of(const T (&value)[sum_lanes]) {
  L x;
  if constexpr (in_registers<L>) {
    std::memcpy(&x, value, sizeof x);
  } else {
    for (int l = 0; l < sum_lanes; ++l) x.at[l] = value[l];
  }
  return x;
}

/// As many elements of x from one on, in the type of the lanes.
template <class L, class V, class T>
KOKKOS_FORCEINLINE_FUNCTION L load_lanes(const Example<const T, 1>& x, std::int64_t begin) {
#if KMAP_DETAIL_PACKS
  if constexpr (in_registers<L>) {
    if (x.stride(0) == 1) {
      L to;
      const T* from = x.data() + begin;
      for (int r = 0; r < L::count; ++r, from += L::lanes) {
        if constexpr (std::is_same_v<T, V>) {
          std::memcpy(&to.at[r], from, sizeof to.at[r]);
        } else {
          typename Registers<T, L::lanes>::Register part;
          std::memcpy(&part, from, sizeof part);
          to.at[r] = as_doubles<typename L::Register>(part);
        }
      }
      return to;
    }
  }
#endif
  V value[sum_lanes];
  for (int l = 0; l < sum_lanes; ++l) value[l] = static_cast<V>(x(begin + l));
  return lanes_of<L>(value);
}

/// The last lanes of x that follow whole groups, with `pad` in those that groups before had, or
/// that there are not: if there are enough elements, the last ones.
template <class L, class V, class T>
KOKKOS_FORCEINLINE_FUNCTION L load_last_lanes(const Example<const T, 1>& x, V pad) {
  const std::int64_t n = x.extent(0);
  V value[sum_lanes];
  if (n >= sum_lanes) {
    for (int l = 0; l < sum_lanes; ++l) value[l] = static_cast<V>(l);
    const L number = lanes_of<L>(value);
    const L padding = all_lanes<L>(pad);
    L to = load_lanes<L, V>(x, n - sum_lanes);
    const auto had = static_cast<V>(sum_lanes - n % sum_lanes);
    for (int r = 0; r < L::count; ++r) {
      to.at[r] = number.at[r] < had ? padding.at[r] : to.at[r];
    }
    return to;
  }
  for (int l = 0; l < sum_lanes; ++l) value[l] = l < n ? static_cast<V>(x(l)) : pad;
  return lanes_of<L>(value);
}

/// Asks for memory that follows the group at i, by as much as x has itself and at least a page's
/// length: most often what is worked on next, the rest of an array of which x is a piece, or the
/// next examples. Waiting for it and working on x then go on at the same time.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION void fetch_next([[maybe_unused]] const Example<const T, 1>& x,
                                            [[maybe_unused]] std::int64_t i) {
#if KMAP_DETAIL_PACKS
  constexpr std::int64_t least = 4096 / sizeof(T);
  const std::int64_t ahead = x.extent(0) > least ? x.extent(0) : least;
  // As a number: the address may be past the array's end, where there is nothing to fetch.
  const auto at = reinterpret_cast<std::uintptr_t>(x.data()) +
                  static_cast<std::uintptr_t>(ahead + i) * sizeof(T);
  for (std::uintptr_t line = 0; line < sum_lanes * sizeof(T); line += 64) {
    __builtin_prefetch(reinterpret_cast<const void*>(at + line));
  }
#endif
}

/// Calls sums.add_group(x, i) for the groups of x, which begin at i and have as many elements as
/// there are lanes, and sums.end_block() after some of these. Elements that do not fill a group are
/// left over.
template <bool FetchNext, class T, class Sums>
KOKKOS_FORCEINLINE_FUNCTION void add_whole_groups(const Example<const T, 1>& x, Sums& sums) {
  constexpr std::int64_t block = 8 * sum_lanes;
  const std::int64_t n = x.extent(0);
  std::int64_t i = 0;
  for (; i + block <= n; i += block) {
    for (std::int64_t j = i; j < i + block; j += sum_lanes) {
      if constexpr (FetchNext) fetch_next(x, j);
      sums.add_group(x, j);
    }
    sums.end_block();
  }
  for (; i + sum_lanes <= n; i += sum_lanes) {
    if constexpr (FetchNext) fetch_next(x, i);
    sums.add_group(x, i);
  }
}

}  // namespace kmap::detail
