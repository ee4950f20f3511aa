// Structures (JAX's pytrees) as arguments, as entries of in_axes and out_axes, and as outputs.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <string>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};

// ---- What is a structure, and what is none
template <class T>
struct Two {
  T a;
  T b;
};
template <class T>
struct Held {
  std::tuple<T> members;
};
template <class T>
struct Many {
  T values[2];
};
template <class... M>
struct Eight {
  int a, b, c, d, e, f, g, h;
};

static_assert(detail::is_structure<Particle<int, double>>);
static_assert(detail::is_structure<Particle<Vector<double>, std::tuple<int, int>>>);
static_assert(detail::is_structure<std::tuple<int>>);
static_assert(detail::is_structure<Eight<int, int, int, int, int, int, int, int>>);
static_assert(!detail::is_structure<Eight<int, int, int, int, int, int, int>>);
static_assert(!detail::is_structure<Two<int>>);
static_assert(!detail::is_structure<Held<int>>);
static_assert(!detail::is_structure<Many<int>>);
static_assert(!detail::is_structure<Vector<double>>);
static_assert(!detail::is_structure<Kokkos::complex<double>>);
static_assert(!detail::is_structure<vec<double, 1>>);
static_assert(!detail::is_structure<Example<double, 1>>);
static_assert(!detail::is_structure<std::array<int, 2>>);
static_assert(!detail::is_structure<detail::Fixed<int>>);
static_assert(!detail::is_structure<double>);

// What static_asserts ask when an entry is given.
template <class Entry, class Argument>
constexpr bool is_prefix_of =
    detail::is_prefix<Entry, decltype(detail::tree_of(std::declval<const Argument&>()))>;
static_assert(is_prefix_of<int, Particle<int, int>>);
static_assert(is_prefix_of<Particle<None, int>, Particle<int, std::tuple<int, int>>>);
static_assert(
    is_prefix_of<Particle<int, std::tuple<None, int>>, Particle<int, std::tuple<int, int>>>);
static_assert(!is_prefix_of<Particle<int, std::tuple<int>>, Particle<int, std::tuple<int, int>>>);
static_assert(!is_prefix_of<std::tuple<int, int>, Particle<int, int>>);
static_assert(!is_prefix_of<std::tuple<int, int>, int>);

// A function of leaves throws only if the function does.
template <bool Noexcept>
struct Product {
  template <class P>
  KOKKOS_FUNCTION double operator()(const P& p) const noexcept(Noexcept) {
    return p.position * p.mass;
  }
};
template <class F>
using OfParticle =
    detail::OfLeaves<F, decltype(detail::tree_of(std::declval<const Particle<int, int>&>()))>;
static_assert(
    std::is_nothrow_invocable_r_v<double, const OfParticle<Product<true>>&, double, double>);
static_assert(std::is_invocable_r_v<double, const OfParticle<Product<false>>&, double, double>);
static_assert(!std::is_nothrow_invocable_v<const OfParticle<Product<false>>&, double, double>);
static_assert(!std::is_invocable_v<const OfParticle<Product<true>>&, double>);

// ---- Arguments
struct Energy {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p) const {
    return p.mass * p.position(0);
  }
};

TEST(Structured, AFunctionGetsAStructureOfExamples) {
  const auto positions = counting<double>(3, 2);
  const auto masses = vector_of<double>({1, 10, 100});
  const auto all = vmap(Energy{})(Particle{positions, masses});
  static_assert(std::is_same_v<decltype(all), const Vector<double>>);
  EXPECT_THAT(values(all), ElementsAre(0, 20, 400));
}

TEST(Structured, EntriesMayBeNested) {
  const auto positions = counting<double>(3, 2);
  EXPECT_THAT(values(vmap(Energy{}, in_axes(Particle{1, none}))(Particle{positions, 2.0})),
              ElementsAre(0, 2));
}

// Case 6: the products x·y·z of three matrices per example, mapped along different axes.
struct Chain {
  template <class X, class YZ>
  KOKKOS_FUNCTION vec<double, 2, 5> operator()(const X& x, const YZ& yz) const {
    const auto& [y, z] = yz;
    vec<double, 2, 5> result{};
    for (int i = 0; i < 2; ++i) {
      for (int l = 0; l < 5; ++l) {
        for (int j = 0; j < 3; ++j) {
          for (int k = 0; k < 4; ++k) result(i, l) += x(i, j) * y(j, k) * z(k, l);
        }
      }
    }
    return result;
  }
};

