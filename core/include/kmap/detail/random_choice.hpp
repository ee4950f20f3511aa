#pragma once
// Draws among given things: categories with logits, elements with weights, and what is taken along
// an axis.

#include "kmap/detail/distributions.hpp"
#include "kmap/detail/options.hpp"
#include "kmap/detail/random_draw.hpp"
#include "kmap/detail/random_fill.hpp"
#include "kmap/detail/random_order.hpp"
#include "kmap/error.hpp"
#include "kmap/example.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::random {

/// Option of choice: nothing is drawn twice.
struct WithoutReplacement {};
inline constexpr WithoutReplacement without_replacement{};

/// Option of permutation: every line along the axis has an order of its own.
struct Independent {};
inline constexpr Independent independent{};

/// Option of choice and permutation: the axis (0); negative counts from the end.
struct Axis {
  int value;
};
constexpr Axis axis(int value) { return {value}; }

namespace detail {

template <class O>
using IsWithoutReplacement = std::is_same<O, WithoutReplacement>;
template <class O>
using IsIndependent = std::is_same<O, Independent>;
template <class O>
using IsAxis = std::is_same<O, Axis>;

/// A vector as functions get one, read only.
template <class T>
KOKKOS_FUNCTION Example<const std::remove_cv_t<T>, 1> vector_of(const Example<T, 1>& x) {
  return x;
}
template <class T, int N>
KOKKOS_FUNCTION Example<const T, 1> vector_of(const vec<T, N>& x) {
  Extents<1> extents;
  Extents<1> strides;
  extents[0] = N;
  strides[0] = 1;
  return {x.values, extents, strides};
}

/// A whole View as an Example.
template <class View>
auto example_of(const View& view) {
  constexpr int rank = static_cast<int>(View::rank());
  Extents<rank> extents;
  Extents<rank> strides;
  for (int d = 0; d < rank; ++d) {
    extents[d] = static_cast<std::int64_t>(view.extent(static_cast<std::size_t>(d)));
    strides[d] = static_cast<std::int64_t>(view.stride(static_cast<std::size_t>(d)));
  }
  return Example<typename View::value_type, rank>(view.data(), extents, strides);
}

/// The index of the greatest of logit + Gumbel, the first of equals; NaN counts as greatest. The
/// rows of logits, of which there are as many as their other extents say, are taken in turn.
template <Real T, int Rank>
struct Categorical {
  using value_type = std::int64_t;
  Gumbel<T> gumbel;
  Example<const T, Rank> logits;

  KOKKOS_FUNCTION Categorical(Key key, const Example<const T, Rank>& x) : gumbel(key), logits(x) {}

  KOKKOS_FUNCTION std::int64_t operator()(Words place) const {
    const auto i = static_cast<std::int64_t>(index_of(place));
    const T* row = logits.data() + row_offset(i);
    const std::int64_t count = logits.extent(Rank - 1);
    std::int64_t best = 0;
    T greatest = -std::numeric_limits<T>::infinity();
    for (std::int64_t k = 0; k < count; ++k) {
      const T x = gumbel(words_of(static_cast<std::uint64_t>(i * count + k))) +
                  row[k * logits.stride(Rank - 1)];
      if (x != x) return k;
      if (x > greatest) {
        greatest = x;
        best = k;
      }
    }
    return best;
  }

 private:
  KOKKOS_FUNCTION std::int64_t row_offset(std::int64_t i) const {
    std::int64_t offset = 0;
    for (int d = Rank - 2; d >= 0; --d) {
      offset += i % logits.extent(d) * logits.stride(d);
      i /= logits.extent(d);
    }
    return offset;
  }
};
template <class T, int Rank>
Categorical(Key, const Example<T, Rank>&) -> Categorical<std::remove_const_t<T>, Rank>;

template <class X>
KOKKOS_FUNCTION std::int64_t draw_category(Key key, const X& logits) {
  return Categorical(key, vector_of(logits))(Words{0, 0});
}
template <class X>
KOKKOS_FUNCTION std::int64_t draw_category(Key key, At place, const X& logits) {
  return Categorical(key, vector_of(logits))(words_of(place.index));
}
template <class Names, class Replay, class... A>
KOKKOS_FUNCTION std::int64_t draw_category(const Context<Names, Replay>&, const A&... args) {
  return draw_category(args...);
}

/// The shape without the axis of the categories.
template <class View>
auto rows_of(const View& logits) {
  Extents<static_cast<int>(View::rank()) - 1> rows;
  for (int d = 0; d < static_cast<int>(View::rank()) - 1; ++d) {
    rows[d] = static_cast<std::int64_t>(logits.extent(static_cast<std::size_t>(d)));
  }
  return rows;
}

inline void check_logits(const Shape& shape, const Shape& logits) {
  const bool ends_alike =
      shape.size() + 1 >= logits.size() &&
      std::equal(logits.begin(), logits.end() - 1, shape.end() - (std::ssize(logits) - 1));
  if (!ends_alike || (count(shape) > 0 && logits.back() == 0)) {
    throw ShapeError("kmap: random: categorical of shape " + to_string(shape) +
                         " from logits of shape " + to_string(logits),
                     "the shape ends with that of the logits without their last axis, which holds "
                     "one category or more");
  }
}

/// Running sums with the bits of JAX's parallel scan: a sum over the first n elements is that of
/// its blocks of 2^k, the longest first, each block being added up in pairs.
template <Real T>
class RunningSum {
 public:
  /// The sum up to x, with it.
  KOKKOS_FUNCTION T add(T x) {
    T block = x;
    int level = 0;
    for (; (count_ >> level) & 1; ++level) block = blocks_[level] + block;
    ++count_;
    // Longer blocks end where this one begins.
    T sum = block;
    if ((count_ >> level) > 1) {
      int before = level + 1;
      while (!((count_ >> before) & 1)) ++before;
      sum = sums_[before] + block;
    }
    blocks_[level] = block;
    sums_[level] = sum;
    return sum;
  }

