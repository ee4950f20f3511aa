// Donated arguments of vmap: memory that becomes an output's, and results that do not change.

#include "arrays.hpp"

#include "kmap/vmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Donate, TheOutputTakesTheMemory) {
  auto x = vector_of<double>({1, 2, 3});
  const double* memory = x.data();
  const auto y = vmap(Square{})(donate(x));
  EXPECT_EQ(y.data(), memory);
  EXPECT_THAT(values(y), ElementsAre(1, 4, 9));
  EXPECT_EQ(x.data(), nullptr);
  EXPECT_EQ(x.extent(0), 0u);
}

struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};

// Two of them to two outputs of other types, in a structure; the second one to the first output.
struct Halves {
  KOKKOS_FUNCTION std::tuple<float, double> operator()(const std::tuple<double, float>& x) const {
    return {std::get<1>(x) / 2, std::get<0>(x) / 2};
  }
};

TEST(Donate, EachOutputTakesWhatFits) {
  auto x = vector_of<double>({1, 2, 3});
  auto y = vector_of<float>({4, 6, 8});
  const void* const of_x = x.data();
  const void* const of_y = y.data();
  const auto [a, b] = vmap(Halves{})(std::tuple{donate(x), donate(y)});
  EXPECT_EQ(a.data(), of_y);
  EXPECT_EQ(b.data(), of_x);
  EXPECT_THAT(values(a), ElementsAre(2, 3, 4));
  EXPECT_THAT(values(b), ElementsAre(0.5, 1, 1.5));
}

TEST(Donate, OneArgumentServesOneOutput) {
  struct Twice {
    KOKKOS_FUNCTION std::tuple<double, double> operator()(double x) const { return {x, 2 * x}; }
  };
  auto x = vector_of<double>({1, 2});
  const double* memory = x.data();
  const auto [a, b] = vmap(Twice{})(donate(x));
  EXPECT_EQ(a.data(), memory);
  EXPECT_NE(b.data(), memory);
  EXPECT_THAT(values(b), ElementsAre(2, 4));
}

// Reverses its example: each element is read after another one could have been written.
struct Reverse {
  KOKKOS_FUNCTION vec<double, 3> operator()(const Example<const double, 1>& x) const {
    return {x(2), x(1), x(0)};
  }
};

TEST(Donate, ExamplesInTheirPlacesOnly) {
  const auto wanted = vmap(Reverse{})(counting<double>(3, 3));
  auto x = counting<double>(3, 3);
  const double* memory = x.data();
  const auto y = vmap(Reverse{})(donate(x));
  EXPECT_EQ(y.data(), memory);
  // The same shape, but example i is column i of one and row i of the other.
  auto again = counting<double>(3, 3);
  memory = again.data();
  const auto columns = vmap(Reverse{}, in_axes(1))(donate(again));
  EXPECT_NE(columns.data(), memory);
  auto placed = counting<double>(3, 3);
  memory = placed.data();
  const auto in_place = vmap(Reverse{}, in_axes(1), out_axes(-1))(donate(placed));
  EXPECT_EQ(in_place.data(), memory);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_EQ(y(i, j), wanted(i, j));
      EXPECT_EQ(columns(i, j), static_cast<double>(3 * (2 - j) + i));
      EXPECT_EQ(in_place(j, i), columns(i, j));
    }
  }
}

// Nested maps, and dimensions that are mapped without being named.
TEST(Donate, AllMappedAxesCount) {
  for (const bool transposes : {false, true}) {
    auto x = counting<double>(2, 2);
    const double* memory = x.data();
    const auto y = vmap(vmap(Square{}), out_axes(transposes ? 1 : 0))(donate(x));
    EXPECT_EQ(y.data() == memory, !transposes);
    EXPECT_EQ(y(transposes ? 1 : 0, transposes ? 0 : 1), 1);
  }
  auto x = counting<double>(2, 3);
  const double* memory = x.data();
  EXPECT_EQ(vmap(Square{}, elementwise)(donate(x)).data(), memory);
}

// Where outputs could be stored before all arguments are read, or lie elsewhere: fresh memory.
struct WithContext {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return x + axis_index<"i">(c);
  }
};
struct FirstAndAll {
  KOKKOS_FUNCTION std::tuple<vec<double, 2>, Example<const double, 1>> operator()(
      const Example<const double, 1>& x) const {
    return {{-1, -1}, x};
  }
};

TEST(Donate, NotWhereItCouldChangeResults) {
  auto x = vector_of<double>({1, 2});
  const double* memory = x.data();
  const auto y = vmap(WithContext{}, axis_name<"i">)(donate(x));
  EXPECT_NE(y.data(), memory);
  EXPECT_THAT(values(y), ElementsAre(1, 3));
  EXPECT_EQ(x.data(), nullptr);

  auto pairs = counting<double>(2, 2);
  const auto [first, all] = vmap(FirstAndAll{})(donate(pairs));
  EXPECT_EQ(first(1, 1), -1);
  EXPECT_EQ(all(1, 1), 3);

  auto rows = vector_of<double>({1, 2});
  memory = rows.data();
  const auto sums = vmap(Add{}, in_axes(0, none))(donate(rows), 0.5);
  EXPECT_EQ(sums.data(), memory);
  auto whole = vector_of<double>({5, 5});
  memory = whole.data();
  struct Head {
    KOKKOS_FUNCTION double operator()(double x, const Example<const double, 1>& w) const {
      return x + w(1);
    }
  };
  const auto heads = vmap(Head{}, in_axes(0, none))(sums, donate(whole));
  EXPECT_NE(heads.data(), memory);
  EXPECT_THAT(values(heads), ElementsAre(6.5, 7.5));
}

TEST(Donate, AGivenOutputStaysWhatItIs) {
  auto x = vector_of<double>({1, 2});
  const Vector<double> y("y", 2);
  const double* memory = y.data();
  vmap(Square{}).into(y)(donate(x));
  EXPECT_EQ(y.data(), memory);
  EXPECT_THAT(values(y), ElementsAre(1, 4));
  EXPECT_EQ(x.data(), nullptr);
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

TEST(DonateErrors, TheSameMemoryTwice) {
  auto x = vector_of<double>({1, 2});
  const auto same = x;
  EXPECT_THAT(
      message_of([&] { vmap(Add{})(same, donate(x)); }),
      AllOf(HasSubstr("args[1] is donated, but args[0] is the same memory"), HasSubstr("remedy")));
  EXPECT_THAT(message_of([&] { vmap(Add{})(donate(x), donate(x)); }),
              HasSubstr("args[0] is donated, but args[1]"));
  EXPECT_EQ(x.data(), same.data());
}

// Nothing is used up where nothing was mapped.
TEST(DonateErrors, AMisuseLeavesTheArray) {
  auto x = vector_of<double>({1, 2});
  EXPECT_THAT(message_of([&] { vmap(Add{})(donate(x), Vector<double>("y", 3)); }),
              HasSubstr("args[0] has size 2"));
  EXPECT_EQ(x.extent(0), 2u);
}

}  // namespace
}  // namespace kmap::test
