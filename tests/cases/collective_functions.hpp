#pragma once
// Functions with collectives that cases map both by vmap and by pmap.

#include "arrays.hpp"

#include "kmap/collectives.hpp"

namespace kmap::test {

// Case 10: what is left of x after its sum, greatest and least over the axes.
template <detail::FixedString... Axis>
struct Residuals {
  template <class C>
  KOKKOS_FUNCTION vec<double, 3> operator()(C& c, double x) const {
    return {x - psum<Axis...>(c, x), x - pmax<Axis...>(c, x), x - pmin<Axis...>(c, x)};
  }
};

// Case 11.
struct MinusIndex {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return x - axis_index<"i">(c);
  }
};

// Case 12.
struct GatherRows {
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 2>& x,
                                  const out<double, 2>& y) const {
    copy_example(all_gather<"i">(c, x, tiled), y);
  }
};

// Case 13.
struct AllToAll {
  int split;
  int concat;
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 3>& x,
                                  const out<double, 3>& y) const {
    copy_example(all_to_all<"i">(c, x, split, concat), y);
  }
};
struct AllToAllTiled {
  int split;
  int concat;
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 3>& x,
                                  const out<double, 3>& y) const {
    copy_example(all_to_all<"i">(c, x, split, concat, tiled), y);
  }
};
struct SwapAxes {
  int a;
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 3>& x,
                                  const out<double, 3>& y) const {
    copy_example(pswapaxes<"i">(c, x, a), y);
  }
};

// Case 14.
struct Permute {
  Pairs pairs;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return ppermute<"i">(c, x, pairs);
  }
};

// What case 10 wants of x = (x - 3)² for x from 0 on, of that shape: differences to the sum,
// greatest and least over the axes that `over` names, the sizes kept.
inline Array<double, 3> squares(const Shape& shape) {
  const auto x = counting<double, 3>(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = (x.data()[i] - 3) * (x.data()[i] - 3);
  return x;
}
inline std::vector<double> residuals(const Array<double, 3>& x, const std::vector<bool>& over) {
  const Shape shape = shape_of(x);
  std::vector<double> result;
  each_index<int>(shape, [&](const Shape& at) {
    double sum = 0;
    double greatest = -1e300;
    double least = 1e300;
    each_index<int>(shape, [&](const Shape& other) {
      for (std::size_t d = 0; d < 3; ++d) {
        if (!over[d] && other[d] != at[d]) return 0;
      }
      const double value = x(other[0], other[1], other[2]);
      sum += value;
      greatest = std::max(greatest, value);
      least = std::min(least, value);
      return 0;
    });
    const double value = x(at[0], at[1], at[2]);
    result.insert(result.end(), {value - sum, value - greatest, value - least});
    return 0;
  });
  return result;
}

// Case 13 by its definition: of x, mapped along `mapped` over n examples, output j has at position
// i of concat slice j (tiled: chunk j) along split of example i. Mapped axis first.
inline std::vector<double> all_to_all_of(const Shape& shape, int mapped, int split, int concat) {
  const auto at = [](int axis) { return static_cast<std::ptrdiff_t>(axis); };
  const std::int64_t n = shape[static_cast<std::size_t>(mapped)];
  Shape core = shape;
  core.erase(core.begin() + at(mapped));
  Shape out = core;
  out.erase(out.begin() + at(split));
  out.insert(out.begin() + at(concat), n);
  out.insert(out.begin(), n);
  return each_index<double>(out, [&](const Shape& index) {
    Shape source(index.begin() + 1, index.end());
    const std::int64_t i = source[static_cast<std::size_t>(concat)];
    source.erase(source.begin() + at(concat));
    source.insert(source.begin() + at(split), index[0]);
    source.insert(source.begin() + at(mapped), i);
    return number_of(source, shape);
  });
}
// The same tiled, with the shape that it gives.
inline Shape tiled_shape(const Shape& shape, int mapped, int split, int concat) {
  const std::int64_t n = shape[static_cast<std::size_t>(mapped)];
  Shape out = shape;
  out.erase(out.begin() + mapped);
  out[static_cast<std::size_t>(split)] /= n;
  out[static_cast<std::size_t>(concat)] *= n;
  out.insert(out.begin(), n);
  return out;
}
inline std::vector<double> tiled_all_to_all_of(const Shape& shape, int mapped, int split,
                                               int concat) {
  Shape core = shape;
  core.erase(core.begin() + mapped);
  const std::int64_t n = shape[static_cast<std::size_t>(mapped)];
  const std::int64_t chunk = core[static_cast<std::size_t>(split)] / n;
  const std::int64_t width = split == concat ? chunk : core[static_cast<std::size_t>(concat)];
  return each_index<double>(tiled_shape(shape, mapped, split, concat), [&](const Shape& index) {
    Shape source(index.begin() + 1, index.end());
    const std::int64_t i = source[static_cast<std::size_t>(concat)] / width;
    source[static_cast<std::size_t>(concat)] %= width;
    source[static_cast<std::size_t>(split)] += index[0] * chunk;
    source.insert(source.begin() + mapped, i);
    return number_of(source, shape);
  });
}

// Pairs (i, to[i]) of a permutation of n that is not its own inverse.
inline std::vector<std::int64_t> some_permutation(std::int64_t n) {
  std::vector<std::int64_t> to(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) to[static_cast<std::size_t>(i)] = i;
  std::uint64_t state = 12345;
  for (std::size_t i = to.size(); i-- > 1;) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    std::swap(to[i], to[(state >> 33) % (i + 1)]);
  }
  return to;
}
inline Pairs pairs_of(const std::vector<std::int64_t>& to) {
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  for (std::size_t i = 0; i < to.size(); ++i) pairs.emplace_back(i, to[i]);
  return Pairs(pairs);
}
// x[inverse of the permutation].
inline std::vector<double> permuted(const Array<double, 1>& x,
                                    const std::vector<std::int64_t>& to) {
  std::vector<double> y(to.size());
  for (std::size_t i = 0; i < to.size(); ++i) y[static_cast<std::size_t>(to[i])] = x(i);
  return y;
}

}  // namespace kmap::test
