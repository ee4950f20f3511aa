// Cases 19 to 26: pmap, over any number of ranks and of any length.

#include "arrays.hpp"

#include "kmap/collectives.hpp"
#include "kmap/pmap.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>
#include <type_traits>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using Groups = std::vector<std::vector<std::int64_t>>;

const Communicator& comm() { return runtime().comm(); }

struct Sum {
  template <class C>
  KOKKOS_FUNCTION int operator()(C& c, int x) const {
    return psum<"i">(c, x);
  }
};

struct GroupSum {
  AxisIndexGroups groups;
  template <class C>
  KOKKOS_FUNCTION int operator()(C& c, int x) const {
    return psum<"i">(c, x, groups);
  }
};

std::vector<int> group_sums(const Groups& groups) {
  const auto x = counting<int, 1>({4});
  return rows(pmap(GroupSum{AxisIndexGroups(groups)}, axis_name<"i">)(scatter(comm(), x)));
}

TEST(Case, N19_Sum) {
  for (const std::int64_t n : lengths()) {
    const auto y = pmap(Sum{}, axis_name<"i">)(scatter(comm(), counting<int, 1>({n})));
    const auto sum = static_cast<int>(n * (n - 1) / 2);
    expect_array(y, {n}, std::vector<int>(static_cast<std::size_t>(n), sum));
  }
}

TEST(Case, N19_SumInGroups) {
  EXPECT_EQ(group_sums({{0, 1}, {2, 3}}), (std::vector<int>{1, 1, 5, 5}));
  EXPECT_EQ(group_sums({{3, 0}, {2, 1}}), (std::vector<int>{3, 3, 3, 3}));
  EXPECT_EQ(group_sums({{0}, {1, 3, 2}}), (std::vector<int>{0, 6, 6, 6}));
  EXPECT_EQ(group_sums({{2, 0}, {1}, {3}}), (std::vector<int>{2, 1, 2, 3}));
  EXPECT_EQ(group_sums({{1, 0, 3, 2}}), (std::vector<int>{6, 6, 6, 6}));
}

struct SumAndMean {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, bool x) const {
    return std::tuple{psum<"i">(c, x), pmean<"i">(c, x)};
  }
};

TEST(Case, N20_Bools) {
  const auto [sum, mean] =
      pmap(SumAndMean{}, axis_name<"i">)(scatter(comm(), array_of<bool>({true, false})));
  static_assert(std::is_same_v<std::remove_const_t<decltype(sum)>::value_type, std::int32_t>);
  static_assert(std::is_same_v<std::remove_const_t<decltype(mean)>::value_type, float>);
  expect_array(sum, {2}, std::vector<std::int32_t>{1, 1});
  expect_array(mean, {2}, std::vector<float>{0.5F, 0.5F});
  // Only the last of n is true.
  for (const std::int64_t n : some_lengths()) {
    const auto x = detail::make_host_array<bool, 1>({n});
    for (std::int64_t i = 0; i < n; ++i) x(i) = i == n - 1;
    const auto [one, part] = pmap(SumAndMean{}, axis_name<"i">)(scatter(comm(), x));
    const auto size = static_cast<std::size_t>(n);
    expect_array(one, {n}, std::vector<std::int32_t>(size, 1));
    expect_array(part, {n}, std::vector<float>(size, 1.0F / static_cast<float>(n)));
  }
}

struct SumScatter {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, const Example<const double, 1>& x) const {
    return psum_scatter<"i">(c, x);
  }
};

TEST(Case, N21_SumScatter) {
  const auto y = pmap(SumScatter{}, axis_name<"i">)(scatter(comm(), counting<double, 2>({4, 4})));
  expect_array(y, {4}, std::vector<double>{24, 28, 32, 36});
  for (const std::int64_t n : lengths()) {
    const auto x = scatter(comm(), counting<double, 2>({n, n}));
    // Column i is i, i + n, …, n of them.
    expect_array(pmap(SumScatter{}, axis_name<"i">)(x), {n}, each_index<double>({n}, [&](auto& at) {
                   return n * at[0] + n * n * (n - 1) / 2;
                 }));
  }
}

