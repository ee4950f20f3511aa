// Case 18: a normal draw per key, mapped, equals the draws made one by one.

#include "kmap/random.hpp"

#include "arrays.hpp"

#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

struct Normal {
  KOKKOS_FUNCTION double operator()(random::Key key) const { return random::normal<double>(key); }
};

TEST(Case, N18_DrawsPerKey) {
  constexpr std::int64_t n = 1000;
  const auto keys = random::split(random::key(7), n);
  std::vector<double> draws;
  for (std::int64_t i = 0; i < n; ++i) {
    draws.push_back(random::normal<double>(random::split_at(random::key(7), i)));
  }
  expect_array(vmap(Normal{})(keys), {n}, draws);
  expect_array(pmap(Normal{})(scatter(runtime().comm(), keys)), {n}, draws);
}

}  // namespace
}  // namespace kmap::test
