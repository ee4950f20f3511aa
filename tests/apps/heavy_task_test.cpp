// heavy_task: sin(x)^2 + cos(x)^2 is one. Integers are tested in tests/jobs: reading makes them f8.

#include "apps/goldens_test.hpp"
#include "apps/run_kernel.hpp"
#include "apps/ulp.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace kmap::test {
namespace {

// Sine, cosine, two squares and a sum, each rounded, leave two units in the last place.
constexpr std::uint64_t allowed = 2;

template <class T>
void expect_ones(const Array& x, const Array& y) {
  const auto in = values<T>(x);
  const auto out = values<T>(y);
  ASSERT_EQ(in.size(), out.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    const T wanted = std::isfinite(in[i]) ? T(1) : std::numeric_limits<T>::quiet_NaN();
    EXPECT_LE(ulps_between(out[i], wanted), allowed) << out[i] << " for " << in[i];
  }
}

TEST(HeavyTask, IsOneForFloats) {
  const Array x = read_array(golden_file("heavy_task"), "/f4/x");
  expect_ones<float>(x, run_kernel("heavy_task", {x}).at("y"));
}

TEST(HeavyTask, IsOneForDoubles) {
  const Array x = read_array(golden_file("heavy_task"), "/f8/x");
  expect_ones<double>(x, run_kernel("heavy_task", {x}).at("y"));
}

// NumPy has two units of its own.
TEST(HeavyTask, IsNearNumPy) {
  for (const std::string type : {"f4", "f8"}) {
    const Array x = read_array(golden_file("heavy_task"), "/" + type + "/x");
    const Array wanted = read_array(golden_file("heavy_task"), "/" + type + "/y");
    expect_close(run_kernel("heavy_task", {x}).at("y"), wanted, 2 * allowed);
  }
}

TEST(HeavyTask, IsCompiledForRealNumbersOnly) {
  EXPECT_THROW(run_kernel("heavy_task", {array_of<std::int32_t>("i4", {1}, {1})}),
               std::runtime_error);
}

}  // namespace
}  // namespace kmap::test
