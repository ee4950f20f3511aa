#pragma once
/// \file
/// What a mapped function sees and returns: `Example` (a small strided view of one example), `out`
/// (the same, to be written), `vec` (a small array by value).

#include "kmap/dtype.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace kmap {

namespace detail {

/// Kokkos::Array without its special case for length 0 getting in the way of indexing.
template <int N>
struct Extents {
  std::int64_t value[N > 0 ? N : 1] = {};
  KOKKOS_FUNCTION constexpr std::int64_t& operator[](int i) { return value[i]; }
  KOKKOS_FUNCTION constexpr std::int64_t operator[](int i) const { return value[i]; }
};

KOKKOS_INLINE_FUNCTION void check_bounds([[maybe_unused]] std::int64_t index,
                                         [[maybe_unused]] std::int64_t extent) {
#ifdef KMAP_BOUNDS_CHECK
  if (index < 0 || index >= extent) Kokkos::abort("kmap: index out of the bounds of an example");
#endif
}

}  // namespace detail

/// One example of rank `Rank`: a view of it inside the batch, without a copy. T is const for
/// inputs. Indexing is checked in builds with KMAP_BOUNDS_CHECK (the presets debug and asan).
template <class T, int Rank>
class Example {
 public:
  using element_type = T;
  using value_type = std::remove_cv_t<T>;

  Example() = default;
  KOKKOS_FUNCTION constexpr Example(T* data, const detail::Extents<Rank>& extents,
                                    const detail::Extents<Rank>& strides)
      : data_(data), extents_(extents), strides_(strides) {}

  static constexpr int rank() { return Rank; }
  KOKKOS_FUNCTION constexpr std::int64_t extent(int d) const { return extents_[d]; }
  /// In elements, as Kokkos::View has it.
  KOKKOS_FUNCTION constexpr std::int64_t stride(int d) const { return strides_[d]; }
  KOKKOS_FUNCTION constexpr T* data() const { return data_; }
  KOKKOS_FUNCTION constexpr std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < Rank; ++d) n *= extents_[d];
    return n;
  }

  /// As many indices as dimensions.
  template <std::integral... I>
    requires(sizeof...(I) == static_cast<std::size_t>(Rank))
  KOKKOS_FUNCTION constexpr T& operator()(I... index) const {
    std::int64_t offset = 0;
    [[maybe_unused]] int d = 0;
    ((detail::check_bounds(static_cast<std::int64_t>(index), extents_[d]),
      offset += static_cast<std::int64_t>(index) * strides_[d], ++d),
     ...);
    return data_[offset];
  }

  KOKKOS_FUNCTION constexpr T& operator[](std::int64_t index) const
    requires(Rank == 1)
  {
    return (*this)(index);
  }

  /// The same memory, read only.
  // NOLINTNEXTLINE(google-explicit-constructor): as T* converts to const T*
  KOKKOS_FUNCTION constexpr operator Example<const T, Rank>() const
    requires(!std::is_const_v<T>)
  {
    return {data_, extents_, strides_};
  }

 private:
  T* data_ = nullptr;
  detail::Extents<Rank> extents_;
  detail::Extents<Rank> strides_;
};

/// An output of one example, to be written by the function: every element, once.
template <Element T, int Rank>
using out = Example<T, Rank>;

namespace detail {

template <class X>
struct IsExample : std::false_type {};
template <class T, int R>
struct IsExample<Example<T, R>> : std::true_type {};

/// Calls body(i0, i1, …) for every index of an array with these extents, in row-major order.
template <int Rank, class Body, class... I>
KOKKOS_FUNCTION constexpr void for_each_index(const Extents<Rank>& extents, const Body& body,
                                              I... index) {
  if constexpr (sizeof...(I) == static_cast<std::size_t>(Rank)) {
    body(index...);
  } else {
    for (std::int64_t i = 0; i < extents[sizeof...(I)]; ++i) {
      for_each_index<Rank>(extents, body, index..., i);
    }
  }
}

}  // namespace detail

namespace detail {
template <class X>
inline constexpr bool is_pack = false;  // see kmap/pack.hpp
}  // namespace detail

/// A small array by value, row-major: `vec<double, 3>` or, as a matrix, `vec<double, 3, 3>`. It can
/// be initialised as an aggregate, read with () and (for one dimension) [], and has elementwise + -
/// * /.
template <class T, int... N>
  requires((Element<T> || detail::is_pack<T>) && sizeof...(N) > 0 && ((N > 0) && ...))
struct vec {
  using value_type = T;
  static constexpr int rank = sizeof...(N);
  static constexpr int size = (N * ...);
  static constexpr std::array<std::int64_t, sizeof...(N)> extents = {N...};

  T values[static_cast<std::size_t>(size)];

  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(N))
  KOKKOS_FUNCTION constexpr T& operator()(I... index) {
    return values[offset(index...)];
  }
  template <std::integral... I>
    requires(sizeof...(I) == sizeof...(N))
  KOKKOS_FUNCTION constexpr const T& operator()(I... index) const {
    return values[offset(index...)];
  }
  KOKKOS_FUNCTION constexpr T& operator[](std::int64_t index)
    requires(sizeof...(N) == 1)
  {
    return (*this)(index);
  }
  KOKKOS_FUNCTION constexpr const T& operator[](std::int64_t index) const
    requires(sizeof...(N) == 1)
  {
    return (*this)(index);
  }

  friend KOKKOS_FUNCTION constexpr vec operator+(vec a, const vec& b) {
    for (int i = 0; i < size; ++i) a.values[i] += b.values[i];
    return a;
  }
  friend KOKKOS_FUNCTION constexpr vec operator-(vec a, const vec& b) {
    for (int i = 0; i < size; ++i) a.values[i] -= b.values[i];
    return a;
  }
  friend KOKKOS_FUNCTION constexpr vec operator*(T a, vec b) {
    for (int i = 0; i < size; ++i) b.values[i] *= a;
    return b;
  }
  friend KOKKOS_FUNCTION constexpr vec operator*(vec a, T b) {
    for (int i = 0; i < size; ++i) a.values[i] *= b;
    return a;
  }
  friend KOKKOS_FUNCTION constexpr vec operator/(vec a, T b) {
    for (int i = 0; i < size; ++i) a.values[i] /= b;
    return a;
  }

 private:
  template <class... I>
  KOKKOS_FUNCTION static constexpr std::int64_t offset(I... index) {
    std::int64_t result = 0;
    ((detail::check_bounds(static_cast<std::int64_t>(index), N),
      result = result * N + static_cast<std::int64_t>(index)),
     ...);
    return result;
  }
};

namespace detail {

template <class X>
struct IsVec : std::false_type {};
template <class T, int... N>
struct IsVec<vec<T, N...>> : std::true_type {};

/// A vec of the same extents with elements of type S.
template <class V, class S>
struct RebindVec;
template <class T, int... N, class S>
struct RebindVec<vec<T, N...>, S> {
  using type = vec<S, N...>;
};

}  // namespace detail

/// The first N elements of a one-dimensional example, by value.
template <int N, class T>
KOKKOS_FUNCTION constexpr vec<std::remove_cv_t<T>, N> load(const Example<T, 1>& x) {
  vec<std::remove_cv_t<T>, N> result{};
  for (int i = 0; i < N; ++i) result.values[i] = x(i);
  return result;
}

}  // namespace kmap
