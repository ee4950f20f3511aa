#pragma once
/// \file
/// Sums over the elements of one example: `dot(a, b)`, `sum(x)`, `sum_of<T>(n, f)`; `extremes(x)`;
/// sums of more digits, and with squares: `long_sum(x, bound)`, `long_sums(x, bound, centre)`,
/// `sums_about(x, centre)`; `row(a, i)` of a matrix.
///
/// A loop that adds one element after the other waits for every addition, and a compiler may not
/// reorder it. These add in another order, which vectorises: 16 partial sums, of elements 16 apart,
/// which are then added in pairs, those half their number apart first. The order depends on nothing
/// but the number of elements, so that results have the same bits on every processor, for every
/// layout, number of threads and block. NaN and infinities mean what they do in any sum. They may
/// be called anywhere, on devices too.

#include "kmap/detail/lanes.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

namespace kmap {

namespace detail {

template <class T>
KOKKOS_FORCEINLINE_FUNCTION T add_lanes(T (&lane)[sum_lanes]) {
  for (int half = sum_lanes / 2; half > 0; half /= 2) {
    for (int l = 0; l < half; ++l) lane[l] += lane[l + half];
  }
  return lane[0];
}

/// What remains after whole groups of sum_lanes elements: elements [done, n).
template <class T, class F>
KOKKOS_FORCEINLINE_FUNCTION T add_rest(T (&lane)[sum_lanes], std::int64_t done, std::int64_t n,
                                       const F& f) {
  for (std::int64_t i = done; i < n; ++i) lane[i - done] += static_cast<T>(f(i));
  return add_lanes(lane);
}

#if KMAP_DETAIL_PACKS
/// Those partial sums and the elements that were left over.
template <class T, class F>
T add_rest(const Registers<T, sum_lanes>& total, std::int64_t done, std::int64_t n, const F& f) {
  if (done == n) return join_lanes<T>(total, Added{});
  T lane[sum_lanes];
  std::memcpy(lane, &total, sizeof lane);
  return add_rest(lane, done, n, f);
}

/// dot of n elements that lie one after the other, each product rounded.
template <class T>
T dot_contiguous(const T* a, const T* b, std::int64_t n) {
  using Lanes = Registers<T, sum_lanes>;
  Lanes total = {};
  std::int64_t i = 0;
  for (; i + sum_lanes <= n; i += sum_lanes) {
    Lanes x;
    Lanes y;
    std::memcpy(&x, a + i, sizeof x);
    std::memcpy(&y, b + i, sizeof y);
    for (int r = 0; r < Lanes::count; ++r) total.at[r] += x.at[r] * y.at[r];
  }
  return add_rest(total, i, n, [=](std::int64_t k) { return a[k] * b[k]; });
}

/// The same for the sum of elements.
template <class T>
T sum_contiguous(const T* x, std::int64_t n) {
  using Lanes = Registers<T, sum_lanes>;
  Lanes total = {};
  std::int64_t i = 0;
  for (; i + sum_lanes <= n; i += sum_lanes) {
    Lanes next;
    std::memcpy(&next, x + i, sizeof next);
    for (int r = 0; r < Lanes::count; ++r) total.at[r] += next.at[r];
  }
  return add_rest(total, i, n, [=](std::int64_t k) { return x[k]; });
}

template <class T>
inline constexpr bool sums_in_registers = std::is_floating_point_v<T> && sizeof(T) <= 8;
#else
template <class T>
T dot_contiguous(const T*, const T*, std::int64_t);
template <class T>
T sum_contiguous(const T*, std::int64_t);
template <class T>
inline constexpr bool sums_in_registers = false;
#endif

}  // namespace detail

/// The sum of f(0) … f(n - 1) as T, in the order of this header. f is called once for each, and may
/// be a functor or, on hosts, a lambda.
template <class T, class F>
KOKKOS_FORCEINLINE_FUNCTION T sum_of(std::int64_t n, const F& f) {
  T lane[detail::sum_lanes] = {};
  std::int64_t i = 0;
  for (; i + detail::sum_lanes <= n; i += detail::sum_lanes) {
    for (int l = 0; l < detail::sum_lanes; ++l) lane[l] += static_cast<T>(f(i + l));
  }
  return detail::add_rest(lane, i, n, f);
}

namespace detail {

template <class A, class B>
struct Products {
  const A& a;
  const B& b;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const { return a(i) * b(i); }
};

template <class A>
struct Elements {
  const A& a;
  KOKKOS_FUNCTION auto operator()(std::int64_t i) const { return a(i); }
};

}  // namespace detail

/// The sum of a(i) b(i) over two examples of one length, in their type.
template <class T, class U>
  requires std::is_same_v<std::remove_cv_t<T>, std::remove_cv_t<U>>
KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> dot(const Example<T, 1>& a,
                                                    const Example<U, 1>& b) {
  using Value = std::remove_cv_t<T>;
  if constexpr (detail::sums_in_registers<Value>) {
    KOKKOS_IF_ON_HOST((if (a.stride(0) == 1 && b.stride(0) == 1) {
      return detail::dot_contiguous<Value>(a.data(), b.data(), a.extent(0));
    }))
  }
  return sum_of<Value>(a.extent(0), detail::Products<Example<T, 1>, Example<U, 1>>{a, b});
}

/// The sum of the elements of an example, in their type.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION std::remove_cv_t<T> sum(const Example<T, 1>& x) {
  using Value = std::remove_cv_t<T>;
  if constexpr (detail::sums_in_registers<Value>) {
    KOKKOS_IF_ON_HOST(
        (if (x.stride(0) == 1) { return detail::sum_contiguous<Value>(x.data(), x.extent(0)); }))
  }
  return sum_of<Value>(x.extent(0), detail::Elements<Example<T, 1>>{x});
}

