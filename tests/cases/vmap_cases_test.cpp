// Cases 1 to 9, 15 and 16: axes, broadcasting, control flow.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

struct Three {
  KOKKOS_FUNCTION double operator()(double) const { return 3; }
};

TEST(Case, N01_Constant) {
  expect_array<>(vmap(Three{})(counting<double, 1>({4})), {4}, std::vector<double>{3, 3, 3, 3});
  expect_array<>(vmap(Three{}, in_axes(none), axis_size(4))(0.0), {4},
                 std::vector<double>{3, 3, 3, 3});
}

struct Dot {
  KOKKOS_FUNCTION double operator()(const Example<const double, 1>& a,
                                    const Example<const double, 1>& b) const {
    double sum = 0;
    for (std::int64_t i = 0; i < a.extent(0); ++i) sum += a(i) * b(i);
    return sum;
  }
};

TEST(Case, N02_NestedDotProduct) {
  const auto a = counting<double, 2>({4, 3});
  const auto b = counting<double, 2>({3, 2});
  const std::vector<double> product = {10, 13, 28, 40, 46, 67, 64, 94};
  const auto by_vector = vmap(Dot{}, in_axes(0, none));
  expect_array(vmap(by_vector, in_axes(none, 1), out_axes(1))(a, b), {4, 2}, product);
  // The other way round the rows are mapped outside.
  const auto by_row = vmap(Dot{}, in_axes(none, 1));
  expect_array(vmap(by_row, in_axes(0, none))(a, b), {4, 2}, product);
  // Without out_axes 1 the columns come first.
  expect_array(vmap(by_vector, in_axes(none, 1))(a, b), {2, 4},
               std::vector<double>{10, 28, 46, 64, 13, 40, 67, 94});
}

struct Sum {
  KOKKOS_FUNCTION double operator()(const Example<const double, 2>& x) const {
    double sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
      for (std::int64_t j = 0; j < x.extent(1); ++j) sum += x(i, j);
    }
    return sum;
  }
};

TEST(Case, N03_SumOverTheOtherAxes) {
  const Shape shape = {3, 4, 5};
  const auto x = counting<double, 3>(shape);
  for (int axis = -3; axis < 3; ++axis) {
    const auto mapped = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
    std::vector<double> sums(static_cast<std::size_t>(shape[mapped]), 0);
    each_index<double>(shape, [&](const Shape& index) {
      return sums[static_cast<std::size_t>(index[mapped])] +=
             static_cast<double>(number_of(index, shape));
    });
    expect_array(vmap(Sum{}, in_axes(axis))(x), {shape[mapped]}, sums);
  }
  for (const int axis : {-4, 3}) {
    EXPECT_THAT(message_of([&] { vmap(Sum{}, in_axes(axis))(x); }),
                AllOf(HasSubstr("in_axes " + std::to_string(axis)), HasSubstr("args[0]"),
                      HasSubstr("(3, 4, 5)"), HasSubstr("rank 4 or more")));
  }
}

struct Identity {
  template <class T, int R>
  KOKKOS_FUNCTION Example<const T, R> operator()(const Example<const T, R>& x) const {
    return x;
  }
};

TEST(Case, N04_OutAxes) {
  const Shape in = {3, 4, 5};
  const auto x = counting<double, 3>(in);
  const auto moved = [&](const Shape& shape, std::size_t axis) {
    return each_index<double>(shape, [&](Shape index) {
      const std::int64_t first = index[axis];
      index.erase(index.begin() + static_cast<std::ptrdiff_t>(axis));
      index.insert(index.begin(), first);
      return number_of(index, in);
    });
  };
  const std::vector<Shape> shapes = {{3, 4, 5}, {4, 3, 5}, {4, 5, 3}};
  for (int axis = -3; axis < 3; ++axis) {
    const auto at = static_cast<std::size_t>(axis < 0 ? axis + 3 : axis);
    expect_array(vmap(Identity{}, out_axes(axis))(x), shapes[at], moved(shapes[at], at));
  }
  for (const int axis : {-4, 3}) {
    EXPECT_THAT(message_of([&] { vmap(Identity{}, out_axes(axis))(x); }),
                AllOf(HasSubstr("out_axes " + std::to_string(axis)), HasSubstr("output 0"),
                      HasSubstr("is 3")));
  }
}

