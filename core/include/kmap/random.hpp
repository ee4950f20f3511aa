#pragma once
/// \file
/// Random numbers as jax.random draws them: from a key, without state, with the same bits on any
/// number of ranks and threads, in a loop, alone and (as far as bits are concerned) on a device.
///
/// ```cpp
/// const auto key = random::key(42);
/// const auto [a, b] = random::split(key);
/// const double z = random::normal<double>(a);                     // one draw
/// const auto v = random::normal<double, 3>(a);                    // a vec<double, 3>
/// const double zi = random::normal<double>(a, random::at(i));     // element i of an array of
/// draws const auto x = random::normal<double>(a, random::shape(1000, 3));  // a fresh View
/// random::uniform(b, random::into(y), -1, 1);                     // fills the View y
/// ```
///
/// Every distribution takes its arguments in this order: in a function a context, if you like (it
/// decides nothing); the key; where to draw, `at(i)`, `shape(…)` or `into(view)`; the
/// distribution's parameters. Draws without a place, and with `at(i)`, may be made in mapped
/// functions, on a device too; arrays only outside of them. Element i of an array, by row-major
/// index, does not depend on the array's shape and is `at(i)`; a draw without a place is `at(0)`, a
/// vec holds at(0), at(1), …. So the same key gives the same numbers again: every use needs a key
/// of its own.
///
/// Arrays have rank 0 to 8. Fresh ones lie in the default execution space, where they are drawn in
/// parallel; Views that are given have any layout and lie in the memory of any execution space. On
/// a device the work is asynchronous.
///
/// Bits, uniform numbers, integers and orders are those of JAX bit for bit; numbers that go through
/// a logarithm or the inverse of erf agree within 1e-12, those of type float within 1e-6 (relative
/// to the greater of 1 and the number). docs/random.md has the details and the differences.

#include "kmap/context.hpp"
#include "kmap/detail/distributions.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/random_choice.hpp"
#include "kmap/detail/random_draw.hpp"
#include "kmap/detail/random_fill.hpp"
#include "kmap/detail/random_order.hpp"
#include "kmap/example.hpp"
#include "kmap/random_key.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace kmap::random {

/// Place: element i of the array of draws, by row-major index.
template <std::integral I>
KOKKOS_FUNCTION constexpr detail::At at(I i) {
  return {static_cast<std::uint64_t>(i)};
}

/// Place: a fresh array of that shape; `shape()` is one of rank 0.
template <std::integral... I>
constexpr auto shape(I... extents) {
  static_assert(sizeof...(I) <= 8, "kmap: arrays have rank 0 to 8");
  detail::Extents<static_cast<int>(sizeof...(I))> result;
  [[maybe_unused]] int d = 0;
  ((result[d++] = static_cast<std::int64_t>(extents)), ...);
  return result;
}

/// Place: every element of a View.
template <class View>
detail::Into<View> into(const View& view) {
  static_assert(Kokkos::is_view_v<View>, "kmap: random::into takes a Kokkos::View");
  return {view};
}

/// An array of keys, of that shape with a last axis of length 2: `vmap(f)(split(key, n), x)` gives
/// every example a key. Key i, by row-major index, is `split_at(key, i)`.
template <int R>
auto split(Key key, const detail::Extents<R>& shape) {
  static_assert(R < 8, "kmap: arrays of keys have one axis more");
  detail::Extents<R + 1> words;
  for (int d = 0; d < R; ++d) words[d] = shape[d];
  words[R] = 2;
  return detail::fresh(words, detail::KeyWords(key));
}
template <std::integral I>
auto split(Key key, I n) {
  return split(key, shape(n));
}

/// Random bits: T is uint8, uint16, uint32 or uint64.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto bits(const A&... args) {
  return detail::draw<detail::Bits<T>, N...>(args...);
}
template <class T, int R>
auto bits(Key key, const detail::Extents<R>& shape) {
  return detail::fresh(shape, detail::make<detail::Bits<T>>(key));
}
template <class View>
void bits(Key key, const detail::Into<View>& y) {
  detail::fill(y.view, detail::make<detail::Bits<typename View::value_type>>(key));
}

/// Uniform in [low, high): parameters `low, high` (0, 1). T is float or double. Rounding can give
/// high itself; where high < low, all draws are low.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto uniform(const A&... args) {
  return detail::draw<detail::Uniform<T>, N...>(args...);
}
template <class T, int R, class... P>
auto uniform(Key key, const detail::Extents<R>& shape, P... bounds) {
  return detail::fresh(shape, detail::make<detail::Uniform<T>>(key, bounds...));
}
template <class View, class... P>
void uniform(Key key, const detail::Into<View>& y, P... bounds) {
  detail::fill(y.view, detail::make<detail::Uniform<typename View::value_type>>(key, bounds...));
}

