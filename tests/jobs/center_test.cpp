// center and standardize against means and deviations in extended precision: see
// tests/apps/make_batch_goldens.py.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace kmap::test {
namespace {

Array golden(const std::string& path) { return read_array(golden_file("center"), path); }

// Column by column of (rows, 3): within `units` roundings of the column's `scale`, NaN where
// wanted.
template <class T>
void expect_columns(const Array& found, const Array& wanted, const std::vector<double>& scale,
                    double units) {
  ASSERT_EQ(found.type, wanted.type);
  ASSERT_EQ(found.shape, wanted.shape);
  const auto a = values<T>(found);
  const auto b = values<T>(wanted);
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(b[i])) {
      EXPECT_TRUE(std::isnan(a[i])) << a[i] << " at " << i;
    } else {
      EXPECT_NEAR(a[i], b[i], units * std::numeric_limits<T>::epsilon() * scale[i % scale.size()])
          << "at " << i;
    }
  }
}

template <class T>
std::vector<double> largest_of_columns(const Array& x) {
  std::vector<double> largest(static_cast<std::size_t>(x.shape.back()));
  const auto all = values<T>(x);
  for (std::size_t i = 0; i < all.size(); ++i) {
    double& most = largest[i % largest.size()];
    most = std::max(most, std::abs(static_cast<double>(all[i])));
  }
  return largest;
}

template <class T>
class Batch : public ::testing::Test {
 protected:
  static std::string type() { return std::is_same_v<T, float> ? "f4" : "f8"; }
  static Array golden_of(const std::string& path) { return golden("/" + type() + "/" + path); }
  static Job job(const std::string& kernel, const std::string& name,
                 const std::string& params = "{}") {
    return Job(kernel, {{"x", golden_of(name + "/x"), "", false}}, params);
  }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Batch, Reals);

const std::vector<Way> few_ways = {{2, 1, 0, false, Layout::plain}, {4, 2, 0, true, Layout::plain}};

// In the tree of a sum a value meets at most 31 + 5 others of its leaf and another leaf.
TYPED_TEST(Batch, Centred) {
  for (const std::string name : {"many", "special", "one", "two"}) {
    SCOPED_TRACE(name);
    Job job = this->job("center", name);
    for (const Way& way : few_ways) job.expect_same(way);
    expect_columns<TypeParam>(job.read("/y"), this->golden_of(name + "/centred"),
                              largest_of_columns<TypeParam>(this->golden_of(name + "/x")), 20);
  }
}

// Distances are from the first value, so what roundings are measured by is the deviation: 1.
TYPED_TEST(Batch, Standardised) {
  for (const std::string name : {"many", "special", "one", "two"}) {
    SCOPED_TRACE(name);
    Job job = this->job("standardize", name);
    for (const Way& way : few_ways) job.expect_same(way);
    expect_columns<TypeParam>(job.read("/score"), this->golden_of(name + "/score"), {1}, 200);
  }
}

TYPED_TEST(Batch, StandardisedAsASample) {
  for (const std::string name : {"many", "special", "two"}) {
    SCOPED_TRACE(name);
    Job job = this->job("standardize", name, "{ddof: 1}");
    job.expect_same({3, 1, 0, false, Layout::plain});
    expect_columns<TypeParam>(job.read("/score"), this->golden_of(name + "/sample_score"), {1},
                              200);
  }
}

// SciPy has no score where ddof is n or more.
TEST(Standardize, TakesAnyDegreesOfFreedom) {
  for (const std::string ddof : {"2", "3", "5"}) {
    SCOPED_TRACE(ddof);
    Job job("standardize", {{"x", golden("/three/x"), "", false}}, "{ddof: " + ddof + "}");
    job.expect_same({2, 1, 0, false, Layout::plain});
    expect_close(job.read("/score"), golden("/three/" + ddof), 4);
  }
}

// Two leaves of the tree, which ranks share; room for blocks of some rows beside the operands.
TEST(Center, HasTheSameBitsHoweverItIsRun) {
  for (const std::string kernel : {"center", "standardize"}) {
    SCOPED_TRACE(kernel);
    Job job(kernel, {{"x", golden("/f8/many/x"), "", false}});
    job.keep_for_collectives(1'000'000);
    for (const Way& way : some_ways(300)) {
      if (way.block_rows != 1) job.expect_same(way);
    }
    job.expect_same({3, 2, 1, true, Layout::chunked});
  }
}

TEST(Center, OfIntegersIsOfDoubles) {
  Job job("center", {{"x", array_of<std::int16_t>("i2", {4}, {1, 2, 3, 8}), "", false}});
  job.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(job.read("/y").type, "f8");
  EXPECT_EQ(values<double>(job.read("/y")), (std::vector<double>{-2.5, -1.5, -0.5, 4.5}));
}

TEST(Center, OfNothingIsNothing) {
  for (const std::string kernel : {"center", "standardize"}) {
    Job job(kernel, {{"x", array_of<float>("f4", {0, 3}, {}), "", false}});
    job.expect_same({3, 1, 0, false, Layout::plain});
    EXPECT_EQ(job.read(kernel == "center" ? "/y" : "/score").shape,
              (std::vector<std::int64_t>{0, 3}));
  }
}

}  // namespace
}  // namespace kmap::test