 private:
  static constexpr int most = 63;
  std::int64_t count_ = 0;
  T blocks_[most];
  T sums_[most];  // up to the end of the block
};

/// The type in which weights are compared with a uniform number.
template <class P>
using WeightType = std::conditional_t<std::is_same_v<P, float>, float, double>;

/// Index i with a probability in proportion to the weights: the first one whose running sum reaches
/// a uniform number in (0, sum of all]. In a function, where there is no memory for the sums.
template <Real T>
struct WeightedIndex {
  using value_type = std::int64_t;
  Uniform<T> uniform;
  Example<const T, 1> weights;

  KOKKOS_FUNCTION WeightedIndex(Key key, const Example<const T, 1>& p) : uniform(key), weights(p) {}
  KOKKOS_FUNCTION std::int64_t operator()(Words place) const {
    RunningSum<T> total;
    T all{};
    for (std::int64_t i = 0; i < weights.extent(0); ++i) all = total.add(weights(i));
    const T r = all * (T{1} - uniform(place));
    RunningSum<T> sum;
    std::int64_t i = 0;
    while (i < weights.extent(0) - 1 && sum.add(weights(i)) < r) ++i;
    return i;
  }
};
template <class T>
WeightedIndex(Key, const Example<const T, 1>&) -> WeightedIndex<T>;

/// One of 0 … x - 1, or an element of the vector x, perhaps with weights p, in a function.
template <class X, class... P>
KOKKOS_FUNCTION auto choose_at(Words place, Key key, const X& x, const P&... p) {
  if constexpr (!std::is_integral_v<X>) {
    const auto elements = vector_of(x);
    return elements(choose_at(place, key, elements.extent(0), p...));
  } else if constexpr (sizeof...(P) == 0) {
    return Randint<std::int64_t>(key, 0, x)(place);
  } else {
    return WeightedIndex(key, vector_of(p)...)(place);
  }
}
template <class... A>
KOKKOS_FUNCTION auto choose(Key key, const A&... args) {
  return choose_at(Words{0, 0}, key, args...);
}
template <class... A>
KOKKOS_FUNCTION auto choose(Key key, At place, const A&... args) {
  return choose_at(words_of(place.index), key, args...);
}
template <class Names, class Replay, class... A>
KOKKOS_FUNCTION auto choose(const Context<Names, Replay>&, const A&... args) {
  return choose(args...);
}

/// The same with the running sums at hand, where each is no less than the one before.
template <Real T, class View>
struct SummedIndex {
  using value_type = std::int64_t;
  Uniform<T> uniform;
  View sums;
  T all;