/// Integers in [low, high): parameters `low, high`, integers of any type. T is any integer type.
/// high may lie one beyond T's greatest value; where high ≤ low, all draws are low. JAX's method:
/// of 2n random bits (n those of T, at least 32) the remainder by high - low.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto randint(const A&... args) {
  return detail::draw<detail::Randint<T>, N...>(args...);
}
template <class T, int R, class Low, class High>
auto randint(Key key, const detail::Extents<R>& shape, Low low, High high) {
  return detail::fresh(shape, detail::make<detail::Randint<T>>(key, low, high));
}
template <class View, class Low, class High>
void randint(Key key, const detail::Into<View>& y, Low low, High high) {
  detail::fill(y.view, detail::make<detail::Randint<typename View::value_type>>(key, low, high));
}

/// True with probability p (0.5), float or double: a uniform number of its type is less than p.
template <int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto bernoulli(const A&... args) {
  return detail::draw<detail::BernoulliFor<A...>, N...>(args...);
}
template <int R, class... P>
auto bernoulli(Key key, const detail::Extents<R>& shape, P... p) {
  return detail::fresh(shape, detail::make<detail::BernoulliFor<P...>>(key, p...));
}
template <class View, class... P>
void bernoulli(Key key, const detail::Into<View>& y, P... p) {
  detail::fill(y.view, detail::make<detail::BernoulliFor<P...>>(key, p...));
}

/// Standard normal. T is float, double, or Kokkos::complex of these, whose real and imaginary part
/// then have variance 1/2.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto normal(const A&... args) {
  return detail::draw<detail::Normal<T>, N...>(args...);
}
template <class T, int R>
auto normal(Key key, const detail::Extents<R>& shape) {
  return detail::fresh(shape, detail::make<detail::Normal<T>>(key));
}
template <class View>
void normal(Key key, const detail::Into<View>& y) {
  detail::fill(y.view, detail::make<detail::Normal<typename View::value_type>>(key));
}

/// Standard normal on condition of lying between two bounds, parameters `lower, upper`, neither of
/// which it reaches. T is float or double.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto truncated_normal(const A&... args) {
  return detail::draw<detail::TruncatedNormal<T>, N...>(args...);
}
template <class T, int R, class Low, class High>
auto truncated_normal(Key key, const detail::Extents<R>& shape, Low lower, High upper) {
  return detail::fresh(shape, detail::make<detail::TruncatedNormal<T>>(key, lower, upper));
}
template <class View, class Low, class High>
void truncated_normal(Key key, const detail::Into<View>& y, Low lower, High upper) {
  using T = typename View::value_type;
  detail::fill(y.view, detail::make<detail::TruncatedNormal<T>>(key, lower, upper));
}

/// Exponential, of mean 1. T is float or double.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto exponential(const A&... args) {
  return detail::draw<detail::Exponential<T>, N...>(args...);
}
template <class T, int R>
auto exponential(Key key, const detail::Extents<R>& shape) {
  return detail::fresh(shape, detail::make<detail::Exponential<T>>(key));
}
template <class View>
void exponential(Key key, const detail::Into<View>& y) {
  detail::fill(y.view, detail::make<detail::Exponential<typename View::value_type>>(key));
}

/// Standard Gumbel: density exp(-(x + exp(-x))). T is float or double.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto gumbel(const A&... args) {
  return detail::draw<detail::Gumbel<T>, N...>(args...);
}
template <class T, int R>
auto gumbel(Key key, const detail::Extents<R>& shape) {
  return detail::fresh(shape, detail::make<detail::Gumbel<T>>(key));
}
template <class View>
void gumbel(Key key, const detail::Into<View>& y) {
  detail::fill(y.view, detail::make<detail::Gumbel<typename View::value_type>>(key));
}

/// Gamma with shape parameter `a` > 0 and scale 1. T is float or double.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto gamma(const A&... args) {
  return detail::draw<detail::Gamma<T>, N...>(args...);
}
template <class T, int R, class P>
auto gamma(Key key, const detail::Extents<R>& shape, P a) {
  return detail::fresh(shape, detail::make<detail::Gamma<T>>(key, a));
}
template <class View, class P>
void gamma(Key key, const detail::Into<View>& y, P a) {
  detail::fill(y.view, detail::make<detail::Gamma<typename View::value_type>>(key, a));
}

/// The logarithm of a gamma draw, which for small `a` is often less than the least number.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto loggamma(const A&... args) {
  return detail::draw<detail::LogGamma<T>, N...>(args...);
}
template <class T, int R, class P>
auto loggamma(Key key, const detail::Extents<R>& shape, P a) {
  return detail::fresh(shape, detail::make<detail::LogGamma<T>>(key, a));
}
template <class View, class P>
void loggamma(Key key, const detail::Into<View>& y, P a) {
  detail::fill(y.view, detail::make<detail::LogGamma<typename View::value_type>>(key, a));
}

