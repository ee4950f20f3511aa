// lorenz against the same method in NumPy, and against the exact solution.

#include "apps/goldens_test.hpp"
#include "apps/run_kernel.hpp"

#include "kmap/detail/math/bits.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace kmap::test {
namespace {

Array golden(const std::string& path) { return read_array(golden_file("lorenz"), path); }

// What the kernel was compiled to: kmap::mul_add is one operation where the processor has it.
const std::string rounding = detail::fused ? "/fused" : "/plain";

// The same operations in the same order, each rounded by IEEE 754, have one result: the bits are
// equal, also after the thousand steps in which chaos makes a difference of one bit some 10^4 times
// larger.
class LorenzTypes : public ::testing::TestWithParam<const char*> {};

TEST_P(LorenzTypes, HasTheBitsOfNumPyAfterAThousandSteps) {
  const std::string at = std::string("/") + GetParam();
  const Params params = {{"steps", std::int64_t{1000}}, {"step", 0.01}};
  const auto outputs = run_kernel("lorenz", {golden(at + "/initial")}, params);
  expect_close(outputs.at("final"), golden(at + rounding + "/final"), 0);
}

TEST_P(LorenzTypes, HasTheBitsOfNumPyByDefault) {
  const std::string at = std::string("/") + GetParam();
  expect_close(run_kernel("lorenz", {golden(at + "/initial")}).at("final"),
               golden(at + rounding + "/final"), 0);
}

TEST_P(LorenzTypes, UsesEveryParameter) {
  const std::string at = std::string("/") + GetParam();
  const Params params = {
      {"sigma", 9.5}, {"rho", 31.0}, {"beta", 2.5}, {"step", 0.004}, {"steps", std::int64_t{77}}};
  const auto outputs = run_kernel("lorenz", {golden(at + "/initial")}, params);
  expect_close(outputs.at("final"), golden(at + rounding + "/other"), 0);
}

TEST_P(LorenzTypes, StaysWithoutSteps) {
  const Array initial = golden(std::string("/") + GetParam() + "/initial");
  const auto outputs = run_kernel("lorenz", {initial}, {{"steps", std::int64_t{0}}});
  EXPECT_TRUE(outputs.at("final") == initial);
}

INSTANTIATE_TEST_SUITE_P(Types, LorenzTypes, ::testing::Values("f4", "f8"),
                         [](const auto& test) { return std::string(test.param); });

// Largest distance from the exact solution at t = 0.5.
double error_with(std::int64_t steps) {
  const Params params = {{"steps", steps}, {"step", 0.5 / static_cast<double>(steps)}};
  const auto found =
      values<double>(run_kernel("lorenz", {golden("/at_half/initial")}, params).at("final"));
  const auto exact = values<double>(golden("/at_half/exact"));
  double worst = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    worst = std::max(worst, std::abs(found[i] - exact[i]));
  }
  return worst;
}

// Halving the step divides the error of a method of order 4 by 16.
TEST(Lorenz, ConvergesWithOrderFour) {
  double error = error_with(400);
  EXPECT_LT(error, 1e-4);
  for (const std::int64_t steps : {800, 1600}) {
    const double finer = error_with(steps);
    EXPECT_NEAR(std::log2(error / finer), 4.0, 0.1) << steps << " steps";
    error = finer;
  }
}

}  // namespace
}  // namespace kmap::test