TEST(Structured, DifferentAxesInOneArgument) {
  const auto x = counting<double>(6, 2, 3);
  const auto y = counting<double>(3, 6, 4);
  const auto z = counting<double>(4, 5, 6);
  const auto result = vmap(Chain{}, in_axes(0, std::tuple(1, 2)))(x, std::tuple{y, z});
  ASSERT_EQ(result.extent(0), 6u);
  ASSERT_EQ(result.extent(1), 2u);
  ASSERT_EQ(result.extent(2), 5u);
  for (std::size_t n = 0; n < 6; ++n) {
    for (std::size_t i = 0; i < 2; ++i) {
      for (std::size_t l = 0; l < 5; ++l) {
        double sum = 0;
        for (std::size_t j = 0; j < 3; ++j) {
          for (std::size_t k = 0; k < 4; ++k) sum += x(n, i, j) * y(j, n, k) * z(k, l, n);
        }
        EXPECT_EQ(result(n, i, l), sum);
      }
    }
  }
}

// One entry stands for a whole part of an argument, at every level of a nested map.
struct Weighted {
  template <class A>
  KOKKOS_FUNCTION double operator()(double factor, const A& a) const {
    const auto& [p, shift] = a;
    return factor * p.mass * p.position + shift;
  }
};

TEST(Structured, PrefixesAndNesting) {
  const auto position = counting<double>(2, 3);
  const auto mass = vector_of<double>({1, 10, 100});
  const auto f = vmap(vmap(Weighted{}, in_axes(none, std::tuple(0, none))),
                      in_axes(none, std::tuple(Particle{0, none}, none)));
  const auto y = f(2.0, std::tuple{Particle{position, mass}, 0.5});
  ASSERT_EQ(y.extent(0), 2u);
  ASSERT_EQ(y.extent(1), 3u);
  for (std::size_t i = 0; i < 2; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(y(i, j), 2 * mass(j) * position(i, j) + 0.5);
  }
}

// Functions of scalars map over all remaining dimensions of the leaves as well.
TEST(Structured, Elementwise) {
  struct OfScalars {
    KOKKOS_FUNCTION double operator()(const Particle<double, double>& p) const {
      return p.position * p.mass;
    }
  };
  const auto x = counting<double>(2, 3);
  const auto y = vmap(OfScalars{})(Particle{x, x});
  ASSERT_EQ(y.extent(1), 3u);
  EXPECT_EQ(y(1, 2), 25);
}

// ---- Outputs
struct Step {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p, double t) const {
    const vec<double, 2> moved{p.position(0) + t, p.position(1) + t};
    return std::tuple{Particle{moved, p.mass}, t * p.mass};
  }
};

TEST(Structured, OutputsHaveTheStructureOfTheResult) {
  const auto positions = counting<double>(3, 2);
  const auto masses = vector_of<int>({1, 10, 100});
  const auto [p, work] = vmap(Step{}, in_axes(0, none))(Particle{positions, masses}, 0.5);
  static_assert(std::is_same_v<decltype(p), const Particle<Matrix<double>, Vector<int>>>);
  EXPECT_EQ(p.position(2, 1), 5.5);
  EXPECT_THAT(values(p.mass), ElementsAre(1, 10, 100));
  EXPECT_THAT(values(work), ElementsAre(0.5, 5, 50));
}

TEST(Structured, OutAxesMayBeNested) {
  const Particle particles{counting<double>(3, 2), 7};
  const auto [p, work] = vmap(Step{}, in_axes(Particle{0, none}, none),
                              out_axes(Particle{1, none}, none))(particles, 0.5);
  ASSERT_EQ(p.position.extent(0), 2u);
  EXPECT_EQ(p.position(1, 2), 5.5);
  EXPECT_EQ(p.mass(), 7);
  EXPECT_EQ(work(), 3.5);
  const auto all = vmap(Step{}, in_axes(Particle{0, none}, none), out_axes(-1))(particles, 0.5);
  EXPECT_EQ(std::get<0>(all).position(1, 2), 5.5);
  EXPECT_THAT(values(std::get<1>(all)), ElementsAre(3.5, 3.5, 3.5));
}

TEST(Structured, GivenOutputs) {
  const Particle particles{counting<double>(3, 2), vector_of<int>({1, 10, 100})};
  const Particle out{Matrix<float>("position", 2, 3), Vector<double>("mass", 3)};
  const Vector<double> work("work", 3);
  vmap(Step{}, in_axes(0, none), out_axes(Particle{1, 0}, 0)).into(out, work)(particles, 0.5);
  EXPECT_EQ(out.position(1, 2), 5.5F);
  EXPECT_THAT(values(out.mass), ElementsAre(1, 10, 100));
  EXPECT_THAT(values(work), ElementsAre(0.5, 5, 50));
}

