// Kernels for tests of the run loop, each with a way of working that those in apps/ do not have. A
// plug-in: the kmap command of users has none of them.

#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>
#include <kmap/math.hpp>
#include <kmap/random.hpp>

#include <stdexcept>
#include <string>

namespace {

/// y = factor (w Σx) + b, z = Σx: several inputs, written outputs, sizes known at run time only.
struct Affine {
  double factor = 1;

  template <class T>
  KOKKOS_FUNCTION void operator()(const kmap::Example<const T, 1>& x,
                                  const kmap::Example<const T, 1>& w, T b, const kmap::out<T, 1>& y,
                                  const kmap::out<T, 0>& z) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i);
    for (std::int64_t j = 0; j < w.extent(0); ++j) y(j) = static_cast<T>(factor) * (w(j) * sum) + b;
    z() = sum;
  }
};

KMAP_KERNEL(affine, Affine, "(t),(k),()->(k),()", "factor w sum(x) + b, sum(x)")
    .input<"x">(kmap::real)
    .input<"w">(kmap::same_as<"x">)
    .input<"b">(kmap::same_as<"x">)
    .output<"y">(kmap::same_as<"x">)
    .output<"z">(kmap::same_as<"x">)
    .param("factor", &Affine::factor, "1", "of the sums");

/// y(j) = Σ x(i) over i = j, j + parts, …: an output of a size that no input has.
struct Comb {
  std::int64_t parts = 2;

  KOKKOS_FUNCTION void operator()(const kmap::Example<const double, 1>& x,
                                  const kmap::out<double, 1>& y) const {
    for (std::int64_t j = 0; j < parts; ++j) {
      double sum = 0;
      for (std::int64_t i = j; i < x.extent(0); i += parts) sum += x(i);
      y(j) = sum;
    }
  }
};

KMAP_KERNEL(comb, Comb, "(t)->(p)", "sums of every p-th value")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>)
    .param("parts", &Comb::parts, "1", "number of sums", kmap::at_least(1))
    .dim("p", [](const kmap::DimSizes&, const Comb& comb) { return comb.parts; })
    .coordinate("start", "p", "s", "of each comb, as a part of the example",
                [](std::int64_t i, const kmap::DimSizes& sizes, const Comb&) {
                  return static_cast<double>(i) / static_cast<double>(sizes.at("t"));
                });

/// Reverses every example of a block and subtracts its first value.
struct Turn {
  using map_kind = kmap::per_block;

  template <class Exec, class X, class Y>
  void operator()(const Exec& exec, const X& x, const Y& y) const {
    const auto rows = static_cast<std::int64_t>(x.extent(0));
    const auto length = static_cast<std::int64_t>(x.extent(1));
    Kokkos::parallel_for(
        Kokkos::RangePolicy<Exec>(exec, 0, rows * length), KOKKOS_LAMBDA(std::int64_t at) {
          const std::int64_t i = at / length;
          const std::int64_t j = at % length;
          y(i, j) = x(i, length - 1 - j) - x(i, 0);
        });
  }
};

KMAP_KERNEL(turn, Turn, "(t)->(t)", "examples reversed, a block at a time")
    .input<"x">(kmap::type<float>)
    .output<"y">(kmap::type<float>);

/// x plus the place in the batch, which must be that in the whole batch.
struct Place {
  template <class C>
  KOKKOS_FUNCTION std::int64_t operator()(C& c, std::int64_t x) const {
    return x + 1000 * kmap::axis_index<"batch">(c) + 1'000'000 * kmap::axis_size<"batch">(c);
  }
};

KMAP_KERNEL(place, Place, "()->()", "x + 10^3 index + 10^6 length of the batch")
    .input<"x">(kmap::type<std::int64_t>)
    .output<"y">(kmap::same_as<"x">);

/// Collectives of every sort over the batch: values less the mean of the batch's first three in
/// their units, plus the example before, less the first one; and how many examples start smaller.
struct Standing {
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const kmap::Example<const double, 1>& x,
                                  const kmap::out<double, 1>& y,
                                  const kmap::out<std::int64_t, 0>& smaller) const {
    const auto head = kmap::load<3>(x);
    const auto mean = kmap::pmean<"batch">(c, head);
    double width = 0;
    for (int t = 0; t < 3; ++t) width += kmap::abs(head[t] - mean[t]);
    const auto [most, all] = kmap::psum<"batch">(c, std::tuple{width, 1});
    const auto before = kmap::ppermute<"batch">(c, head, kmap::ring(1));
    const auto first = kmap::pbroadcast<"batch">(c, head, 0);
    const auto firsts = kmap::all_gather<"batch">(c, x(0));
    smaller() = 0;
    for (std::int64_t i = 0; i < firsts.extent(0); ++i) smaller() += firsts(i) < x(0) ? 1 : 0;
    for (std::int64_t t = 0; t < x.extent(0); ++t) {
      y(t) = (x(t) - mean[t % 3]) / (most / all) + before[t % 3] - first[t % 3];
    }
  }
};

