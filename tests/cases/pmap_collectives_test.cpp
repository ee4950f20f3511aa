// Cases 10 to 14 with the mapped axis over ranks.

#include "collective_functions.hpp"

#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

const Communicator& comm() { return runtime().comm(); }

template <detail::FixedString... Axis>
void check_residuals(bool i, bool j, bool k) {
  const auto inner = vmap(vmap(Residuals<Axis...>{}, axis_name<"k">), axis_name<"j">);
  for (const std::int64_t n : lengths()) {
    const auto x = squares({n, 2, 2});
    const auto y = pmap(inner, axis_name<"i">)(scatter(comm(), x));
    expect_array(y, {n, 2, 2, 3}, residuals(x, {i, j, k}));
  }
}

TEST(Case, N10_AnySubsetOfThreeNamedAxesOneOverRanks) {
  check_residuals<"i">(true, false, false);
  check_residuals<"j">(false, true, false);
  check_residuals<"k">(false, false, true);
  check_residuals<"i", "j">(true, true, false);
  check_residuals<"k", "i">(true, false, true);
  check_residuals<"j", "k">(false, true, true);
  check_residuals<"i", "j", "k">(true, true, true);
}

TEST(Case, N11_AxisIndexOverRanks) {
  for (const std::int64_t n : lengths()) {
    const auto x = detail::make_host_array<double, 1>({n});
    Kokkos::deep_copy(x, 9.0);
    expect_array(pmap(MinusIndex{}, axis_name<"i">)(scatter(comm(), x)), {n},
                 each_index<double>({n}, [](const Shape& at) { return 9 - at[0]; }));
  }
}

TEST(Case, N12_TiledAllGatherOverRanks) {
  for (const std::int64_t n : some_lengths()) {
    const auto x = counting<double, 3>({4, n, 5});
    const auto expected = each_index<double>({4 * n, 5}, [&](const Shape& at) {
      return number_of({at[0] % 4, at[0] / 4, at[1]}, {4, n, 5});
    });
    const auto y = pmap(GatherRows{}, in_axes(1), out_axes(none), axis_name<"i">,
                        outputs(out_shape<double>(4 * n, 5)))(scatter(comm(), x, 1));
    expect_array(y, {4 * n, 5}, expected);
  }
}

void check_all_to_all(std::int64_t n) {
  const Shape shape = {n, n, n, n};
  const auto x = counting<double, 4>(shape);
  for (int mapped = 0; mapped < 4; ++mapped) {
    const auto shards = scatter(comm(), x, mapped);
    for (int split = 0; split < 3; ++split) {
      for (int concat = 0; concat < 3; ++concat) {
        const auto y = pmap(AllToAll{split, concat}, in_axes(mapped), axis_name<"i">,
                            outputs(out_shape<double>(n, n, n)))(shards);
        expect_array(y, shape, all_to_all_of(shape, mapped, split, concat));
      }
    }
  }
}

TEST(Case, N13_AllToAllOverRanks) {
  check_all_to_all(4);
  if (comm().size() != 4) check_all_to_all(comm().size());
  check_all_to_all(5);
}

TEST(Case, N13_TiledAllToAllOverRanks) {
  for (const std::int64_t n : some_lengths()) {
    const Shape shape = {n, 3 * n, 2, n};
    const auto x = counting<double, 4>(shape);
    for (int mapped = 0; mapped < 4; mapped += 3) {
      const auto shards = scatter(comm(), x, mapped);
      for (int split = 0; split < 3; split += 2) {
        if (shape[static_cast<std::size_t>(split + (mapped <= split ? 1 : 0))] % n != 0) continue;
        for (int concat = 0; concat < 3; ++concat) {
          const Shape out = tiled_shape(shape, mapped, split, concat);
          const auto y = pmap(AllToAllTiled{split, concat}, in_axes(mapped), axis_name<"i">,
                              outputs(out_shape<double>(out[1], out[2], out[3])))(shards);
          expect_array(y, out, tiled_all_to_all_of(shape, mapped, split, concat));
        }
      }
    }
  }
}

TEST(Case, N14_PermutationOverRanks) {
  for (const std::int64_t n : lengths()) {
    const auto x = counting<double, 1>({n});
    const auto to = some_permutation(n);
    const auto y = pmap(Permute{pairs_of(to)}, axis_name<"i">)(scatter(comm(), x));
    expect_array(y, {n}, permuted(x, to));
  }
}

}  // namespace
}  // namespace kmap::test
