// Axes and sizes that pmap is given wrongly; every rank throws the same. Those of vmap are in
// tests/unit/core/vmap_errors_test.cpp (in_axes out of range, sizes that differ, axis_size in
// conflict, nothing to map, out_axes out of range, out_axes none of an output that depends on the
// mapped axis, given outputs of a wrong shape, elementwise shapes that differ, a returned view of
// an empty batch). Those of pmap in tests/mpi/core/pmap_test.cpp: lengths that differ, an array
// mapped along an axis that is not distributed, no ranks, out_axes none between ranks.

#include "misuse.hpp"

#include <stdexcept>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Twice {
  KOKKOS_FUNCTION double operator()(double x) const { return 2 * x; }
};

TEST(WrongPmap, InAxesOutOfRange) {
  const auto x = from_one<1>({4});
  for (const int axis : {1, -2}) {
    const auto says = AllOf(HasSubstr("in_axes " + std::to_string(axis) + " is out of range"),
                            HasSubstr("args[0] of shape (4,)"), HasSubstr("rank 2 or more"));
    EXPECT_THAT(refused([&] { pmap(Twice{}, in_axes(axis))(scatter(comm(), x)); }), says);
    EXPECT_THAT(refused([&] { pmap(Twice{}, in_axes(axis), over(comm()))(x); }), says);
  }
}

TEST(WrongPmap, AxisSizeInConflict) {
  for (const std::int64_t n : {1, 8}) {
    const auto x = scatter(comm(), from_one<1>({n}));
    EXPECT_THAT(refused([&] { pmap(Twice{}, axis_size(2))(x); }),
                AllOf(HasSubstr("axis_size is 2"),
                      HasSubstr("args[0] has size " + std::to_string(n) + " at axis 0 of shape (" +
                                std::to_string(n) + ",)")));
  }
}

TEST(WrongPmap, NothingToMap) {
  EXPECT_THAT(refused([&] { pmap(Twice{}, in_axes(none), over(comm()))(2.0); }),
              AllOf(HasSubstr("nothing to map"), HasSubstr("axis_size(n)")));
}

TEST(WrongPmap, OutAxesOutOfRange) {
  const auto x = scatter(comm(), from_one<1>({2}));
  for (const int axis : {1, -2}) {
    EXPECT_THAT(refused([&] { pmap(Twice{}, out_axes(axis))(x); }),
                AllOf(HasSubstr("out_axes " + std::to_string(axis)), HasSubstr("output 0"),
                      HasSubstr("whose rank with the mapped axis is 1")));
  }
}

// Within one rank, or between ranks.
TEST(WrongPmap, OutAxesNoneOfADependentOutput) {
  const auto x = scatter(comm(), from_one<1>({8}));
  EXPECT_THAT(refused([&] { pmap(Twice{}, out_axes(none))(x); }), HasSubstr("output 0"));
  const auto none_there = scatter(comm(), from_one<1>({0}));
  EXPECT_THAT(refused([&] { pmap(Twice{}, out_axes(none))(none_there); }),
              AllOf(HasSubstr("output 0"), HasSubstr("no example")));
}

struct Identity {
  KOKKOS_FUNCTION Example<const double, 1> operator()(const Example<const double, 1>& x) const {
    return x;
  }
};

// Ranks without an example take the shape from one that has some.
TEST(WrongPmap, AReturnedViewWhereRanksHaveNoExample) {
  for (const std::int64_t n : {1, 2, 5}) {
    EXPECT_EQ(pmap(Identity{})(scatter(comm(), from_one<2>({n, 3}))).shape(), (Shape{n, 3}));
  }
  const auto none_there = scatter(comm(), from_one<2>({0, 3}));
  EXPECT_THAT(
      refused([&] { pmap(Identity{})(none_there); }),
      HasSubstr("the function returns a view, and there is no example to learn its shape from"));
}

// It is found by a call, which may fail on the first rank alone.
struct FailingView {
  KOKKOS_FUNCTION Example<const double, 1> operator()(const Example<const double, 1>& x) const {
    if (x(0) == 1) throw std::runtime_error("no shape for this one");
    return x;
  }
};

TEST(WrongPmap, AReturnedViewWhoseFirstCallFails) {
  const auto x = scatter(comm(), from_one<2>({8, 3}));
  const Caught error = caught([&] { pmap(FailingView{})(x); });
  EXPECT_EQ(error.text, "no shape for this one");
  EXPECT_TRUE(error.agreed);
}

struct OneOfTwoViews {
  using Row = Example<const double, 1>;
  template <class C>
  KOKKOS_FUNCTION Row operator()(C& c, const Row& x, const Row& y) const {
    return axis_index<"i">(c) == 2 ? y : x;
  }
};

TEST(WrongPmap, ReturnedViewsOfOtherShapes) {
  const auto x = from_one<2>({4, 3});
  const auto y = from_one<2>({4, 2});
  const std::string mapped = refused([&] { vmap(OneOfTwoViews{}, axis_name<"i">)(x, y); });
  EXPECT_THAT(mapped, HasSubstr("an Example of shape (2,) where its output has (3,)"));
  const auto over_ranks = pmap(OneOfTwoViews{}, axis_name<"i">);
  EXPECT_EQ(refused([&] { over_ranks(scatter(comm(), x), scatter(comm(), y)); }), mapped);
}

}  // namespace
}  // namespace kmap::test