// ---- All that a function may take besides: context, team, `out` views, scratch memory
struct SumInto {
  using map_kind = per_team;
  template <class P>
  std::size_t scratch_bytes(const P& p) const {
    return static_cast<std::size_t>(p.position.extent(0)) * sizeof(double) + 64;
  }
  template <class C, class Team, class P>
  KOKKOS_FUNCTION void operator()(C& c, const Team& team, const P& p,
                                  const out<double, 1>& y) const {
    const std::int64_t n = p.position.extent(0);
    auto* copy = static_cast<double*>(
        team.team_scratch(1).get_shmem_aligned(static_cast<std::size_t>(n) * sizeof(double), 8));
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](std::int64_t i) { copy[i] = p.position(i) * p.mass; });
    team.team_barrier();
    const double shift = 1000.0 * axis_index<"i">(c);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n),
                         [&](std::int64_t i) { y(i) = copy[n - 1 - i] + shift; });
  }
};

TEST(Structured, TeamContextScratchAndWrittenOutputs) {
  const Particle particles{counting<double>(3, 2), vector_of<double>({1, 10, 100})};
  const auto y = vmap(SumInto{}, axis_name<"i">, outputs(out_shape<double>(2)))(particles);
  EXPECT_EQ(y(0, 0), 1);
  EXPECT_EQ(y(2, 1), 2400);
  const Matrix<double> given("y", 2, 3);
  vmap(SumInto{}, axis_name<"i">, out_axes(1)).into(given)(particles);
  EXPECT_EQ(given(1, 2), 2400);
}

struct WholeBlock {
  using map_kind = per_block;
  template <class Exec, class P, class Y>
  void operator()(const Exec&, const P& p, const Y& y) const {
    for (std::size_t i = 0; i < y.extent(0); ++i) y(i) = p.position(i, 1) * p.mass(i);
  }
};

TEST(Structured, ABlockFunctionGetsAStructureOfViews) {
  const Particle particles{counting<double>(3, 2), vector_of<double>({1, 10, 100})};
  EXPECT_THAT(values(vmap(WholeBlock{}, outputs(out_shape<double>()))(particles)),
              ElementsAre(1, 30, 500));
}

// ---- Arguments that go to the function as they are
struct Options {
  std::array<double, 2> weights;
  bool negate;
};
struct Apply {
  KOKKOS_FUNCTION double operator()(double x, const Options& o, double y) const {
    const double sum = o.weights[0] * x + o.weights[1] * y;
    return o.negate ? -sum : sum;
  }
};

TEST(Structured, FixedArguments) {
  const auto x = vector_of<double>({1, 2});
  const auto options = fixed(Options{{10, 1}, true});
  EXPECT_THAT(values(vmap(Apply{})(x, options, x)), ElementsAre(-11, -22));
  EXPECT_THAT(values(vmap(Apply{}, in_axes(0, none, none))(x, options, 5.0)),
              ElementsAre(-15, -25));
  // Part of a structure, and of one that is a prefix.
  struct Nested {
    KOKKOS_FUNCTION double operator()(const std::tuple<double, Options>& a) const {
      return Apply{}(std::get<0>(a), std::get<1>(a), 0);
    }
  };
  EXPECT_THAT(values(vmap(Nested{}, in_axes(std::tuple(0, none)))(std::tuple{x, options})),
              ElementsAre(-10, -20));
  EXPECT_THAT(values(vmap(Nested{})(std::tuple{x, options})), ElementsAre(-10, -20));
}

// ---- Errors name leaves by their paths
template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const ShapeError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ShapeError was thrown";
  return "";
}

TEST(StructuredErrors, NameLeavesByTheirPaths) {
  const auto x = counting<double>(6, 2, 3);
  const auto y = counting<double>(3, 5, 4);
  const auto z = counting<double>(4, 5, 6);
  EXPECT_THAT(message_of([&] { vmap(Chain{}, in_axes(0, std::tuple(1, 2)))(x, std::tuple{y, z}); }),
              AllOf(HasSubstr("args[0] has size 6 at axis 0 of shape (6, 2, 3)"),
                    HasSubstr("args[1][1] has size 6 at axis 2 of shape (4, 5, 6)"),
                    HasSubstr("but args[1][0] has size 5 at axis 1 of shape (3, 5, 4)")));
  EXPECT_THAT(
      message_of([&] { vmap(Chain{}, in_axes(0, std::tuple(1, -4)))(x, std::tuple{y, z}); }),
      AllOf(HasSubstr("in_axes -4"), HasSubstr("args[1][1]"), HasSubstr("(4, 5, 6)"),
            HasSubstr("rank 4 or more")));
}

TEST(StructuredErrors, CountFixedArgumentsToo) {
  EXPECT_THAT(message_of([] {
                vmap(Apply{})(Vector<double>("x", 2), fixed(Options{}), Vector<double>("y", 3));
              }),
              AllOf(HasSubstr("args[0] has size 2"), HasSubstr("args[2] has size 3")));
}

}  // namespace
}  // namespace kmap::test
