// k_means against scikit-learn's Lloyd from the same start: see tests/apps/make_batch_goldens.py.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <limits>

namespace kmap::test {
namespace {

using Labels = std::vector<std::int32_t>;

Array golden(const std::string& path) { return read_array(golden_file("k_means"), path); }

Job k_means(const Array& points, const Array& start, const std::string& params = "{}") {
  return Job("k_means", {{"point", points, "", false}, {"start", start, "in_axis: null", true}},
             params, {"centres"});
}

template <class T>
void expect_centres(const Array& found, const Array& wanted) {
  ASSERT_EQ(found.type, wanted.type);
  ASSERT_EQ(found.shape, wanted.shape);
  const auto a = values<T>(found);
  const auto b = values<T>(wanted);
  for (std::size_t i = 0; i < b.size(); ++i) {
    EXPECT_NEAR(a[i], b[i], 100 * std::numeric_limits<T>::epsilon()) << i;
  }
}

Labels labels(const Job& job) { return values<std::int32_t>(job.read("/label")); }

template <class T>
class Clusters : public ::testing::Test {
 protected:
  static Array golden_of(const std::string& path) {
    return golden((std::is_same_v<T, float> ? "/f4/" : "/f8/") + path);
  }
};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Clusters, Reals);

TYPED_TEST(Clusters, AreThoseOfScikitLearn) {
  for (const std::string name : {"clear", "overlapping", "line"}) {
    for (const std::string iterations : {"1", "3", "300"}) {
      SCOPED_TRACE(name + ", iterations: " + iterations);
      Job job = k_means(this->golden_of(name + "/points"), this->golden_of(name + "/start"),
                        "{iterations: " + iterations + "}");
      job.expect_same({3, 1, 0, false, Layout::plain});
      const std::string at = name + "/" + iterations;
      EXPECT_EQ(labels(job), values<std::int32_t>(this->golden_of(at + "/labels")));
      expect_centres<TypeParam>(job.read("/centres"), this->golden_of(at + "/centres"));
    }
  }
}

TEST(KMeans, StopsWhereCentresHardlyMove) {
  Job job = k_means(golden("/f8/overlapping/points"), golden("/f8/overlapping/start"),
                    "{tolerance: 0.2}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(job), values<std::int32_t>(golden("/tolerance/labels")));
  expect_centres<double>(job.read("/centres"), golden("/tolerance/centres"));
}

// Two leaves of the tree of a sum, which ranks share.
TEST(KMeans, HasTheSameBitsHoweverItIsRun) {
  Job job =
      k_means(golden("/f8/overlapping/points"), golden("/f8/overlapping/start"), "{iterations: 7}");
  job.keep_for_collectives(1'000'000);
  for (const Way& way : all_pairs(300)) {
    if (way.block_rows != 1) job.expect_same(way);
  }
  job.expect_same({3, 2, 1, true, Layout::chunked});
}

TEST(KMeans, WithoutIterationsLabelsByTheStart) {
  const Array start = array_of<double>("f8", {2, 1}, {0, 10});
  Job job = k_means(array_of<double>("f8", {3, 1}, {4, 6, 5}), start, "{iterations: 0}");
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(job), (Labels{0, 1, 0}));
  EXPECT_TRUE(job.read("/centres") == start);
}

TEST(KMeans, AClusterWithoutPointsStays) {
  Job job = k_means(array_of<double>("f8", {4, 1}, {0, 1, 5, 7}),
                    array_of<double>("f8", {3, 1}, {0, 100, 5}));
  job.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(job), (Labels{0, 0, 2, 2}));
  EXPECT_EQ(values<double>(job.read("/centres")), (std::vector<double>{0.5, 100, 6}));
}

TEST(KMeans, PointsWithNaNBelongNowhere) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Job job = k_means(array_of<double>("f8", {4, 2}, {0, 0, nan, 1, 2, 2, 8, 8}),
                    array_of<double>("f8", {2, 2}, {0, 0, 9, 9}));
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(job), (Labels{0, -1, 0, 1}));
  EXPECT_EQ(values<double>(job.read("/centres")), (std::vector<double>{1, 1, 8, 8}));
}

// Equal points, more ranks than points, one point.
TEST(KMeans, OfFewPoints) {
  const Array start = array_of<float>("f4", {2, 1}, {1, 3});
  Job equal = k_means(array_of<float>("f4", {3, 1}, {2, 2, 2}), start);
  equal.expect_same({4, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(equal), (Labels{0, 0, 0}));
  EXPECT_EQ(values<float>(equal.read("/centres")), (std::vector<float>{2, 3}));
  Job one = k_means(array_of<float>("f4", {1, 1}, {2.5}), start);
  one.expect_same({3, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(one), (Labels{1}));
  EXPECT_EQ(values<float>(one.read("/centres")), (std::vector<float>{1, 2.5}));
}

// Its centres would be of nothing.
TEST(KMeans, OfNoPointsIsRefused) {
  const TemporaryFolder folder;
  write_array(folder.path() / "in.h5", "/points", array_of<double>("f8", {0, 2}, {}));
  write_array(folder.path() / "in.h5", "/start", array_of<double>("f8", {1, 2}, {1, 2}));
  std::ofstream(folder.path() / "job.yaml")
      << "kernel: k_means\ninputs:\n  point: in.h5:/points\n"
         "  start: {file: in.h5, dataset: /start, in_axis: null}\noutputs: out.h5\n";
  const CommandResult result =
      run_command(kmap_words(2, {"run", (folder.path() / "job.yaml").string()}));
  EXPECT_EQ(result.exit_code, 65) << result;
  EXPECT_THAT(result.err, ::testing::HasSubstr("no example"));
}

TEST(KMeans, OfIntegersIsOfDoubles) {
  Job job = k_means(array_of<std::int32_t>("i4", {3, 1}, {1, 2, 9}),
                    array_of<std::int32_t>("i4", {2, 1}, {1, 9}));
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(labels(job), (Labels{0, 0, 1}));
  EXPECT_EQ(values<double>(job.read("/centres")), (std::vector<double>{1.5, 9}));
}

}  // namespace
}  // namespace kmap::test
