#include <kmap/kernel.hpp>
#include <kmap/math.hpp>
#include <kmap/sum.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>

namespace {

/// The rounded sum of a and b, and what the rounding lost (D. Knuth's TwoSum).
struct Rounded {
  double sum;
  double lost;
};
KOKKOS_FUNCTION inline Rounded two_sum(double a, double b) {
  const double sum = a + b;
  const double part = sum - a;
  return {sum, (a - (sum - part)) + (b - part)};
}

/// A sum kept as three doubles: `high` is the plain running sum, `middle` the sum of what its
/// roundings lost, `low` what that sum lost itself (T. Ogita, S. Rump, S. Oishi, Accurate Sum and
/// Dot Product, 2005, algorithm SumK): as accurate as three times the working precision, so that
/// values may cancel.
struct Sum {
  double high = 0;
  double middle = 0;
  double low = 0;

  KOKKOS_FUNCTION void add(double x) {
    const Rounded top = two_sum(high, x);
    const Rounded next = two_sum(middle, top.lost);
    high = top.sum;
    middle = next.sum;
    low += next.lost;
  }
  KOKKOS_FUNCTION void add(const Sum& other) {
    add(other.high);
    add_lost(other.middle);
    low += other.low;
  }
  KOKKOS_FUNCTION bool is_finite() const { return kmap::isfinite(high); }

  /// The same sum, each part the rounding of all that follows. Two passes: after one, parts that
  /// cancelled may still overlap.
  KOKKOS_FUNCTION Sum normalised() const {
    Sum s = *this;
    for (int pass = 0; pass < 2; ++pass) {
      const Rounded lower = two_sum(s.middle, s.low);
      const Rounded upper = two_sum(s.high, lower.sum);
      s.high = upper.sum;
      s.middle = upper.lost;
      s.low = lower.lost;
    }
    return s;
  }
  // Beyond the range the corrections are no numbers, while the plain sum is what IEEE 754 says.
  KOKKOS_FUNCTION double value() const {
    if (!is_finite()) return high;
    const Sum s = normalised();
    return s.high + (s.middle + s.low);
  }

 private:
  KOKKOS_FUNCTION void add_lost(double x) {
    const Rounded next = two_sum(middle, x);
    middle = next.sum;
    low += next.lost;
  }
};

/// A value as an exact sum of two doubles: 64-bit integers do not fit into one.
struct Parts {
  double high;
  double low;
};

template <class T>
KOKKOS_FUNCTION Parts split(T x) {
  if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
    constexpr auto mask = static_cast<T>(0xffffffff);
    const T low = x & mask;
    return {static_cast<double>(x - low), static_cast<double>(low)};
  } else {
    return {static_cast<double>(x), 0.0};
  }
}

KOKKOS_FUNCTION inline double larger(double a, double b) { return a > b ? a : b; }

/// What one pass after the other over a leaf, while it is in the cache, finds out, in double and
/// about a centre near the leaf's mean.
template <class T>
struct QuickLeaf {
  T least;
  T most;
  kmap::LongSum sum;
  double centre;
  double rest;     // mean of the leaf - centre
  double squares;  // Σ (x - mean of the leaf)²
  double about;    // Σ (x - centre)²
};

/// In plain sums of doubles, which hold many more digits than floats have.
KOKKOS_FORCEINLINE_FUNCTION QuickLeaf<float> plain_leaf(const kmap::Example<const float, 1>& x) {
  const auto n = static_cast<double>(x.extent(0));
  const double share = 1 / n;
  const double centre = x(0);
  const auto [extremes, values, squares] = kmap::sums_about(x, centre);
  const double rest = values * share;
  return {extremes.least,
          extremes.greatest,
          {centre * n, values},
          centre,
          rest,
          squares - values * rest,
          squares};
}