/// The least and the greatest element.
template <class T>
struct Extremes {
  T least;
  T greatest;
};

/// A sum of more digits than a double has: high + low.
struct LongSum {
  double high;
  double low;
};

/// Σ x and Σ (x - centre)².
struct LongSums {
  LongSum values;
  double squares;
};

/// The extremes, Σ (x - centre) and Σ (x - centre)².
template <class T>
struct SumsAbout {
  Extremes<T> extremes;
  double values;
  double squares;
};

namespace detail {

/// Numbers of which each is a double.
template <class T>
concept FitsDouble = std::is_same_v<T, double> || (std::is_arithmetic_v<T> && sizeof(T) <= 4);

template <class T, class L>
struct ExtremeLanes {
  using Limits = std::numeric_limits<T>;
  static constexpr bool infinite = Limits::has_infinity;
  static constexpr T lowest = infinite ? -Limits::infinity() : Limits::lowest();
  static constexpr T highest = infinite ? Limits::infinity() : Limits::max();

  L least = all_lanes<L>(T{highest});
  L greatest = all_lanes<L>(T{lowest});

  KOKKOS_FORCEINLINE_FUNCTION void add(const L& x) {
    for (int r = 0; r < L::count; ++r) {
      least.at[r] = Smaller{}(x.at[r], least.at[r]);
      greatest.at[r] = Larger{}(x.at[r], greatest.at[r]);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_group(const Example<const T, 1>& x, std::int64_t i) {
    add(load_lanes<L, T>(x, i));
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_block() {}
  /// What is left over after whole groups; elements may be seen twice.
  KOKKOS_FORCEINLINE_FUNCTION void add_last(const Example<const T, 1>& x) {
    const std::int64_t n = x.extent(0);
    if (n % sum_lanes == 0) return;
    add(n > sum_lanes ? load_lanes<L, T>(x, n - sum_lanes) : load_last_lanes<L, T>(x, x(0)));
  }
  KOKKOS_FORCEINLINE_FUNCTION Extremes<T> extremes() const {
    return {join_lanes<T>(least, Smaller{}), join_lanes<T>(greatest, Larger{})};
  }
};

/// Sums that begin at a number so large that they stay near it: each addition keeps only digits
/// above a fixed one, and what it cut off is known exactly and added to sums of its own. (Dekker's
/// FastTwoSum with the larger number known; as ExtractVector of S. Rump, T. Ogita, S. Oishi,
/// Accurate Floating-Point Summation Part I, 2008.)
template <class L>
class LongLanes {
 public:
  /// Of n numbers whose magnitude is at most `bound`.
  KOKKOS_FORCEINLINE_FUNCTION LongLanes(std::int64_t n, double bound) {
    start_ = 4 * (bound * static_cast<double>(n));
    high_ = all_lanes<L>(start_);
    low_ = all_lanes<L>(0.0);
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const L& x) {
    for (int r = 0; r < L::count; ++r) {
      const auto next = high_.at[r] + x.at[r];
      low_.at[r] += x.at[r] - (next - high_.at[r]);
      high_.at[r] = next;
    }
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void add_group(const Example<const T, 1>& x, std::int64_t i) {
    add(load_lanes<L, double>(x, i));
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_block() {}
  KOKKOS_FORCEINLINE_FUNCTION LongSum sum() const {
    L high;
    for (int r = 0; r < L::count; ++r) high.at[r] = high_.at[r] - start_;
    return {join_lanes<double>(high, Added{}), join_lanes<double>(low_, Added{})};
  }

 private:
  double start_;
  L high_;
  L low_;
};

template <class L>
KOKKOS_FORCEINLINE_FUNCTION L distances_of(L x, const L& centre) {
  for (int r = 0; r < L::count; ++r) x.at[r] -= centre.at[r];
  return x;
}

template <class L>
KOKKOS_FORCEINLINE_FUNCTION L squares_of(L x) {
  for (int r = 0; r < L::count; ++r) x.at[r] *= x.at[r];
  return x;
}

/// Plain sums, of blocks first: the fewer additions one after the other, the less is lost.
template <class L>
struct BlockLanes {
  L total = all_lanes<L>(0.0);
  L block = all_lanes<L>(0.0);
  KOKKOS_FORCEINLINE_FUNCTION void add(const L& x) {
    for (int r = 0; r < L::count; ++r) block.at[r] += x.at[r];
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_block() {
    for (int r = 0; r < L::count; ++r) total.at[r] += block.at[r];
    block = all_lanes<L>(0.0);
  }
  KOKKOS_FORCEINLINE_FUNCTION double sum() {
    end_block();
    return join_lanes<double>(total, Added{});
  }
};

template <class L>
struct LongLanesAbout {
  L centre;
  LongLanes<L> values;
  BlockLanes<L> squares;
  /// The same numbers, but for lanes that are left over.
  KOKKOS_FORCEINLINE_FUNCTION void add(const L& value, const L& x) {
    values.add(value);
    squares.add(squares_of(distances_of(x, centre)));
  }
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void add_group(const Example<const T, 1>& x, std::int64_t i) {
    const L group = load_lanes<L, double>(x, i);
    add(group, group);
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_block() { squares.end_block(); }
};

template <class T, class L>
struct LanesAbout {
  L centre;
  ExtremeLanes<T, Lanes<T>> extremes;
  BlockLanes<L> values;
  BlockLanes<L> squares;
  KOKKOS_FORCEINLINE_FUNCTION void add(const L& x) {
    const L distance = distances_of(x, centre);
    values.add(distance);
    squares.add(squares_of(distance));
  }
  KOKKOS_FORCEINLINE_FUNCTION void add_group(const Example<const T, 1>& x, std::int64_t i) {
    extremes.add_group(x, i);
    add(load_lanes<L, double>(x, i));
  }
  KOKKOS_FORCEINLINE_FUNCTION void end_block() {
    values.end_block();
    squares.end_block();
  }
};

template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION Extremes<T> extremes_by(const Example<const T, 1>& x) {
  ExtremeLanes<T, L> lanes;
  add_whole_groups<false>(x, lanes);
  lanes.add_last(x);
  return lanes.extremes();
}

template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION LongSum long_sum_by(const Example<const T, 1>& x, double bound) {
  LongLanes<L> lanes(x.extent(0), bound);
  add_whole_groups<true>(x, lanes);
  if (x.extent(0) % sum_lanes != 0) lanes.add(load_last_lanes<L>(x, 0.0));
  return lanes.sum();
}

template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION LongSums long_sums_by(const Example<const T, 1>& x, double bound,
                                                  double centre) {
  LongLanesAbout<L> lanes{all_lanes<L>(centre), LongLanes<L>(x.extent(0), bound), {}};
  add_whole_groups<true>(x, lanes);
  if (x.extent(0) % sum_lanes != 0) {
    lanes.add(load_last_lanes<L>(x, 0.0), load_last_lanes<L>(x, centre));
  }
  return {lanes.values.sum(), lanes.squares.sum()};
}

template <class L, class T>
KOKKOS_FORCEINLINE_FUNCTION SumsAbout<T> sums_about_by(const Example<const T, 1>& x,
                                                       double centre) {
  LanesAbout<T, L> lanes{all_lanes<L>(centre), {}, {}, {}};
  add_whole_groups<true>(x, lanes);
  if (x.extent(0) % sum_lanes != 0) {
    lanes.extremes.add_last(x);
    lanes.add(load_last_lanes<L>(x, centre));
  }
  return {lanes.extremes.extremes(), lanes.values.sum(), lanes.squares.sum()};
}

}  // namespace detail

/// The least and the greatest element of an example. NaN are passed over; if nothing else is there,
/// the least is above the greatest.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Extremes<std::remove_cv_t<T>> extremes(const Example<T, 1>& x) {
  using Value = std::remove_cv_t<T>;
  return detail::extremes_by<detail::Lanes<Value>, Value>(x);
}

/// The sum of n elements, none of which is larger than `bound`, with an error of at most
/// n³ 2^-107 bound. Other than in a compensated sum, the elements' order has no part in that.
/// Not finite, if an element is not, or if n bound is above 1e307.
template <class T>
  requires detail::FitsDouble<std::remove_cv_t<T>>
KOKKOS_FORCEINLINE_FUNCTION LongSum long_sum(const Example<T, 1>& x, double bound) {
  return detail::long_sum_by<detail::Lanes<double>, std::remove_cv_t<T>>(x, bound);
}

/// The same, and with it Σ (x - centre)² as a plain sum of blocks.
template <class T>
  requires detail::FitsDouble<std::remove_cv_t<T>>
KOKKOS_FORCEINLINE_FUNCTION LongSums long_sums(const Example<T, 1>& x, double bound,
                                               double centre) {
  return detail::long_sums_by<detail::Lanes<double>, std::remove_cv_t<T>>(x, bound, centre);
}

/// The extremes, and Σ (x - centre) and Σ (x - centre)² in doubles as plain sums of blocks, in one
/// pass.
template <class T>
  requires detail::FitsDouble<std::remove_cv_t<T>>
KOKKOS_FORCEINLINE_FUNCTION SumsAbout<std::remove_cv_t<T>> sums_about(const Example<T, 1>& x,
                                                                      double centre) {
  return detail::sums_about_by<detail::Lanes<double>, std::remove_cv_t<T>>(x, centre);
}

/// Row i of a matrix, as a view.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Example<T, 1> row(const Example<T, 2>& a, std::int64_t i) {
  return {&a(i, 0), {{a.extent(1)}}, {{a.stride(1)}}};
}

/// Column j of a matrix, as a view.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION Example<T, 1> column(const Example<T, 2>& a, std::int64_t j) {
  return {&a(0, j), {{a.extent(0)}}, {{a.stride(0)}}};
}

}  // namespace kmap
