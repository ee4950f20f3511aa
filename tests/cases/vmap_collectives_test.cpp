// Cases 10 to 14: collectives under vmap.

#include "collective_functions.hpp"

#include "kmap/vmap.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

template <detail::FixedString... Axis>
void check_residuals(bool i, bool j, bool k) {
  const auto x = squares({2, 2, 2});
  const auto inner = vmap(vmap(Residuals<Axis...>{}, axis_name<"k">), axis_name<"j">);
  expect_array(vmap(inner, axis_name<"i">)(x), {2, 2, 2, 3}, residuals(x, {i, j, k}));
}

TEST(Case, N10_AnySubsetOfThreeNamedAxes) {
  check_residuals<"i">(true, false, false);
  check_residuals<"j">(false, true, false);
  check_residuals<"k">(false, false, true);
  check_residuals<"i", "j">(true, true, false);
  check_residuals<"k", "i">(true, false, true);
  check_residuals<"j", "k">(false, true, true);
  check_residuals<"i", "j", "k">(true, true, true);
}

TEST(Case, N11_AxisIndex) {
  const auto x = array_of<double>({5, 5, 5, 5, 5, 9, 9, 9, 9, 9});
  expect_array(vmap(MinusIndex{}, axis_name<"i">)(x), {10},
               std::vector<double>{5, 4, 3, 2, 1, 4, 3, 2, 1, 0});
}

TEST(Case, N12_TiledAllGather) {
  const auto x = counting<double, 3>({4, 3, 5});
  const auto expected = each_index<double>(
      {12, 5}, [](const Shape& at) { return number_of({at[0] % 4, at[0] / 4, at[1]}, {4, 3, 5}); });
  const auto y = vmap(GatherRows{}, in_axes(1), out_axes(none), axis_name<"i">,
                      outputs(out_shape<double>(12, 5)))(x);
  expect_array(y, {12, 5}, expected);
}

TEST(Case, N13_AllToAll) {
  const Shape shape = {4, 4, 4, 4};
  const auto x = counting<double, 4>(shape);
  for (int mapped = 0; mapped < 4; ++mapped) {
    for (int split = 0; split < 3; ++split) {
      for (int concat = 0; concat < 3; ++concat) {
        const auto map = [&](int s, int c) {
          return vmap(AllToAll{s, c}, in_axes(mapped), axis_name<"i">,
                      outputs(out_shape<double>(4, 4, 4)));
        };
        const auto expected = all_to_all_of(shape, mapped, split, concat);
        expect_array(map(split, concat)(x), shape, expected);
        expect_array(map(split - 3, concat - 3)(x), shape, expected);
      }
    }
  }
}

TEST(Case, N13_AllToAllOfOtherSizes) {
  // The split axis has the size of the mapped one, the others any.
  const Shape shape = {3, 2, 3, 5};
  const auto x = counting<double, 4>(shape);
  for (int concat = 0; concat < 3; ++concat) {
    Shape out = {2, 5};
    out.insert(out.begin() + concat, 3);
    const auto y = vmap(AllToAll{1, concat}, axis_name<"i">,
                        outputs(out_shape<double>(out[0], out[1], out[2])))(x);
    out.insert(out.begin(), 3);
    expect_array(y, out, all_to_all_of(shape, 0, 1, concat));
  }
}

TEST(Case, N13_TiledAllToAll) {
  const Shape shape = {2, 6, 4, 2};
  const auto x = counting<double, 4>(shape);
  for (int mapped = 0; mapped < 4; mapped += 3) {
    for (int split = 0; split < 3; ++split) {
      for (int concat = 0; concat < 3; ++concat) {
        const Shape out = tiled_shape(shape, mapped, split, concat);
        const auto y = vmap(AllToAllTiled{split, concat}, in_axes(mapped), axis_name<"i">,
                            outputs(out_shape<double>(out[1], out[2], out[3])))(x);
        expect_array(y, out, tiled_all_to_all_of(shape, mapped, split, concat));
      }
    }
  }
}

TEST(Case, N13_SwapAxes) {
  const auto x = counting<double, 4>({4, 4, 4, 4});
  for (int a = 0; a < 3; ++a) {
    const auto y = vmap(SwapAxes{a}, axis_name<"i">, outputs(out_shape<double>(4, 4, 4)))(x);
    expect_array(y, {4, 4, 4, 4}, all_to_all_of({4, 4, 4, 4}, 0, a, a));
  }
}

TEST(Case, N14_Permutation) {
  const auto x = array_of<double>({3, 1, 4, 1, 5, 9, 2, 6, 5, 3});
  const auto to = some_permutation(10);
  expect_array(vmap(Permute{pairs_of(to)}, axis_name<"i">)(x), {10}, permuted(x, to));
}

}  // namespace
}  // namespace kmap::test