  KOKKOS_FUNCTION std::int64_t operator()(Words place) const {
    const T r = all * (T{1} - uniform(place));
    std::int64_t begin = 0;
    auto end = static_cast<std::int64_t>(sums.extent(0)) - 1;
    while (begin < end) {
      const std::int64_t middle = begin + (end - begin) / 2;
      if (sums(middle) < r) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

/// Copies elements along one axis: result(before…, j…, after…) = from(before…, index[j…], after…).
template <class T, int Rank>
struct Take {
  Example<T, Rank> result;
  Extents<Rank> index_steps;  // row-major over the dimensions j, 0 for others
  Extents<Rank> strides;      // in what is taken from, 0 for the dimensions j
  const T* from;
  std::int64_t axis_stride;
  const std::int64_t* index;

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    std::int64_t there = 0;
    std::int64_t here = 0;
    std::int64_t j = 0;
    for (int d = Rank - 1; d >= 0; --d) {
      const std::int64_t at = i % result.extent(d);
      i /= result.extent(d);
      there += at * result.stride(d);
      here += at * strides[d];
      j += at * index_steps[d];
    }
    result.data()[there] = from[here + index[j] * axis_stride];
  }
};

/// A fresh View of x's elements, in its space.
template <class View, int Rank>
using TakenView =
    Kokkos::View<typename DataType<typename View::non_const_value_type, Rank>::type,
                 typename View::execution_space::array_layout, typename View::memory_space>;

/// A fresh View of x's elements along `axis` whose places are in `index`, on the host.
template <class View, class Index>
auto take(const View& x, const Index& index, int axis) {
  using T = typename View::non_const_value_type;
  using Exec = typename View::execution_space;
  constexpr int places = static_cast<int>(Index::rank());
  constexpr int rank = static_cast<int>(View::rank()) - 1 + places;
  const auto from = example_of(x);
  Shape shape;
  Extents<rank> index_steps;
  Extents<rank> strides;
  std::int64_t step = static_cast<std::int64_t>(index.size());
  for (int d = 0; d < rank; ++d) {
    if (d >= axis && d < axis + places) {
      shape.push_back(static_cast<std::int64_t>(index.extent(static_cast<std::size_t>(d - axis))));
      index_steps[d] = step = shape.back() == 0 ? 0 : step / shape.back();
    } else {
      const int source = d < axis ? d : d - places + 1;
      shape.push_back(from.extent(source));
      strides[d] = from.stride(source);
    }
  }
  const auto result = kmap::detail::make_view<TakenView<View, rank>>("kmap:random", shape);
  const auto there = Kokkos::create_mirror_view_and_copy(typename View::memory_space(), index);
  Kokkos::parallel_for("kmap:random:take",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, count(shape)),
                       Take<T, rank>{example_of(result), index_steps, strides, x.data(),
                                     from.stride(axis), there.data()});
  if constexpr (!kmap::detail::is_host<Exec>) Exec().fence("kmap:random:take");  // `there` ends
  return result;
}

/// Indices on the host, row-major.
template <int Rank>
using IndexView = Kokkos::View<typename DataType<std::int64_t, Rank>::type, Kokkos::LayoutRight,
                               Kokkos::HostSpace>;

/// The first of `order`, as many as the shape has places.
template <int Rank>
IndexView<Rank> first_of(const std::vector<std::int64_t>& order, const Extents<Rank>& extents) {
  const auto view = kmap::detail::make_view<IndexView<Rank>>("kmap:random", shape_of(extents));
  std::copy_n(order.begin(), view.size(), view.data());
  return view;
}

/// The axis that the options name, from 0.
template <class View, class... O>
int axis_of(const View& x, const O&... options) {
  static_assert(View::rank() > 0, "kmap: an array has an axis to choose from or to permute");
  const int rank = static_cast<int>(View::rank());
  const int axis = kmap::detail::pick_option<IsAxis>(Axis{0}, options...).value;
  if (axis < -rank || axis >= rank) {
    throw ShapeError("kmap: random: axis " + std::to_string(axis) + " of an array of shape " +
                         to_string(kmap::detail::shape_of(x)),
                     "give one from " + std::to_string(-rank) + " to " + std::to_string(rank - 1));
  }
  return axis < 0 ? axis + rank : axis;
}

/// Throws if there is nothing to choose from, or too little.
inline void check_choice(std::int64_t population, std::int64_t draws, bool replace) {
  if (draws > 0 && population <= 0) {
    throw ShapeError("kmap: random: choice from nothing", "give at least one thing to choose from");
  }
  if (!replace && draws > population) {
    throw ShapeError("kmap: random: choice without replacement of " + std::to_string(draws) +
                         " from " + std::to_string(population),
                     "draw no more than there are, or with replacement");
  }
}

/// The weights on the host, in the type of the draws.
template <class View>
auto checked_weights(const View& p, std::int64_t population) {
  static_assert(View::rank() == 1, "kmap: weights of a choice are a View of rank 1");
  using T = WeightType<typename View::non_const_value_type>;
  if (static_cast<std::int64_t>(p.extent(0)) != population) {
    throw ShapeError("kmap: random: " + std::to_string(p.extent(0)) +
                         " weights for a choice from " + std::to_string(population),
                     "give one weight for each");
  }
  const auto here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), p);
  std::vector<T> weights(here.extent(0));
  for (std::size_t i = 0; i < weights.size(); ++i) {
    weights[i] = static_cast<T>(here(i));
    if (!(weights[i] >= T{0}) || !Kokkos::isfinite(weights[i])) {
      throw Error(ExitCode::bad_data,
                  "kmap: random: weight " + std::to_string(i) + " of a choice is " +
                      std::to_string(weights[i]),
                  "weights are finite and not negative");
    }
  }
  return weights;
}

