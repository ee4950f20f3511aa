// matmul against NumPy's products, see tests/apps/make_batch_goldens.py: the rows of a distributed,
// b on every rank, and a map over b's columns in the config.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <limits>

namespace kmap::test {
namespace {

Array golden(const std::string& path) { return read_array(golden_file("matmul"), path); }

Job matmul(const Array& a, const Array& b) {
  return Job("matmul", {{"a", a, "", false}, {"b", b, "in_axis: null", true}}, "{}", {},
             "map: {vmap: [{in_axes: {a: null, b: 1}}]}");
}

Job matmul(const std::string& type) {
  return matmul(golden("/" + type + "/a"), golden("/" + type + "/b"));
}

class Integers : public ::testing::TestWithParam<const char*> {};

TEST_P(Integers, WrapAroundAsNumPyDoes) {
  const std::string type = GetParam();
  Job job = matmul(type);
  for (const Way& way : some_ways(2)) job.expect_same(way);
  EXPECT_TRUE(job.read("/c") == golden("/" + type + "/product"));
}

INSTANTIATE_TEST_SUITE_P(Types, Integers,
                         ::testing::Values("i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8"),
                         [](const auto& test) { return std::string(test.param); });

// Six products of numbers of some unit size.
template <class T>
void expect_product(const std::string& type) {
  Job job = matmul(type);
  for (const Way& way : some_ways(2)) job.expect_same(way);
  const Array found = job.read("/c");
  const Array wanted = golden("/" + type + "/product");
  ASSERT_EQ(found.type, wanted.type);
  ASSERT_EQ(found.shape, wanted.shape);
  const auto a = values<T>(found);
  const auto b = values<T>(wanted);
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_LE(std::abs(a[i] - b[i]), 20 * std::numeric_limits<decltype(std::abs(T{}))>::epsilon())
        << i;
  }
}

TEST(Matmul, OfFloats) { expect_product<float>("f4"); }
TEST(Matmul, OfDoubles) { expect_product<double>("f8"); }
TEST(Matmul, OfComplexFloats) { expect_product<std::complex<float>>("c8"); }
TEST(Matmul, OfComplexDoubles) { expect_product<std::complex<double>>("c16"); }

TEST(Matmul, HasTheSameBitsHoweverItIsRun) {
  Job job = matmul("f8");
  for (const Way& way : some_ways(4)) job.expect_same(way);
}

// More ranks than rows; a row and a column; no rows.
TEST(Matmul, OfFewRows) {
  const Array b = array_of<double>("f8", {2, 3}, {1, 2, 3, 4, 5, 6});
  Job two = matmul(array_of<double>("f8", {2, 2}, {1, 0, 1, 10}), b);
  two.expect_same({4, 1, 0, false, Layout::plain});
  EXPECT_EQ(values<double>(two.read("/c")), (std::vector<double>{1, 2, 3, 41, 52, 63}));
  Job one = matmul(array_of<double>("f8", {1, 2}, {3, 4}), array_of<double>("f8", {2, 1}, {5, 6}));
  one.expect_same({3, 1, 0, true, Layout::plain});
  EXPECT_EQ(values<double>(one.read("/c")), (std::vector<double>{39}));
  Job none = matmul(array_of<double>("f8", {0, 2}, {}), b);
  none.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(none.read("/c").shape, (std::vector<std::int64_t>{0, 3}));
}

// NaN stays in its row.
TEST(Matmul, OfNaN) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Job job = matmul(array_of<double>("f8", {2, 2}, {1, nan, 2, 3}),
                   array_of<double>("f8", {2, 1}, {1, 1}));
  job.expect_same({2, 1, 0, false, Layout::plain});
  expect_close(job.read("/c"), array_of<double>("f8", {2, 1}, {nan, 5}), 0);
}

}  // namespace
}  // namespace kmap::test
