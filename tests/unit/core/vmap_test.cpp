// vmap of functions of one example: axes, nesting, outputs, layouts, types.

#include "kmap/vmap.hpp"

#include "arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kmap::test {
namespace {

using ::testing::ElementsAre;

TEST(Vmap, MapsAVector) {
  EXPECT_THAT(values(vmap(Square{})(vector_of<double>({1, 2, 3, 4, 5}))),
              ElementsAre(1, 4, 9, 16, 25));
}

TEST(Vmap, IntegersStayIntegersAndWrap) {
  const auto y = vmap(Square{})(vector_of<std::int8_t>({3, -4, 16}));
  static_assert(std::is_same_v<decltype(y)::non_const_value_type, std::int8_t>);
  EXPECT_THAT(values(y), ElementsAre(9, 16, 0));
}

TEST(Vmap, MapsComplexAndBoolean) {
  using Complex = Kokkos::complex<double>;
  const auto y = vmap(Square{})(vector_of<Complex>({{0, 1}, {1, 1}}));
  EXPECT_EQ(y(0), Complex(-1, 0));
  EXPECT_EQ(y(1), Complex(0, 2));
  struct Not {
    KOKKOS_FUNCTION bool operator()(bool x) const { return !x; }
  };
  EXPECT_THAT(values(vmap(Not{})(vector_of<bool>({true, false}))), ElementsAre(false, true));
}

TEST(Vmap, WritesIntoAGivenOutputOfAnotherTypeAndLayout) {
  const auto x = counting<float>(3, 4);
  const Matrix<double, Kokkos::LayoutLeft> y("y", 3, 4);
  vmap(Square{}, elementwise).into(y)(x);
  EXPECT_EQ(y(2, 3), 121.0);
  EXPECT_EQ(y(0, 1), 1.0);
}

TEST(Vmap, AnEmptyAxisGivesAnEmptyOutput) {
  EXPECT_EQ(vmap(Square{})(Vector<double>("x", 0)).extent(0), 0u);
  const auto sums = vmap(Total{}, in_axes(1))(Matrix<double>("x", 3, 0));
  EXPECT_EQ(sums.extent(0), 0u);
  const auto empty_examples = vmap(Total{})(Matrix<double>("x", 3, 0));
  EXPECT_THAT(values(empty_examples), ElementsAre(0, 0, 0));
}

// Case 2 of the semantics: nested dot products are the matrix product.
TEST(Vmap, NestedDotIsTheMatrixProduct) {
  const auto a = counting<double>(4, 3);
  const auto b = counting<double>(3, 2);
  const auto c = vmap(vmap(Dot{}, in_axes(none, 1)), in_axes(0, none))(a, b);
  const auto transposed = vmap(vmap(Dot{}, in_axes(none, 1)), in_axes(0, none), out_axes(1))(a, b);
  ASSERT_EQ(c.extent(0), 4u);
  ASSERT_EQ(c.extent(1), 2u);
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 2; ++j) {
      double sum = 0;
      for (int k = 0; k < 3; ++k) sum += a(i, k) * b(k, j);
      EXPECT_EQ(c(i, j), sum);
      EXPECT_EQ(transposed(j, i), sum);
    }
  }
}

// Case 3: in_axes counted from the end.
TEST(Vmap, InAxesChooseTheMappedAxis) {
  const auto x = counting<double>(3, 4, 5);
  for (int axis = -3; axis < 3; ++axis) {
    const auto sums = vmap(Total{}, in_axes(axis))(x);
    const int from_front = axis < 0 ? axis + 3 : axis;
    ASSERT_EQ(sums.extent(0), x.extent(static_cast<unsigned>(from_front)));
    for (std::size_t i = 0; i < sums.extent(0); ++i) {
      double expected = 0;
      for (std::size_t a = 0; a < 3; ++a) {
        for (std::size_t b = 0; b < 4; ++b) {
          for (std::size_t c = 0; c < 5; ++c) {
            const std::size_t index[] = {a, b, c};
            if (index[from_front] == i) expected += x(a, b, c);
          }
        }
      }
      EXPECT_EQ(sums(i), expected) << "axis " << axis << ", example " << i;
    }
  }
}