/// In a sum that loses nothing. About the middle of the range or, should too many digits cancel,
/// about the mean.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION QuickLeaf<T> long_leaf(const kmap::Example<const T, 1>& x) {
  const auto n = static_cast<double>(x.extent(0));
  const auto [least, most] = kmap::extremes(x);
  const auto lower = static_cast<double>(least);
  const auto upper = static_cast<double>(most);
  double centre = lower / 2 + upper / 2;
  while (true) {
    const auto [sum, about] = kmap::long_sums(x, larger(-lower, upper), centre);
    const double rest = (kmap::fma(-centre, n, sum.high) + sum.low) / n;
    const double squares = about - n * (rest * rest);
    const double mean = (sum.high + sum.low) / n;
    if (about <= 1.5 * squares || centre == mean || mean != mean) {
      return {least, most, sum, centre, rest, squares, about};
    }
    centre = mean;
  }
}

/// The moments of all leaves, if the quick way is sure of them.
template <class T>
struct Quick {
  bool is_sure;
  double mean;
  double squares;
  T least;
  T most;
};

/// Mean, standard deviation (of the population, NumPy's default), minimum and maximum of an example
/// of any shape. Sums go over leaves of fixed size in fixed order, so that they do not depend on
/// the size of the team. NaN anywhere makes all four NaN (integers have none).
///
/// The quick way goes over memory once and knows a bound on the error of the mean. Where that is
/// too large (values that cancel nearly altogether), where squares leave the range of double, where
/// values are not finite, and for 64-bit integers, which no double holds, the careful way follows,
/// in sums of threefold precision and two passes over memory.
struct Moments {
  using map_kind = kmap::per_team;

  static constexpr std::int64_t leaf_size = 1024;
  static constexpr int lanes = 8;

  template <class T>
  static constexpr bool has_quick_way = std::is_same_v<T, double> || sizeof(T) <= 4;

  template <class T>
  struct Leaf {
    Sum sum;
    T least;
    T most;
    bool has_nan;
  };

  /// What the members of a team tell each other.
  template <class T>
  struct Shared {
    Leaf<T> total;
    Sum squares;
  };

  // Not Kokkos::min: it takes references, and a constant has no address on a device.
  static KOKKOS_FUNCTION std::int64_t leaf_length(std::int64_t rest) {
    return rest < leaf_size ? rest : leaf_size;
  }

  static KOKKOS_FUNCTION std::int64_t leaves(std::int64_t n) {
    return (n + leaf_size - 1) / leaf_size;
  }

  template <class T>
  std::size_t scratch_bytes(const kmap::Example<const T, 1>& x) const {
    const auto count = static_cast<std::size_t>(leaves(x.size()));
    const std::size_t ways = !has_quick_way<T> ? 0 : std::is_same_v<T, float> ? 2 : 1;
    const std::size_t quick = count > 1 ? ways * sizeof(QuickLeaf<T>) : 0;
    // Kokkos may begin each array at the next multiple of 8 bytes.
    return count * (quick + sizeof(Leaf<T>) + sizeof(Sum)) + sizeof(Shared<T>) + 64;
  }

  template <class Team, class T>
  KOKKOS_FUNCTION auto operator()(const Team& team, const kmap::Example<const T, 1>& x) const {
    using Real = std::conditional_t<std::is_same_v<T, float>, float, double>;
    const auto n = static_cast<double>(x.size());
    const auto result = [n](const Quick<T>& quick) {
      return std::tuple<Real, Real, T, T>(static_cast<Real>(quick.mean),
                                          static_cast<Real>(kmap::sqrt(quick.squares / n)),
                                          quick.least, quick.most);
    };
    if constexpr (std::is_same_v<T, float>) {
      const Quick<T> quick = quick_moments<true>(team, x);
      if (quick.is_sure) return result(quick);
    }
    if constexpr (has_quick_way<T>) {
      const Quick<T> quick = quick_moments<false>(team, x);
      if (quick.is_sure) return result(quick);
    }
    return careful_moments<Real>(team, x);
  }

 private:
  template <class U, class Team>
  static KOKKOS_FUNCTION U* scratch(const Team& team, std::int64_t count) {
    return static_cast<U*>(
        team.team_scratch(1).get_shmem_aligned(static_cast<std::size_t>(count) * sizeof(U), 8));
  }