/// Indices drawn with these weights, with replacement.
template <class T, int Rank>
auto weighted_indices(Key key, const std::vector<T>& weights, const Extents<Rank>& shape) {
  using Sums = Kokkos::View<T*, Kokkos::HostSpace>;
  const Sums sums(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:random"), weights.size());
  RunningSum<T> sum;
  T all{};
  T most{};
  for (std::size_t i = 0; i < weights.size(); ++i) {
    all = sum.add(weights[i]);
    sums(i) = most = std::max(most, all);
  }
  const auto result = kmap::detail::make_view<IndexView<Rank>>("kmap:random", shape_of(shape));
  fill(result, SummedIndex<T, Sums>{Uniform<T>(key), sums, all});
  return result;
}

/// Indices in the order of weight times a random number: those of a draw without replacement.
template <class T>
std::vector<std::int64_t> weighted_order(Key key, const std::vector<T>& weights) {
  const Gumbel<T> gumbel(key);
  std::vector<std::pair<T, std::int64_t>> ranking(weights.size());
  for (std::size_t i = 0; i < weights.size(); ++i) {
    ranking[i] = {gumbel(words_of(i)) + kmap::log(weights[i]), static_cast<std::int64_t>(i)};
  }
  std::stable_sort(ranking.begin(), ranking.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<std::int64_t> order(weights.size());
  std::transform(ranking.begin(), ranking.end(), order.begin(),
                 [](const auto& one) { return one.second; });
  return order;
}

template <class O>
using IsWeights = Kokkos::is_view<O>;

/// Indices on the host for a choice from n.
template <int Rank, class... O>
IndexView<Rank> choose_indices(Key key, const Extents<Rank>& shape, std::int64_t n,
                               const O&... options) {
  constexpr bool replace = kmap::detail::option_count<IsWithoutReplacement, O...> == 0;
  check_choice(n, count(shape_of(shape)), replace);
  if constexpr (kmap::detail::option_count<IsWeights, O...> > 0) {
    const auto weights = checked_weights(kmap::detail::pick_option<IsWeights>(none, options...), n);
    if constexpr (replace) {
      return weighted_indices(key, weights, shape);
    } else {
      return first_of(weighted_order(key, weights), shape);
    }
  } else if constexpr (replace) {
    return fresh<Kokkos::DefaultHostExecutionSpace>(shape, Randint<std::int64_t>(key, 0, n));
  } else {
    return first_of(shuffled(key, n), shape);
  }
}

/// In that space, with its layout.
template <class Exec, class Indices>
auto copy_to(const Indices& indices) {
  using Result = Kokkos::View<typename Indices::data_type, Exec>;
  if constexpr (std::is_convertible_v<Indices, Result>) {
    return Result(indices);
  } else {
    const auto result =
        kmap::detail::make_view<Result>("kmap:random", kmap::detail::shape_of(indices));
    const auto here = Kokkos::create_mirror_view(result);
    Kokkos::deep_copy(here, indices);  // from layout to layout
    Kokkos::deep_copy(result, here);
    return result;
  }
}

/// Every line of x along the axis in an order of its own.
template <class View>
auto permute_lines(Key key, const View& x, int axis) {
  constexpr int rank = static_cast<int>(View::rank());
  const Shape shape = kmap::detail::shape_of(x);
  const auto result = kmap::detail::make_view<TakenView<View, rank>>("kmap:random", shape);
  const auto x_here = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  const auto result_here = Kokkos::create_mirror_view(Kokkos::HostSpace(), result);
  const auto from = example_of(x_here);
  const auto to = example_of(result_here);
  const int rounds = sort_rounds(count(shape));
  const std::int64_t length = from.extent(axis);
  const std::int64_t lines = length == 0 ? 0 : count(shape) / length;
  for (std::int64_t line = 0; line < lines; ++line) {
    std::int64_t there = 0;
    std::int64_t here = 0;
    std::int64_t index = 0;
    std::int64_t step = 1;
    std::int64_t axis_step = 1;
    std::int64_t i = line;
    for (int d = rank - 1; d >= 0; --d) {
      if (d == axis) {
        axis_step = step;
      } else {
        const std::int64_t at = i % from.extent(d);
        i /= from.extent(d);
        there += at * to.stride(d);
        here += at * from.stride(d);
        index += at * step;
      }
      step *= from.extent(d);
    }
    const auto order = shuffled_line(key, rounds, length, index, axis_step);
    for (std::int64_t j = 0; j < length; ++j) {
      to.data()[there + j * to.stride(axis)] =
          from.data()[here + order[static_cast<std::size_t>(j)] * from.stride(axis)];
    }
  }
  Kokkos::deep_copy(result, result_here);
  return result;
}

}  // namespace detail

}  // namespace kmap::random
