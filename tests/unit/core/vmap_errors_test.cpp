// Misuse of vmap: every error says which argument, axis, size and shape.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const ShapeError& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_data);
    return error.what();
  }
  ADD_FAILURE() << "no ShapeError was thrown";
  return "";
}

TEST(VmapErrors, AxisOutOfRange) {
  const auto x = counting<double>(3, 4, 5);
  for (const int axis : {3, -4}) {
    EXPECT_THAT(message_of([&] { vmap(Total{}, in_axes(axis))(x); }),
                AllOf(HasSubstr("in_axes " + std::to_string(axis)), HasSubstr("args[0]"),
                      HasSubstr("(3, 4, 5)"), HasSubstr("rank 4 or more")));
  }
}

// Case 8.
TEST(VmapErrors, SizesThatDifferNameBothArgumentsTheMajorityFirst) {
  const Vector<double> a("a", 10);
  const Vector<double> b("b", 2);
  struct Three {
    KOKKOS_FUNCTION double operator()(double x, double y, double z) const { return x + y + z; }
  };
  const std::string text = message_of([&] { vmap(Three{})(b, a, a); });
  EXPECT_THAT(text, AllOf(HasSubstr("args[1] has size 10 at axis 0 of shape (10,)"),
                          HasSubstr("but args[0] has size 2 at axis 0 of shape (2,)")));
  EXPECT_LT(text.find("args[2]"), text.find("args[0]"));
}

TEST(VmapErrors, AxisSizeThatConflicts) {
  EXPECT_THAT(message_of([&] { vmap(Square{}, axis_size(2))(Vector<double>("x", 8)); }),
              AllOf(HasSubstr("axis_size is 2"), HasSubstr("args[0] has size 8")));
}

TEST(VmapErrors, NothingToMap) {
  EXPECT_THAT(message_of([&] { vmap(Square{}, in_axes(none))(2.0); }),
              AllOf(HasSubstr("nothing to map"), HasSubstr("axis_size")));
}

TEST(VmapErrors, OutAxesOutOfRange) {
  const Vector<double> x("x", 8);
  EXPECT_THAT(message_of([&] { vmap(Square{}, out_axes(1))(x); }),
              AllOf(HasSubstr("out_axes 1"), HasSubstr("output 0"), HasSubstr("is 1")));
}

TEST(VmapErrors, OutAxesNoneOfADependentOutput) {
  const auto x = vector_of<double>({1, 2, 2});
  EXPECT_THAT(message_of([&] { vmap(Square{}, out_axes(none))(x); }),
              AllOf(HasSubstr("output 0"), HasSubstr("depends on the mapped axis")));
  EXPECT_THAT(message_of([&] { vmap(Square{}, out_axes(none))(Vector<double>("x", 0)); }),
              HasSubstr("no example"));
  const auto nan = vector_of<double>({std::nan(""), std::nan("")});
  EXPECT_TRUE(std::isnan(vmap(Square{}, out_axes(none))(nan)()));
}

TEST(VmapErrors, AGivenOutputOfTheWrongShape) {
  const auto x = counting<double>(3, 4);
  EXPECT_THAT(message_of([&] { vmap(Square{}, elementwise).into(Matrix<double>("y", 3, 5))(x); }),
              AllOf(HasSubstr("output 0 of shape (3, 5)"), HasSubstr("size 5 at axis 1"),
                    HasSubstr("gives 4")));
  struct Two {
    KOKKOS_FUNCTION vec<double, 2> operator()(double v) const { return {v, v}; }
  };
  const Vector<double> one("one", 3);
  EXPECT_THAT(message_of([&] { vmap(Two{}).into(Matrix<double>("y", 3, 3))(one); }),
              AllOf(HasSubstr("output 0"), HasSubstr("(3, 3)"), HasSubstr("output has 2")));
}

TEST(VmapErrors, ElementwiseShapesThatDiffer) {
  struct Add {
    KOKKOS_FUNCTION double operator()(double a, double b) const { return a + b; }
  };
  EXPECT_THAT(message_of([&] { vmap(Add{})(counting<double>(2, 3), counting<double>(2, 4)); }),
              AllOf(HasSubstr("args[0]"), HasSubstr("args[1]"), HasSubstr("3"), HasSubstr("4")));
}

TEST(VmapErrors, AReturnedViewOfAnEmptyBatchHasNoKnownShape) {
  EXPECT_THAT(message_of([&] { vmap(Identity{})(Matrix<double>("x", 0, 3)); }),
              HasSubstr(".into(y)"));
}

}  // namespace
}  // namespace kmap::test