  template <class T>
  static KOKKOS_FUNCTION kmap::Example<const T, 1> leaf_at(const kmap::Example<const T, 1>& x,
                                                           std::int64_t i) {
    const std::int64_t begin = i * leaf_size;
    const std::int64_t stride = x.stride(0);
    return {x.data() + begin * stride, {{leaf_length(x.size() - begin)}}, {{stride}}};
  }

  template <bool Plain, class Team, class T>
  static KOKKOS_FORCEINLINE_FUNCTION Quick<T> quick_moments(const Team& team,
                                                            const kmap::Example<const T, 1>& x) {
    const std::int64_t n = x.size();
    if (n == 0) return {};
    if (n <= leaf_size) {
      // Every member by itself: nothing to tell each other.
      const QuickLeaf<T> all = quick_leaf<Plain>(x);
      const double sum = all.sum.high + all.sum.low;
      return judged<Plain>(all, sum, n, sum / static_cast<double>(n), all.squares);
    }
    const std::int64_t count = leaves(n);
    auto* leaf = scratch<QuickLeaf<T>>(team, count);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int64_t i) {
      Kokkos::single(Kokkos::PerThread(team), [&] { leaf[i] = quick_leaf<Plain>(leaf_at(x, i)); });
    });
    team.team_barrier();
    return joined<Plain>(leaf, n);
  }

  template <bool Plain, class T>
  static KOKKOS_FORCEINLINE_FUNCTION QuickLeaf<T> quick_leaf(const kmap::Example<const T, 1>& x) {
    if constexpr (Plain) {
      return plain_leaf(x);
    } else {
      return long_leaf(x);
    }
  }

  /// The leaves together, by every member of the team.
  template <bool Plain, class T>
  static KOKKOS_FUNCTION Quick<T> joined(const QuickLeaf<T>* leaf, std::int64_t n) {
    const std::int64_t count = leaves(n);
    QuickLeaf<T> all = leaf[0];
    Sum sum;
    for (std::int64_t i = 0; i < count; ++i) {
      sum.add(leaf[i].sum.high);
      sum.add(leaf[i].sum.low);
      all.least = leaf[i].least < all.least ? leaf[i].least : all.least;
      all.most = leaf[i].most > all.most ? leaf[i].most : all.most;
    }
    const double total = sum.value();
    const double mean = total / static_cast<double>(n);
    const double mean_error = rounding_of(sum, n, 1, mean);
    Sum squares;
    all.about = 0;
    for (std::int64_t i = 0; i < count; ++i) {
      const auto length = static_cast<double>(leaf_length(n - i * leaf_size));
      const double distance = (leaf[i].centre - mean) + (leaf[i].rest - mean_error);
      squares.add(leaf[i].squares);
      squares.add(length * (distance * distance));
      all.about += leaf[i].about;
    }
    return judged<Plain>(all, total, n, mean, squares.value());
  }

  /// Whether these are sure to be right to little more than the rounding of the results. NaN makes
  /// every comparison false.
  template <bool Plain, class T>
  static KOKKOS_FORCEINLINE_FUNCTION Quick<T> judged(const QuickLeaf<T>& all, double sum,
                                                     std::int64_t n, double mean, double squares) {
    const auto least = static_cast<double>(all.least);
    const auto most = static_cast<double>(all.most);
    const double size = sum < 0 ? -sum : sum;
    bool is_sure = false;
    if constexpr (Plain) {
      // After at most 8 + 8 + 4 additions one after the other Σ (x - centre)² has an error of
      // 2^-48 of itself, the sum one of 2^-49 sqrt(n Σ (x - centre)²).
      const double allowed = 0x1p23 * size;
      is_sure =
          static_cast<double>(n) * all.about <= allowed * allowed && all.about <= 0x1p23 * squares;
    } else {
      const double range = most - least;
      is_sure = range > 1e-140 && range < 1e140;
      if constexpr (std::is_floating_point_v<T>) {
        // Of each leaf the sum has an error of 2^-77 of the largest magnitude (kmap::long_sum).
        const double bound = larger(-least, most);
        is_sure = is_sure && static_cast<double>(leaves(n)) * bound <= 0x1p23 * size;
      }
    }
    // Where all are equal, sums are exact.
    is_sure = is_sure || (least == most && squares == 0);
    return {is_sure, mean, squares, all.least, all.most};
  }

  template <class Real, class Team, class T>
  KOKKOS_FUNCTION std::tuple<Real, Real, T, T> careful_moments(
      const Team& team, const kmap::Example<const T, 1>& x) const {
    const std::int64_t n = x.size();
    const std::int64_t count = leaves(n);
    auto* leaf = scratch<Leaf<T>>(team, count);
    auto* squares = scratch<Sum>(team, count);
    auto* shared = scratch<Shared<T>>(team, 1);

    double scale = 1;
    const Leaf<T> all = total(team, x, scale, leaf, shared);
    const double mean = all.sum.value() / static_cast<double>(n) / scale;
    const double mean_error = all.sum.is_finite() ? rounding_of(all.sum, n, scale, mean) : 0;
    if (all.has_nan) return nan_results<Real, T>();
    const double deviation = spread(team, x, all, mean, mean_error, squares, shared);
    return std::tuple<Real, Real, T, T>(static_cast<Real>(mean), static_cast<Real>(deviation),
                                        all.least, all.most);
  }

  template <class Real, class T>
  static KOKKOS_FUNCTION std::tuple<Real, Real, T, T> nan_results() {
    if constexpr (std::is_floating_point_v<T>) {
      const T nan = Kokkos::Experimental::quiet_NaN_v<T>;
      return {nan, nan, nan, nan};
    } else {
      return {};
    }
  }

  /// Σ x over the leaves, minimum and maximum. Where the plain sum of finite values overflows, it
  /// is taken of values scaled down, and `scale` says so.
  template <class Team, class T>
  KOKKOS_FUNCTION Leaf<T> total(const Team& team, const kmap::Example<const T, 1>& x, double& scale,
                                Leaf<T>* leaf, Shared<T>* shared) const {
    Leaf<T> all = sum_leaves(team, x, scale, leaf, shared);
    const bool finite = kmap::isfinite(static_cast<double>(all.least)) &&
                        kmap::isfinite(static_cast<double>(all.most));
    if (!all.sum.is_finite() && finite && !all.has_nan) {
      scale = 0x1p-64;
      all = sum_leaves(team, x, scale, leaf, shared);
    }
    return all;
  }

  template <class Team, class T>
  KOKKOS_FUNCTION Leaf<T> sum_leaves(const Team& team, const kmap::Example<const T, 1>& x,
                                     double scale, Leaf<T>* leaf, Shared<T>* shared) const {
    const std::int64_t count = leaves(x.size());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int64_t i) {
      Kokkos::single(Kokkos::PerThread(team), [&] { leaf[i] = sum_leaf(x, i, scale); });
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      Leaf<T> all = leaf[0];
      for (std::int64_t i = 1; i < count; ++i) merge(all, leaf[i]);
      shared->total = all;
    });
    team.team_barrier();
    return shared->total;
  }

  template <class T>
  static KOKKOS_FUNCTION void merge(Leaf<T>& all, const Leaf<T>& other) {
    all.sum.add(other.sum);
    all.least = other.least < all.least ? other.least : all.least;
    all.most = other.most > all.most ? other.most : all.most;
    all.has_nan = all.has_nan || other.has_nan;
  }

  template <class T>
  static KOKKOS_FUNCTION Leaf<T> sum_leaf(const kmap::Example<const T, 1>& x, std::int64_t i,
                                          double scale) {
    const std::int64_t begin = i * leaf_size;
    const std::int64_t size = leaf_length(x.size() - begin);
    Leaf<T> lane[lanes];
    for (int l = 0; l < lanes; ++l) lane[l] = {{}, x(begin), x(begin), false};
    for (std::int64_t j = 0; j < size; ++j) {
      Leaf<T>& mine = lane[j % lanes];
      const T value = x(begin + j);
      const Parts parts = split(value);
      mine.sum.add(parts.high * scale);
      if constexpr (std::is_integral_v<T> && sizeof(T) == 8) mine.sum.add(parts.low * scale);
      mine.least = value < mine.least ? value : mine.least;
      mine.most = value > mine.most ? value : mine.most;
      mine.has_nan = mine.has_nan || value != value;
    }
    for (int l = 1; l < lanes; ++l) merge(lane[0], lane[l]);
    return lane[0];
  }

  /// What the mean lost when it was rounded to one double: Σ x / (n scale) - mean.
  static KOKKOS_FUNCTION double rounding_of(const Sum& sum, std::int64_t n, double scale,
                                            double mean) {
    const auto count = static_cast<double>(n);
    const Sum s = sum.normalised();
    const double rest = kmap::fma(-mean * scale, count, s.high);
    return (rest + (s.middle + s.low)) / count / scale;
  }

  /// sqrt(Σ (x - mean)² / n). Squares are of values scaled by a power of two where they would leave
  /// the range of double.
  template <class Team, class T>
  KOKKOS_FUNCTION double spread(const Team& team, const kmap::Example<const T, 1>& x,
                                const Leaf<T>& all, double mean, double mean_error, Sum* squares,
                                Shared<T>* shared) const {
    double scale = 1;
    if constexpr (std::is_floating_point_v<T>) {
      const double half_range =
          static_cast<double>(all.most) / 2 - static_cast<double>(all.least) / 2;
      if (!kmap::isfinite(half_range)) return Kokkos::Experimental::quiet_NaN_v<double>;
      scale = half_range > 1e140 ? 0x1p-600 : half_range < 1e-140 ? 0x1p600 : 1;
    }
    if (all.least == all.most) return 0;
    const std::int64_t count = leaves(x.size());
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), [&](std::int64_t i) {
      Kokkos::single(Kokkos::PerThread(team), [&] {
        squares[i] = square_leaf(x, i, mean * scale, mean_error * scale, scale);
      });
    });
    team.team_barrier();
    Kokkos::single(Kokkos::PerTeam(team), [&] {
      Sum sum = squares[0];
      for (std::int64_t i = 1; i < count; ++i) sum.add(squares[i]);
      shared->squares = sum;
    });
    team.team_barrier();
    return kmap::sqrt(shared->squares.value() / static_cast<double>(x.size())) / scale;
  }

  /// x - (mean + mean_error), rounded little more than once: the difference from the rounded mean
  /// is exact where x is near it, which is where the mean's error matters.
  template <class T>
  static KOKKOS_FUNCTION double distance_of(T x, double mean, double mean_error, double scale) {
    const Parts parts = split(x);
    if constexpr (std::is_integral_v<T> && sizeof(T) == 8) {
      const Rounded upper = two_sum(parts.high, -mean);
      const Rounded both = two_sum(upper.sum, parts.low);
      return both.sum + (upper.lost + both.lost - mean_error);
    } else {
      return (parts.high * scale - mean) - mean_error;
    }
  }

  template <class T>
  static KOKKOS_FUNCTION Sum square_leaf(const kmap::Example<const T, 1>& x, std::int64_t i,
                                         double mean, double mean_error, double scale) {
    const std::int64_t begin = i * leaf_size;
    const std::int64_t size = leaf_length(x.size() - begin);
    Sum lane[lanes];
    for (std::int64_t j = 0; j < size; ++j) {
      const double distance = distance_of(x(begin + j), mean, mean_error, scale);
      lane[j % lanes].add(distance * distance);
    }
    for (int l = 1; l < lanes; ++l) lane[0].add(lane[l]);
    return lane[0];
  }
};

KMAP_KERNEL(moments, Moments, "(...)->(),(),(),()",
            "mean, standard deviation, minimum and maximum of each example")
    .input<"x">(kmap::real_number)
    .output<"mean">(kmap::real_of<"x">)
    .output<"std">(kmap::real_of<"x">, "of the population: divided by n, as NumPy's default")
    .output<"min">(kmap::same_as<"x">)
    .output<"max">(kmap::same_as<"x">);

}  // namespace
