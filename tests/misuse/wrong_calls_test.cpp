// Calls of collectives that do not fit their axes: groups, dimensions, permutations. Each is
// refused by vmap and by pmap with one text, and by collectives between maps.

#include "misuse.hpp"

#include "kmap/vmap.hpp"

#include <initializer_list>
#include <utility>

namespace kmap::test {
namespace {

using ::testing::HasSubstr;
using Groups = std::vector<std::vector<std::int64_t>>;

enum class Op {
  sum,
  mean,
  greatest,
  least,
  sum_scatter,
  gather,
  all_to_all,
  swap_axes,
  permute,
  shuffle,
  broadcast
};
constexpr std::initializer_list<Op> reductions = {Op::sum, Op::mean, Op::greatest, Op::least};
constexpr std::initializer_list<Op> reshaping = {Op::sum_scatter, Op::gather, Op::all_to_all};

// One function for all calls, so that it is compiled once.
struct Call {
  Op op;
  bool is_tiled = false;
  bool has_groups = false;
  int dim = 0;
  int other = 0;
  std::int64_t source = 0;
  AxisIndexGroups groups = AxisIndexGroups({});
  Pairs pairs = Pairs(std::vector<std::pair<std::int64_t, std::int64_t>>{});
  Permutation order = Permutation({});

  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, const Example<const double, 2>& x) const {
    return has_groups ? call(c, x, groups) : call(c, x);
  }

 private:
  template <class C, class... O>
  KOKKOS_FUNCTION double call(C& c, const Example<const double, 2>& x, const O&... options) const {
    switch (op) {
      case Op::sum:
        return first(psum<"i">(c, x, options...));
      case Op::mean:
        return first(pmean<"i">(c, x, options...));
      case Op::greatest:
        return first(pmax<"i">(c, x, options...));
      case Op::least:
        return first(pmin<"i">(c, x, options...));
      case Op::permute:
        return first(ppermute<"i">(c, x, pairs));
      case Op::shuffle:
        return first(pshuffle<"i">(c, x, order));
      case Op::broadcast:
        return first(pbroadcast<"i">(c, x, source));
      default:
        return is_tiled ? reshape(c, x, tiled, options...) : reshape(c, x, options...);
    }
  }

  template <class C, class... O>
  KOKKOS_FUNCTION double reshape(C& c, const Example<const double, 2>& x,
                                 const O&... options) const {
    switch (op) {
      case Op::sum_scatter:
        return first(psum_scatter<"i">(c, x, scatter_dimension(dim), options...));
      case Op::gather:
        return first(all_gather<"i">(c, x, axis(dim), options...));
      case Op::swap_axes:
        return first(pswapaxes<"i">(c, x, dim, options...));
      default:
        return first(all_to_all<"i">(c, x, dim, other, options...));
    }
  }