KMAP_KERNEL(standing, Standing, "(t)->(t),()", "collectives over the batch")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>)
    .output<"smaller">(kmap::type<std::int64_t>);

/// The sum over the batch, by a team per example.
struct TeamTotal {
  using map_kind = kmap::per_team;
  template <class C, class Team>
  KOKKOS_FUNCTION double operator()(C& c, const Team& team,
                                    const kmap::Example<const double, 1>& x) const {
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent(0)),
        [&](std::int64_t t, double& part) { part += x(t); }, sum);
    return kmap::psum<"batch">(c, sum);
  }
};

KMAP_KERNEL(team_total, TeamTotal, "(t)->()", "the sum over the batch, by teams")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>);

/// Sums over either axis of two, and over both; where it is on them.
struct Sums {
  template <class C>
  KOKKOS_FUNCTION std::tuple<kmap::vec<double, 3>, double, std::int64_t> operator()(
      C& c, double x) const {
    const double over_rows = kmap::psum<"row">(c, x);
    const double over_columns = kmap::psum<"column">(c, x);
    const double total = kmap::psum<"row", "column">(c, x);
    return {{over_rows, over_columns, total}, total, kmap::axis_index<"row", "column">(c)};
  }
};

KMAP_KERNEL(sums, Sums, "()->(3),(),()", "sums over rows, columns and both")
    .axes<"row", "column">()
    .input<"x">(kmap::type<double>)
    .output<"sums">(kmap::type<double>)
    .output<"total">(kmap::type<double>, kmap::same_for_all)
    .output<"place">(kmap::type<std::int64_t>);

/// x halved until the row's sum is below 1: rows call as many collectives as they need.
struct Halve {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    for (int turn = 0; turn < 50 && kmap::psum<"row">(c, x) >= 1; ++turn) x /= 2;
    return x;
  }
};

KMAP_KERNEL(halve, Halve, "()->()", "x halved until the sum of the row is below 1")
    .axes<"row">()
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>);

/// The bits of the example's key, and x plus a number drawn from it.
struct Draw {
  KOKKOS_FUNCTION std::tuple<kmap::vec<std::uint32_t, 2>, double> operator()(kmap::random::Key key,
                                                                             double x) const {
    return {{key.high, key.low}, x + kmap::random::uniform<double>(key)};
  }
};

KMAP_KERNEL(draw, Draw, "()->(2),()", "the key of each example")
    .key()
    .input<"x">(kmap::type<double>)
    .output<"key">(kmap::type<std::uint32_t>)
    .output<"y">(kmap::type<double>);

/// Throws a die; also how many of all show the same as this one, and the sum of all.
struct Dice {
  std::int64_t sides = 6;
  template <class C>
  KOKKOS_FUNCTION std::tuple<std::int64_t, std::int64_t> operator()(C& c,
                                                                    kmap::random::Key key) const {
    const auto side = kmap::random::randint<std::int64_t>(key, 1, sides + 1);
    return {side, kmap::psum<"batch">(c, side)};
  }
};

KMAP_KERNEL(dice, Dice, "->(),()", "throws of a die, and their sum")
    .key()
    .output<"side">(kmap::type<std::int64_t>)
    .output<"sum">(kmap::type<std::int64_t>, kmap::same_for_all)
    .param("sides", &Dice::sides, "1", "of the die", kmap::at_least(1));

/// How many of the batch have a first value above the mean that x's own is less than.
struct Gathered {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, const kmap::Example<const double, 1>& x) const {
    const auto mine = kmap::load<3>(x);
    const auto mean = kmap::pmean<"batch">(c, mine);
    const auto all = kmap::all_gather<"batch">(c, mine);
    double above = 0;
    for (std::int64_t i = 0; i < all.extent(0); ++i) {
      above += all(i, 0) > mean[0] && all(i, 0) > mine[0] ? 1 : 0;
    }
    return above;
  }
};

KMAP_KERNEL(gathered, Gathered, "(3)->()", "a sum, then all examples")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>);

/// Another collective where x is negative.
struct Disagree {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return x < 0 ? kmap::pmax<"batch">(c, x) : kmap::psum<"batch">(c, x);
  }
};

KMAP_KERNEL(disagree, Disagree, "()->()", "sums, or not")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>);

/// x over the sum of the batch; breaks at -2 before the collective and at -3 behind it.
struct Fragile {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    if (x == -2) fail(kmap::axis_index<"batch">(c));
    const double sum = kmap::psum<"batch">(c, x);
    if (x == -3) fail(kmap::axis_index<"batch">(c));
    return x / sum;
  }

  [[noreturn]] static void fail(std::int64_t row) {
    throw std::runtime_error("it broke at " + std::to_string(row));
  }
};

KMAP_KERNEL(fragile, Fragile, "()->()", "x over the sum, unless it breaks")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>);

}  // namespace