struct Second {
  KOKKOS_FUNCTION double operator()(double, double y) const { return y; }
  KOKKOS_FUNCTION Example<const double, 1> operator()(double,
                                                      const Example<const double, 1>& y) const {
    return y;
  }
};

TEST(Case, N05_AnUnmappedArgumentReturned) {
  const auto x = counting<double, 1>({4});
  expect_array(vmap(Second{}, in_axes(0, none))(x, 7.0), {4}, std::vector<double>(4, 7));
  const auto y = counting<double, 1>({3});
  expect_array(vmap(Second{}, in_axes(0, none))(x, y), {4, 3},
               std::vector<double>{0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2});
  for (const int axis : {1, -1}) {
    expect_array(vmap(Second{}, in_axes(0, none), out_axes(axis))(x, y), {3, 4},
                 std::vector<double>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
  }
  expect_array(vmap(Second{}, in_axes(0, none), out_axes(none))(x, y), {3},
               std::vector<double>{0, 1, 2});
}

struct AddFour {
  KOKKOS_FUNCTION std::tuple<int, int> operator()(int x) const { return {x + 4, 8}; }
};

TEST(Case, N07_OneOutputMappedAndOneNot) {
  const auto [sum, eight] = vmap(AddFour{}, out_axes(0, none))(array_of<int>({0, 1}));
  expect_array(sum, {2}, std::vector<int>{4, 5});
  expect_array(eight, {}, std::vector<int>{8});
}

struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};

TEST(Case, N08_SizesThatDiffer) {
  const auto text =
      message_of([] { vmap(Add{})(counting<double, 1>({10}), counting<double, 1>({2})); });
  EXPECT_THAT(text, AllOf(HasSubstr("args[0] has size 10 at axis 0 of shape (10,)"),
                          HasSubstr("args[1] has size 2 at axis 0 of shape (2,)")));
  struct Pick {
    KOKKOS_FUNCTION double operator()(const Example<const double, 1>&, double) const { return 0; }
  };
  EXPECT_THAT(message_of([] {
                vmap(Pick{}, in_axes(1, 0))(counting<double, 2>({2, 10}), counting<double, 1>({2}));
              }),
              AllOf(HasSubstr("args[0] has size 10 at axis 1 of shape (2, 10)"),
                    HasSubstr("args[1] has size 2 at axis 0 of shape (2,)")));
}

struct Twice {
  KOKKOS_FUNCTION double operator()(double x) const { return 2 * x; }
};

TEST(Case, N09_AxisSize) {
  expect_array(vmap(Twice{}, in_axes(none), axis_size(1))(2.0), {1}, std::vector<double>{4});
  expect_array(vmap(Twice{}, axis_size(8))(counting<double, 1>({8})), {8},
               std::vector<double>{0, 2, 4, 6, 8, 10, 12, 14});
  EXPECT_THAT(
      message_of([] { vmap(Twice{}, axis_size(2))(counting<double, 1>({8})); }),
      AllOf(HasSubstr("axis_size is 2"), HasSubstr("args[0] has size 8 at axis 0 of shape (8,)")));
}

struct StepTo3 {
  KOKKOS_FUNCTION int operator()(int x) const {
    while (x < 3) x += 2;
    return x;
  }
};

TEST(Case, N15_WhileLoop) {
  expect_array(vmap(StepTo3{})(counting<int, 1>({4})), {4}, std::vector<int>{4, 3, 4, 3});
}

struct Branch {
  KOKKOS_FUNCTION double operator()(double x, double y, double z) const { return x < 3 ? y : -z; }
};

TEST(Case, N16_Branch) {
  const auto y = array_of<double>({1, 2});
  const auto z = array_of<double>({3, 4});
  const auto map = vmap(Branch{}, in_axes(none, 0, 0));
  expect_array(map(4.0, y, z), {2}, std::vector<double>{-3, -4});
  expect_array(map(2.0, y, z), {2}, std::vector<double>{1, 2});
  expect_array(vmap(Branch{})(array_of<double>({2, 4}), y, z), {2}, std::vector<double>{1, -4});
}

}  // namespace
}  // namespace kmap::test