/// Beta with parameters `a, b` > 0. T is float or double.
template <class T, int... N, class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto beta(const A&... args) {
  return detail::draw<detail::Beta<T>, N...>(args...);
}
template <class T, int R, class P, class Q>
auto beta(Key key, const detail::Extents<R>& shape, P a, Q b) {
  return detail::fresh(shape, detail::make<detail::Beta<T>>(key, a, b));
}
template <class View, class P, class Q>
void beta(Key key, const detail::Into<View>& y, P a, Q b) {
  detail::fill(y.view, detail::make<detail::Beta<typename View::value_type>>(key, a, b));
}

/// In a function: an index k (int64) with a probability in proportion to exp(logits[k]), where
/// logits is a vec or an Example of rank 1 of float or double. `at(i)` is element i of an array of
/// such draws; with the logits of row i it is JAX's draw for a batch of logits.
template <class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION std::int64_t categorical(const A&... args) {
  return detail::draw_category(args...);
}
/// Of an array: an index for every row of logits, a View whose last axis holds the categories. The
/// shape is that of the other axes, or has further axes before them. Otherwise a ShapeError.
template <int R, class View>
  requires Kokkos::is_view_v<View>
auto categorical(Key key, const detail::Extents<R>& shape, const View& logits) {
  detail::check_logits(detail::shape_of(shape), kmap::detail::shape_of(logits));
  return detail::fresh<typename View::execution_space>(
      shape, detail::Categorical(key, detail::example_of(logits)));
}
template <class View>
  requires Kokkos::is_view_v<View>
auto categorical(Key key, const View& logits) {
  return categorical(key, detail::rows_of(logits), logits);
}

/// In a function: one of a, which is a number n (then one of 0 … n - 1, int64), or a vec or an
/// Example of rank 1; alike, or with a probability in proportion to p, a vec or an Example of as
/// many weights. With weights it takes time in proportion to their number.
template <class... A>
  requires detail::InFunction<A...>
KOKKOS_FUNCTION auto choice(const A&... args) {
  return detail::choose(args...);
}
/// An array of elements of a, which is a number n or a View; in a View, `axis(k)` is replaced by
/// the axes of the shape. Options in any order: weights p (a View of rank 1), without_replacement,
/// axis(k). Errors: a ShapeError if there is too little to choose from or p has another length, an
/// Error if a weight is negative or not finite.
template <int R, class X, class... O>
auto choice(Key key, const detail::Extents<R>& shape, const X& a, const O&... options) {
  static_assert(((detail::IsAxis<O>::value || detail::IsWithoutReplacement<O>::value ||
                  Kokkos::is_view_v<O>) &&
                 ...),
                "kmap: options of choice are weights (a View), without_replacement and axis(k)");
  const kmap::detail::Region region("kmap:random:choice");
  if constexpr (std::is_integral_v<X>) {
    return detail::copy_to<Kokkos::DefaultExecutionSpace>(
        detail::choose_indices(key, shape, static_cast<std::int64_t>(a), options...));
  } else {
    const int along = detail::axis_of(a, options...);
    const auto n = static_cast<std::int64_t>(a.extent(static_cast<std::size_t>(along)));
    return detail::take(a, detail::choose_indices(key, shape, n, options...), along);
  }
}

/// x in random order: 0 … x - 1 (int64) for a number, else the elements of a View along an axis.
/// Options: axis(k), and independent for an order of its own in every line; otherwise whole
/// slices move. The order is found on the host.
template <class X, class... O>
auto permutation(Key key, const X& x, const O&... options) {
  static_assert(((detail::IsAxis<O>::value || detail::IsIndependent<O>::value) && ...),
                "kmap: options of permutation are axis(k) and independent");
  const kmap::detail::Region region("kmap:random:permutation");
  if constexpr (std::is_integral_v<X>) {
    const auto order = detail::shuffled(key, static_cast<std::int64_t>(x));
    return detail::copy_to<Kokkos::DefaultExecutionSpace>(
        detail::first_of(order, shape(order.size())));
  } else {
    const int along = detail::axis_of(x, options...);
    if constexpr (kmap::detail::option_count<detail::IsIndependent, O...> > 0) {
      return detail::permute_lines(key, x, along);
    } else {
      const auto order = detail::shuffled(
          key, static_cast<std::int64_t>(x.extent(static_cast<std::size_t>(along))));
      return detail::take(x, detail::first_of(order, shape(order.size())), along);
    }
  }
}

/// Permutes x in place, with the order and the options of permutation.
template <class View, class... O>
void shuffle(Key key, const View& x, const O&... options) {
  const kmap::detail::Region region("kmap:random:shuffle");
  Kokkos::deep_copy(x, permutation(key, x, options...));
}

}  // namespace kmap::random
