#pragma once
/// \file
/// Options of vmap and pmap as typed values, given in any order:
/// `vmap(f, in_axes(0, none), out_axes(1), axis_name<"i">)`.
///
/// `none` changes the rank of what f sees, so it is a type; axis numbers are values at run time.

#include "kmap/detail/structure.hpp"
#include "kmap/dtype.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap {

/// "This argument is not mapped": it goes whole to every example (JAX's None).
struct None {};
inline constexpr None none{};

namespace detail {

/// A string of N - 1 characters that can be a template argument.
template <std::size_t N>
struct FixedString {
  char text[N] = {};
  // NOLINTNEXTLINE(google-explicit-constructor): axis_name<"i"> has to convert
  consteval FixedString(const char (&source)[N]) { std::copy_n(source, N, text); }
  constexpr std::string_view view() const { return {text, N - 1}; }
};

/// The same string as a type: nvcc cannot name a kernel whose type has a FixedString in it.
template <char... C>
struct Chars {
  static constexpr bool empty = sizeof...(C) == 0;
};
template <char... C>
std::string text_of(Chars<C...>) {
  return {C...};
}
template <auto Text, class Sequence>
struct ToChars;
template <auto Text, std::size_t... I>
struct ToChars<Text, std::index_sequence<I...>> {
  using type = Chars<Text.text[I]...>;
};
template <auto Text>
using CharsOf = typename ToChars<Text, std::make_index_sequence<Text.view().size()>>::type;

template <std::size_t N, std::size_t M>
constexpr bool operator==(const FixedString<N>& a, const FixedString<M>& b) {
  return a.view() == b.view();
}

/// An axis or none.
template <class A>
concept AxisEntry = std::is_integral_v<A> || std::is_same_v<A, None>;

template <class A>
inline constexpr bool has_axis_entries = AxisEntry<A>;
template <class... A>
constexpr bool all_axis_entries(TypeList<A...>) {
  return (has_axis_entries<A> && ...);
}
template <class A>
  requires(is_structure<A>)
inline constexpr bool has_axis_entries<A> = all_axis_entries(typename LeafTypes<A>::type{});

/// An axis, none, or a structure of these.
template <class A>
concept AxisEntries = has_axis_entries<A>;

template <class A>
using StoredAxis = std::conditional_t<std::is_same_v<A, None> || is_structure<A>, A, int>;

template <class... A>
constexpr std::tuple<StoredAxis<A>...> store_axes(A... axes) {
  return {static_cast<StoredAxis<A>>(axes)...};
}

}  // namespace detail

/// Which axis of each argument is mapped; one entry for all arguments or one per argument. The
/// entry of a structured argument is of the same structure, or one entry for a part of it or all of
/// it.
template <class... A>
struct InAxes {
  std::tuple<A...> entries;
};

/// Where the mapped axis lands in each output; one entry for all outputs or one per output, with
/// structures as for in_axes.
template <class... A>
struct OutAxes {
  std::tuple<A...> entries;
};

template <detail::AxisEntries... A>
  requires(sizeof...(A) > 0)
constexpr auto in_axes(A... axes) {
  return InAxes<detail::StoredAxis<A>...>{detail::store_axes(axes...)};
}

template <detail::AxisEntries... A>
  requires(sizeof...(A) > 0)
constexpr auto out_axes(A... axes) {
  return OutAxes<detail::StoredAxis<A>...>{detail::store_axes(axes...)};
}

namespace detail {

template <class... A>
constexpr InAxes<A...> make_in_axes(const std::tuple<A...>& entries) {
  return {entries};
}
template <class... A>
constexpr OutAxes<A...> make_out_axes(const std::tuple<A...>& entries) {
  return {entries};
}

}  // namespace detail

/// The name by which collectives and axis_index inside f know the mapped axis.
template <auto Name>
struct AxisName {};
template <detail::FixedString Name>
inline constexpr AxisName<Name> axis_name{};

/// The length of the mapped axis, needed where no argument is mapped.
struct AxisSize {
  std::int64_t value;
};
constexpr AxisSize axis_size(std::int64_t n) { return {n}; }

/// Runs on this execution space instance instead of the arguments' default one.
template <class Exec>
struct On {
  Exec space;
};
template <class Exec>
On<Exec> on(const Exec& space) {
  return {space};
}

/// Maps over all remaining dimensions as well, so that f sees scalars (as NumPy's ufuncs do).
/// Implied where f can be called with scalars only.
struct Elementwise {};
inline constexpr Elementwise elementwise{};

/// Element type and shape of one output of one example, known only at run time.
template <Element T, int Rank>
struct OutShape {
  Kokkos::Array<std::int64_t, static_cast<std::size_t>(Rank)> extents;
};
template <Element T>
struct OutShape<T, 0> {};

template <Element T, class... I>
constexpr auto out_shape(I... extents) {
  if constexpr (sizeof...(I) == 0) {
    return OutShape<T, 0>{};
  } else {
    return OutShape<T, static_cast<int>(sizeof...(I))>{{static_cast<std::int64_t>(extents)...}};
  }
}

/// Outputs of a function that writes into `out` views: `outputs(out_shape<double>(n), …)`.
template <class... S>
struct Outputs {
  std::tuple<S...> shapes;
};
template <class... T, int... R>
constexpr Outputs<OutShape<T, R>...> outputs(OutShape<T, R>... shapes) {
  return {{shapes...}};
}

}  // namespace kmap
