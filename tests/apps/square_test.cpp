// square against NumPy: every type, with integers that wrap around.

#include "apps/goldens_test.hpp"
#include "apps/run_kernel.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

class SquareIntegers : public ::testing::TestWithParam<const char*> {};

TEST_P(SquareIntegers, WrapAroundAsNumPyDoes) {
  const std::string type = GetParam();
  const Array x = read_array(golden_file("square"), "/" + type + "/x");
  const Array wanted = read_array(golden_file("square"), "/" + type + "/y");
  const Array y = run_kernel("square", {x}).at("y");
  EXPECT_EQ(y.type, type);
  EXPECT_EQ(y.shape, wanted.shape);
  EXPECT_TRUE(y.bytes == wanted.bytes);
}

INSTANTIATE_TEST_SUITE_P(Types, SquareIntegers,
                         ::testing::Values("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
                         [](const auto& test) { return std::string(test.param); });

class SquareFloats : public ::testing::TestWithParam<const char*> {};

// A product of floats is rounded once, a complex one by its definition: there is one right answer.
// A device may fuse the two products of a part.
TEST_P(SquareFloats, HaveTheBitsOfNumPy) {
  const std::string type = GetParam();
  const Array x = read_array(golden_file("square"), "/" + type + "/x");
  const Array wanted = read_array(golden_file("square"), "/" + type + "/y");
  expect_close(run_kernel("square", {x}).at("y"), wanted, 0);
}

INSTANTIATE_TEST_SUITE_P(Types, SquareFloats, ::testing::Values("f4", "f8", "c8", "c16"),
                         [](const auto& test) { return std::string(test.param); });

TEST(Square, MapsOverAllDimensions) {
  const Array x = array_of<std::int32_t>("i4", {2, 3}, {1, 2, 3, 4, 5, -6});
  const Array y = run_kernel("square", {x}).at("y");
  EXPECT_EQ(y.shape, x.shape);
  EXPECT_EQ(values<std::int32_t>(y), (std::vector<std::int32_t>{1, 4, 9, 16, 25, 36}));
}

}  // namespace
}  // namespace kmap::test