struct GroupGather {
  AxisIndexGroups groups;
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 1>& x,
                                  const out<double, 2>& y) const {
    copy_example(all_gather<"i">(c, x, groups), y);
  }
};

TEST(Case, N22_AllGatherInGroups) {
  const auto x = counting<double, 2>({4, 2});
  const auto y = pmap(GroupGather{AxisIndexGroups({{0, 2}, {3, 1}})}, axis_name<"i">,
                      outputs(out_shape<double>(2, 2)))(scatter(comm(), x));
  // Devices 0 and 2 see rows 0 and 2, devices 1 and 3 see rows 3 and 1.
  expect_array(y, {4, 2, 2}, std::vector<double>{0, 1, 4, 5, 6, 7, 2, 3, 0, 1, 4, 5, 6, 7, 2, 3});
}

struct Roll {
  Ring shift;
  template <class C>
  KOKKOS_FUNCTION vec<double, 4> operator()(C& c, const Example<const double, 1>& x) const {
    return ppermute<"i">(c, load<4>(x), shift);
  }
};
struct RollByPairs {
  Pairs pairs;
  template <class C>
  KOKKOS_FUNCTION vec<double, 4> operator()(C& c, const Example<const double, 1>& x) const {
    return ppermute<"i">(c, load<4>(x), pairs);
  }
};

TEST(Case, N23_RingPermute) {
  for (const std::int64_t n : lengths()) {
    const auto x = scatter(comm(), counting<double, 2>({n, 4}));
    const auto rolled = [&](std::int64_t shift) {
      return each_index<double>(
          {n, 4}, [&](const Shape& at) { return 4 * ((at[0] - shift + 3 * n) % n) + at[1]; });
    };
    for (const std::int64_t shift : {1, -1, 3}) {
      if (std::abs(shift) > 3 * n) continue;
      expect_array(pmap(Roll{ring(shift)}, axis_name<"i">)(x), {n, 4}, rolled(shift));
    }
    std::vector<std::int64_t> next(static_cast<std::size_t>(n));
    std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
    for (std::int64_t i = 0; i < n; ++i) pairs.emplace_back(i, (i + 1) % n);
    expect_array(pmap(RollByPairs{Pairs(pairs)}, axis_name<"i">)(x), {n, 4}, rolled(1));
  }
}

TEST(Case, N23_WhoIsNobodysDestinationGetsZeros) {
  const auto x = scatter(comm(), counting<double, 2>({3, 4}));
  expect_array(pmap(RollByPairs{Pairs({{2, 0}, {0, 1}})}, axis_name<"i">)(x), {3, 4},
               std::vector<double>{8, 9, 10, 11, 0, 1, 2, 3, 0, 0, 0, 0});
}

struct Shuffle {
  Permutation order;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    return pshuffle<"i">(c, x, order);
  }
};

TEST(Case, N23_Shuffle) {
  const auto x = scatter(comm(), array_of<double>({10, 11, 12, 13}));
  const auto shuffled = [&](const std::vector<std::int64_t>& order) {
    return pmap(Shuffle{Permutation(order)}, axis_name<"i">)(x);
  };
  expect_array(shuffled({3, 0, 1, 2}), {4}, std::vector<double>{13, 10, 11, 12});
  EXPECT_THAT(message_of([&] { shuffled({0, 1, 1, 2}); }),
              AllOf(HasSubstr("pshuffle over axis \"i\" of f8 with shape ()"),
                    HasSubstr("not a permutation: it has index 1 twice")));
  expect_array(shuffled({0, 1, 2, 3}), {4}, std::vector<double>{10, 11, 12, 13});
}

struct MinusSum {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x, double y) const {
    return x - psum<"i">(c, y);
  }
};

