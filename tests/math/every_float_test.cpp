// Every 257th float; the program math_every_float takes them all.

#include "every_float.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

class EveryFloat : public testing::TestWithParam<UnaryClaim> {};

TEST_P(EveryFloat, IsWithinTheBound) {
  const UnaryClaim& claim = GetParam();
  for (const Library& library : libraries()) {
    const WorstFloat worst = worst_float(library, claim, 257);
    EXPECT_LE(worst.error, claim.bound_f4) << library.arch << ", x = " << worst.x;
    // No function of this many numbers is rounded correctly each time by chance, but sqrt.
    if (claim.name != "sqrt") {
      EXPECT_GT(worst.error, 0.5) << library.arch;
    }
  }
}

const auto name_of = [](const auto& info) { return info.param.name; };

INSTANTIATE_TEST_SUITE_P(Accuracy, EveryFloat, testing::ValuesIn(unary_claims()), name_of);

}  // namespace
}  // namespace kmap::test