  KOKKOS_FUNCTION static double first(const Example<const double, 1>& x) { return x(0); }
  KOKKOS_FUNCTION static double first(const Example<const double, 2>& x) { return x(0, 0); }
  KOKKOS_FUNCTION static double first(const Example<const double, 3>& x) { return x(0, 0, 0); }
};

Call with_groups(Op op, const Groups& groups, bool is_tiled = false) {
  return {.op = op, .is_tiled = is_tiled, .has_groups = true, .groups = AxisIndexGroups(groups)};
}
Call with_dims(Op op, bool is_tiled, int dim, int other = 0) {
  return {.op = op, .is_tiled = is_tiled, .dim = dim, .other = other};
}
Call with_pairs(const std::vector<std::pair<std::int64_t, std::int64_t>>& pairs) {
  return {.op = Op::permute, .pairs = Pairs(pairs)};
}
Call with_order(const std::vector<std::int64_t>& order) {
  return {.op = Op::shuffle, .order = Permutation(order)};
}
Call with_source(std::int64_t source) { return {.op = Op::broadcast, .source = source}; }

const char* name_of(Op op) {
  switch (op) {
    case Op::sum:
      return "psum";
    case Op::mean:
      return "pmean";
    case Op::greatest:
      return "pmax";
    case Op::least:
      return "pmin";
    case Op::sum_scatter:
      return "psum_scatter";
    case Op::gather:
      return "all_gather";
    case Op::permute:
      return "ppermute";
    case Op::shuffle:
      return "pshuffle";
    case Op::broadcast:
      return "pbroadcast";
    default:
      return "all_to_all";  // pswapaxes is one
  }
}

// `shape` is (examples, extents of one).
void expect_refused(const Call& call, const Shape& shape, const std::string& text) {
  const auto x = from_one<3>(shape);
  const std::string what = std::string(name_of(call.op)) + (call.is_tiled ? " (tiled)" : "") +
                           " over axis \"i\" of f8 with shape (" + std::to_string(shape[1]) + ", " +
                           std::to_string(shape[2]) + "): ";
  const std::string mapped = refused([&] { vmap(call, axis_name<"i">)(x); });
  EXPECT_THAT(mapped, HasSubstr(what));
  EXPECT_THAT(mapped, HasSubstr(text));
  EXPECT_THAT(mapped, HasSubstr("remedy: "));
  const auto shards = scatter(comm(), x);
  EXPECT_EQ(refused([&] { pmap(call, axis_name<"i">)(shards); }), mapped);
}

void expect_groups_refused(Op op, const Groups& groups, const std::string& text) {
  expect_refused(with_groups(op, groups), {4, 4, 4}, text);
}

const std::string n_text = "the size of axis \"i\", 4";
const std::string axis_text = "axis \"i\" (size 4)";

TEST(WrongGroups, OfReductions) {
  for (const Op op : reductions) {
    expect_groups_refused(op, {{0, 1}, {2}}, "axis_index_groups do not cover the axis: index 3");
    expect_groups_refused(op, {}, "axis_index_groups do not cover the axis: index 0");
    expect_groups_refused(op, {{0, 1}, {1, 2, 3}}, "axis_index_groups has index 1 twice");
    expect_groups_refused(op, {{0, 2, 0}, {1, 3}}, "axis_index_groups has index 0 twice");
    expect_groups_refused(op, {{0, 1}, {2, 4}}, "index 4, outside of " + axis_text);
    expect_groups_refused(op, {{0, -1}, {2, 3}}, "index -1, outside of " + axis_text);
  }
}

TEST(WrongGroups, OfCollectivesThatReshape) {
  for (const Op op : reshaping) {
    for (const bool is_tiled : {false, true}) {
      const auto refuse = [&](const Groups& groups, const std::string& text) {
        expect_refused(with_groups(op, groups, is_tiled), {4, 4, 4}, text);
      };
      refuse({{0, 1}, {2}}, "do not cover the axis: index 3");
      refuse({{0, 1}, {1, 2}}, "index 1 twice");
      refuse({{0, 1}, {2, 5}}, "index 5, outside of " + axis_text);
      refuse({{0}, {1, 2, 3}}, "axis_index_groups have sizes 1 and 3");
      refuse({{0, 1}, {2}, {3}}, "axis_index_groups have sizes 2 and 1");
    }
  }
}

TEST(WrongDimension, OfSumScatter) {
  expect_refused(with_dims(Op::sum_scatter, false, 0), {4, 3, 4},
                 "scatter_dimension 0 of the operand has size 3, which is not " + n_text);
  expect_refused(with_dims(Op::sum_scatter, false, -1), {4, 4, 8},
                 "scatter_dimension 1 of the operand has size 8, which is not " + n_text);
  expect_refused(
      with_dims(Op::sum_scatter, true, 0), {4, 6, 4},
      "scatter_dimension 0 of the operand has size 6, which is not a multiple of " + n_text);
  Call grouped = with_groups(Op::sum_scatter, {{0, 1}, {2, 3}});
  expect_refused(grouped, {4, 3, 4}, "has size 3, which is not the size of each group, 2");
  grouped.is_tiled = true;
  expect_refused(grouped, {4, 3, 4},
                 "has size 3, which is not a multiple of the size of each group, 2");
  for (const bool is_tiled : {false, true}) {
    for (const int dim : {2, -3}) {
      expect_refused(with_dims(Op::sum_scatter, is_tiled, dim), {4, 4, 4},
                     "scatter_dimension " + std::to_string(dim) + " is out of range for rank 2");
    }
  }
}

TEST(WrongDimension, OfAllGather) {
  // Untiled the result has a dimension more.
  for (const int dim : {3, -4}) {
    expect_refused(with_dims(Op::gather, false, dim), {4, 2, 2},
                   "axis " + std::to_string(dim) + " is out of range for rank 3");
  }
  for (const int dim : {2, -3}) {
    expect_refused(with_dims(Op::gather, true, dim), {4, 2, 2},
                   "axis " + std::to_string(dim) + " is out of range for rank 2");
  }
}

TEST(WrongDimension, OfAllToAll) {
  expect_refused(with_dims(Op::all_to_all, false, 0, 1), {4, 3, 4},
                 "split_axis 0 of the operand has size 3, which is not " + n_text);
  expect_refused(with_dims(Op::all_to_all, true, 1, 0), {4, 4, 6},
                 "split_axis 1 of the operand has size 6, which is not a multiple of " + n_text);
  expect_refused(with_dims(Op::swap_axes, false, 1), {4, 4, 5},
                 "split_axis 1 of the operand has size 5, which is not " + n_text);
  expect_refused(with_groups(Op::all_to_all, {{0, 3}, {1, 2}}), {4, 4, 4},
                 "has size 4, which is not the size of each group, 2");
  for (const bool is_tiled : {false, true}) {
    for (const int dim : {2, -3}) {
      const std::string text = std::to_string(dim) + " is out of range for rank 2";
      expect_refused(with_dims(Op::all_to_all, is_tiled, dim, 0), {4, 4, 4}, "split_axis " + text);
      expect_refused(with_dims(Op::all_to_all, is_tiled, 0, dim), {4, 4, 4}, "concat_axis " + text);
    }
  }
}

TEST(WrongPairs, Repeat) {
  expect_refused(with_pairs({{0, 1}, {2, 3}, {0, 2}}), {4, 1, 1}, "the pairs have source 0 twice");
  expect_refused(with_pairs({{0, 1}, {2, 1}}), {4, 1, 1}, "the pairs have destination 1 twice");
}

TEST(WrongPairs, OutOfRange) {
  for (const std::int64_t index : {4, -1}) {
    const std::string text = std::to_string(index) + ", outside of " + axis_text;
    expect_refused(with_pairs({{0, 1}, {index, 2}}), {4, 1, 1}, "the pairs have source " + text);
    expect_refused(with_pairs({{0, index}}), {4, 1, 1}, "the pairs have destination " + text);
  }
}

TEST(WrongOrder, IsNoPermutation) {
  expect_refused(with_order({0, 1, 1, 3}), {4, 1, 1},
                 "the order is not a permutation: it has index 1 twice");
  expect_refused(with_order({0, 1, 2}), {4, 1, 1}, "the order has 3 indices for " + axis_text);
  expect_refused(with_order({0, 1, 2, 3, 4}), {4, 1, 1},
                 "the order has 5 indices for " + axis_text);
  expect_refused(with_order({0, 1, 2, 4}), {4, 1, 1},
                 "the order has index 4, outside of " + axis_text);
  expect_refused(with_order({0, -1, 2, 3}), {4, 1, 1},
                 "the order has index -1, outside of " + axis_text);
}

TEST(WrongSource, OutOfRange) {
  for (const std::int64_t source : {4, -1}) {
    expect_refused(with_source(source), {4, 1, 1},
                   "the source is " + std::to_string(source) + ", outside of " + axis_text);
  }
}

// Ranks without examples throw as well.
TEST(WrongCalls, OfAxesShorterThanTheRanks) {
  expect_refused(with_groups(Op::sum, {{0}}), {2, 1, 1},
                 "do not cover the axis: index 1 of axis \"i\" (size 2) is in no group");
  expect_refused(with_dims(Op::sum_scatter, false, 0), {1, 2, 1},
                 "has size 2, which is not the size of axis \"i\", 1");
  expect_refused(with_pairs({{0, 1}}), {1, 1, 1}, "destination 1, outside of axis \"i\" (size 1)");
  expect_refused(with_order({0, 1}), {1, 1, 1}, "the order has 2 indices");
  expect_refused(with_source(1), {1, 1, 1}, "the source is 1, outside of axis \"i\" (size 1)");
}

template <class Action>
void expect_refused_between_maps(const Action& call, const std::string& text) {
  const auto x = from_one<3>({4, 3, 4});
  const std::string of_view = refused([&] { call(x); });
  EXPECT_THAT(of_view, HasSubstr("over axis \"0\" of f8 with shape (3, 4): "));
  EXPECT_THAT(of_view, HasSubstr(text));
  const auto shards = scatter(comm(), x);
  EXPECT_EQ(refused([&] { call(shards); }), of_view);
}

TEST(WrongCalls, BetweenMaps) {
  const std::string n = "the size of axis \"0\", 4";
  expect_refused_between_maps([](auto& x) { psum(x, AxisIndexGroups({{0, 1}, {1, 2, 3}})); },
                              "index 1 twice");
  expect_refused_between_maps([](auto& x) { all_gather(x, AxisIndexGroups({{0}, {1, 2, 3}})); },
                              "sizes 1 and 3");
  expect_refused_between_maps([](auto& x) { all_gather(x, axis(3)); },
                              "axis 3 is out of range for rank 3");
  expect_refused_between_maps([](auto& x) { psum_scatter(x); }, "has size 3, which is not " + n);
  expect_refused_between_maps([](auto& x) { psum_scatter(x, tiled); },
                              "has size 3, which is not a multiple of " + n);
  expect_refused_between_maps([](auto& x) { all_to_all(x, 0, 1); },
                              "split_axis 0 of the operand has size 3, which is not " + n);
  expect_refused_between_maps([](auto& x) { all_to_all(x, 1, 2); },
                              "concat_axis 2 is out of range for rank 2");
  expect_refused_between_maps([](auto& x) { ppermute(x, Pairs({{0, 1}, {2, 1}})); },
                              "destination 1 twice");
  expect_refused_between_maps([](auto& x) { pshuffle(x, Permutation({0, 0, 1, 2})); },
                              "not a permutation: it has index 0 twice");
  expect_refused_between_maps([](auto& x) { pbroadcast(x, 4); },
                              "the source is 4, outside of axis \"0\" (size 4)");
}

}  // namespace
}  // namespace kmap::test