TEST(Case, N24_AnUnmappedArgument) {
  for (const std::int64_t n : lengths()) {
    const auto y = scatter(comm(), counting<double, 1>({n}));
    const double wanted = 3 - static_cast<double>(n * (n - 1)) / 2;
    expect_array(pmap(MinusSum{}, in_axes(none, 0), axis_name<"i">)(3.0, y), {n},
                 std::vector<double>(static_cast<std::size_t>(n), wanted));
    // An operand that does not vary counts n times.
    expect_array(pmap(MinusSum{}, in_axes(0, none), axis_name<"i">)(y, 2.0), {n},
                 each_index<double>({n}, [&](const Shape& at) { return at[0] - 2 * n; }));
  }
}

struct AddMatrices {
  KOKKOS_FUNCTION void operator()(const Example<const double, 2>& x,
                                  const Example<const double, 2>& y,
                                  const out<double, 2>& z) const {
    for (std::int64_t i = 0; i < z.extent(0); ++i) {
      for (std::int64_t j = 0; j < z.extent(1); ++j) z(i, j) = x(i, j) + y(i, j);
    }
  }
};
struct AddMatricesAndSum {
  template <class C>
  KOKKOS_FUNCTION void operator()(C& c, const Example<const double, 2>& x,
                                  const Example<const double, 2>& y, const out<double, 2>& z,
                                  const out<double, 0>& sum) const {
    AddMatrices{}(x, y, z);
    sum() = psum<"i">(c, x(0, 0));
  }
};

TEST(Case, N25_InAxesAndOutAxes) {
  for (const std::int64_t n : some_lengths()) {
    const Shape x_shape = {2, n, 4};
    const Shape y_shape = {2, 4, n};
    const auto x = counting<double, 3>(x_shape);
    const auto y = counting<double, 3>(y_shape);
    const auto sum = [&](std::int64_t i, std::int64_t j, std::int64_t k) {
      return x(j, i, k) + y(j, k, i);
    };
    const auto in_front =
        each_index<double>({n, 2, 4}, [&](const Shape& at) { return sum(at[0], at[1], at[2]); });
    const auto at_end =
        each_index<double>({2, 4, n}, [&](const Shape& at) { return sum(at[2], at[0], at[1]); });
    // Distributed arrays along those axes, and arrays that every rank has.
    const auto shape = out_shape<double>(2, 4);
    const auto map = pmap(AddMatrices{}, in_axes(1, 2), over(comm()), outputs(shape));
    expect_array(map(scatter(comm(), x, 1), scatter(comm(), y, 2)), {n, 2, 4}, in_front);
    expect_array(map(x, y), {n, 2, 4}, in_front);
    const auto [z, first] =
        pmap(AddMatricesAndSum{}, in_axes(1, 2), out_axes(2, none), axis_name<"i">,
             outputs(shape, out_shape<double>()))(scatter(comm(), x, 1), scatter(comm(), y, 2));
    EXPECT_EQ(z.axis(), 2);
    expect_array(z, {2, 4, n}, at_end);
    expect_array(first, {}, std::vector<double>{2.0 * static_cast<double>(n * (n - 1))});
  }
}

struct Add {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x + y; }
};

TEST(Case, N26_SizesThatDiffer) {
  for (const std::int64_t n : some_lengths()) {
    const auto x = scatter(comm(), counting<double, 1>({n}));
    const auto y = scatter(comm(), counting<double, 1>({n - 1}));
    const std::string size = std::to_string(n);
    const std::string less = std::to_string(n - 1);
    EXPECT_THAT(
        message_of([&] { pmap(Add{})(x, y); }),
        AllOf(HasSubstr("args[0] has size " + size + " at axis 0 of shape (" + size + ",)"),
              HasSubstr("args[1] has size " + less + " at axis 0 of shape (" + less + ",)")));
    expect_array(pmap(Add{})(x, x), {n},
                 each_index<double>({n}, [](const Shape& at) { return 2 * at[0]; }));
  }
}

}  // namespace
}  // namespace kmap::test
