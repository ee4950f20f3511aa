// Every 521st float or fewer; the program math_every_float takes them all.

#include "every_float.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

class EveryFloat : public testing::TestWithParam<UnaryClaim> {};

TEST_P(EveryFloat, IsWithinTheBound) {
  const UnaryClaim& claim = GetParam();
  // Most floats are out of reach for the quick ways of periodic functions.
  const std::uint64_t stride = claim.periodic ? 4099 : 521;
  for (const Library& library : libraries()) {
    const WorstFloat worst = worst_float(library, claim, stride);
    EXPECT_LE(worst.error, claim.bound_f4) << library.arch << ", x = " << worst.x;
    // Not even correct rounding does better.
    EXPECT_GT(worst.error, 0.49) << library.arch;
  }
}

const auto name_of = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(Accuracy, EveryFloat, testing::ValuesIn(unary_claims()), name_of);

}  // namespace
}  // namespace kmap::test
