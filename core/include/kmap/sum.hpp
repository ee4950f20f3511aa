#pragma once
/// \file
/// Sums over the elements of one example: `dot(a, b)`, `sum(x)`, `sum_of<T>(n, f)`; `row(a, i)` of
/// a matrix.
///
/// A loop that adds one element after the other waits for every addition, and a compiler may not
/// reorder it. These add in another order, which vectorises: 16 partial sums, of elements 16 apart,
/// which are then added in pairs, those half their number apart first. The order depends on nothing
/// but the number of elements, so that results have the same bits on every processor, for every
/// layout, number of threads and block. NaN and infinities mean what they do in any sum. They may
/// be called anywhere, on devices too.

#include "kmap/detail/registers.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace kmap {

namespace detail {

/// Partial sums of every sum.
inline constexpr int sum_lanes = 16;

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
/// Half of a register's lanes added to the other half, and so on: what is left in its first lane.
template <class T, int Lanes, class Register>
T add_register(Register x) {
  using Index = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
  using Indices = typename Registers<Index, Lanes>::Register;
  Indices own = {};
  for (int l = 0; l < Lanes; ++l) own[l] = l;
  for (int half = Lanes / 2; half > 0; half /= 2) x += __builtin_shuffle(x, own + half);
  return x[0];
}

/// add_lanes for sums that are in registers.
template <class T, int N>
T add_registers(Registers<T, N> x) {
  using Lanes = Registers<T, N>;
  for (int count = Lanes::count / 2; count > 0; count /= 2) {
    for (int r = 0; r < count; ++r) x.at[r] += x.at[r + count];
  }
  return add_register<T, Lanes::lanes>(x.at[0]);
}

/// Those partial sums and the elements that were left over.
template <class T, class F>
T add_rest(const Registers<T, sum_lanes>& total, std::int64_t done, std::int64_t n, const F& f) {
  if (done == n) return add_registers(total);
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