// Case 4: where the mapped axis lands.
TEST(Vmap, OutAxesPlaceTheMappedAxis) {
  const auto x = counting<double>(3, 4, 5);
  const auto front = vmap(Identity{}, out_axes(-3))(x);
  const auto middle = vmap(Identity{}, out_axes(-2))(x);
  const auto back = vmap(Identity{}, out_axes(-1))(x);
  ASSERT_EQ(middle.extent(0), 4u);
  ASSERT_EQ(back.extent(2), 3u);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 4; ++j) {
      for (std::size_t k = 0; k < 5; ++k) {
        EXPECT_EQ(front(i, j, k), x(i, j, k));
        EXPECT_EQ(middle(j, i, k), x(i, j, k));
        EXPECT_EQ(back(j, k, i), x(i, j, k));
      }
    }
  }
}

struct First {
  template <class T>
  KOKKOS_FUNCTION T operator()(T, T y) const {
    return y;
  }
};

// Case 5: an output that does not depend on the mapped axis is broadcast along it.
TEST(Vmap, BroadcastsWhatIsNotMapped) {
  const auto y = vmap(First{}, in_axes(0, none))(vector_of<double>({1, 2, 3}), 7.0);
  EXPECT_THAT(values(y), ElementsAre(7, 7, 7));
}

struct PlusFourAndEight {
  KOKKOS_FUNCTION std::tuple<double, int> operator()(double x) const { return {x + 4, 8}; }
};

// Case 7: several outputs, one without the mapped axis.
TEST(Vmap, OutAxesNoneDropsTheAxis) {
  const auto [a, b] = vmap(PlusFourAndEight{}, out_axes(0, none))(vector_of<double>({0, 1}));
  EXPECT_THAT(values(a), ElementsAre(4, 5));
  EXPECT_EQ(b(), 8);
}

// Case 9: nothing mapped, but the size given.
TEST(Vmap, AxisSizeReplacesAMappedArgument) {
  const auto y = vmap(Square{}, in_axes(none), axis_size(3))(2.0);
  EXPECT_THAT(values(y), ElementsAre(4, 4, 4));
}

struct PairWithVec {
  KOKKOS_FUNCTION std::tuple<vec<double, 2>, vec<double, 2, 3>> operator()(double x) const {
    return {{x, -x}, {x, x + 1, x + 2, x + 3, x + 4, x + 5}};
  }
};

TEST(Vmap, ReturnedVecsAddDimensions) {
  const auto [pair, matrix] = vmap(PairWithVec{}, out_axes(1, 2))(vector_of<double>({10, 20, 30}));
  ASSERT_EQ(pair.extent(0), 2u);
  ASSERT_EQ(pair.extent(1), 3u);
  EXPECT_EQ(pair(1, 2), -30);
  ASSERT_EQ(matrix.extent(0), 2u);
  ASSERT_EQ(matrix.extent(1), 3u);
  ASSERT_EQ(matrix.extent(2), 3u);
  EXPECT_EQ(matrix(1, 2, 1), 25);
  EXPECT_EQ(matrix(0, 1, 2), 31);
}

struct Prefix {
  KOKKOS_FUNCTION void operator()(const Example<const double, 1>& x, const out<double, 1>& y,
                                  const out<int, 0>& n) const {
    double sum = 0;
    for (std::int64_t i = 0; i < y.extent(0); ++i) {
      sum += i < x.extent(0) ? x(i) : 0;
      y(i) = sum;
    }
    n() = static_cast<int>(x.extent(0));
  }
};

TEST(Vmap, RefusesAnOutputOfNegativeSize) {
  const auto x = counting<double>(2, 3);
  try {
    vmap(Prefix{}, outputs(out_shape<double>(-5), out_shape<int>()))(x);
    FAIL() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("output 0: size -5 of dimension 0"), std::string::npos)
        << error.what();
  }
}

TEST(Vmap, FunctionsMayWriteOutputsOfRunTimeShape) {
  const auto x = counting<double>(2, 3);
  const auto [y, n] = vmap(Prefix{}, outputs(out_shape<double>(5), out_shape<int>()))(x);
  ASSERT_EQ(y.extent(1), 5u);
  EXPECT_EQ(y(1, 4), 3 + 4 + 5);
  EXPECT_THAT(values(n), ElementsAre(3, 3));
  const Matrix<double> given("given", 4, 2);
  const Vector<int> count("count", 2);
  vmap(Prefix{}, out_axes(1, 0)).into(given, count)(x);
  EXPECT_EQ(given(2, 1), 3 + 4 + 5);
}

struct ScalarOnly {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x - y; }
};

TEST(Vmap, AFunctionOfScalarsMapsOverAllDimensions) {
  const auto x = counting<double>(2, 3, 4);
  const auto y = vmap(ScalarOnly{}, in_axes(0, none))(x, 1.0);
  ASSERT_EQ(y.extent(2), 4u);
  EXPECT_EQ(y(1, 2, 3), 22);
  // The mapped axis goes where out_axes says; the others keep their order.
  const auto z = vmap(ScalarOnly{}, in_axes(1, none), out_axes(2))(x, 1.0);
  ASSERT_EQ(z.extent(2), 3u);
  EXPECT_EQ(z(1, 3, 2), 22);
}

TEST(Vmap, AllLayoutsAndStridesGiveTheSame) {
  const auto right = counting<float>(6, 8, 3);
  const auto left = counting<float, Kokkos::LayoutLeft>(6, 8, 3);
  const auto strided = Kokkos::subview(right, Kokkos::make_pair(1, 6), 2, Kokkos::ALL);
  const auto a =
      vmap(vmap(Total{}), in_axes(1))(Kokkos::View<float****, Kokkos::HostSpace>("", 2, 3, 4, 5));
  EXPECT_EQ(a.extent(0), 3u);
  const auto from_right = vmap(Total{}, in_axes(1))(right);
  const auto from_left = vmap(Total{}, in_axes(1))(left);
  EXPECT_EQ(values(from_right), values(from_left));
  const auto part = vmap(Total{}, in_axes(1))(strided);
  for (std::size_t k = 0; k < 3; ++k) {
    float expected = 0;
    for (std::size_t i = 1; i < 6; ++i) expected += right(i, 2, k);
    EXPECT_EQ(part(k), expected);
  }
  const auto squares = vmap(Square{}, elementwise)(left);
  static_assert(std::is_same_v<decltype(squares)::array_layout, Kokkos::LayoutLeft>);
  EXPECT_EQ(squares(5, 7, 2), 143.0F * 143.0F);
}

TEST(Vmap, RankEightIsMapped) {
  const Kokkos::View<int********, Kokkos::HostSpace> x("x", 2, 1, 2, 1, 3, 1, 2, 2);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<int>(i);
  const auto y = vmap(Square{}, elementwise)(x);
  EXPECT_EQ(y(1, 0, 1, 0, 2, 0, 1, 1), 47 * 47);
  struct Last {
    KOKKOS_FUNCTION int operator()(const Example<const int, 7>& e) const {
      return e(0, 1, 0, 2, 0, 1, 1);
    }
  };
  EXPECT_THAT(values(vmap(Last{})(x)), ElementsAre(23, 47));
}

struct MinusIndex {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return x - axis_index<"i">(c) + 1000.0 * static_cast<double>(axis_size<"i">(c));
  }
};

// Case 11, and names that shadow.
TEST(Vmap, AFunctionKnowsItsPlaceOnNamedAxes) {
  Vector<double> x("x", 10);
  for (int i = 0; i < 10; ++i) x(i) = 5;
  const auto y = vmap(MinusIndex{}, axis_name<"i">)(x);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(y(i), 10005.0 - i);
  const auto z = counting<double>(2, 3);
  const auto inner = vmap(vmap(MinusIndex{}, axis_name<"i">), axis_name<"i">)(z);
  const auto outer = vmap(vmap(MinusIndex{}), axis_name<"i">)(z);
  EXPECT_EQ(inner(1, 2), 5 - 2 + 3000);
  EXPECT_EQ(outer(1, 2), 5 - 1 + 2000);
}

// Cases 15 and 16: control flow per example.
TEST(Vmap, ControlFlowIsPerExample) {
  struct Grow {
    KOKKOS_FUNCTION int operator()(int x) const {
      while (x < 3) x += 2;
      return x;
    }
  };
  EXPECT_THAT(values(vmap(Grow{})(vector_of<int>({0, 1, 2, 3}))), ElementsAre(4, 3, 4, 3));
}

}  // namespace
}  // namespace kmap::test
