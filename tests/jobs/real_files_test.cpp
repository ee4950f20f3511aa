// Jobs on real files of other programs, against slow references from plain HDF5 reads.

#include "apps/arrays.hpp"
#include "apps/exact_moments.hpp"
#include "apps/ulp.hpp"
#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

namespace kmap::test {
namespace {

struct RealFile {
  const char* file;
  const char* dataset;
};

class RealFiles : public ::testing::TestWithParam<RealFile> {
 protected:
  void SetUp() override {
    if (shared_data().empty()) GTEST_SKIP() << "../shared/data is not there";
  }

  static std::filesystem::path file() { return shared_data() / GetParam().file; }
  std::filesystem::path output(int ranks) const {
    return folder_.path() / ("out" + std::to_string(ranks) + ".h5");
  }

  void run(int ranks) const {
    const std::filesystem::path job = folder_.path() / "job.yaml";
    std::ofstream(job) << "kernel: moments\ninputs: {x: \"" << file().string() << ":"
                       << GetParam().dataset << "\"}\noutputs: " << output(ranks).string() << "\n";
    const CommandResult result = run_command(kmap_words(ranks, {"run", job.string()}));
    ASSERT_EQ(result.exit_code, 0) << result;
  }

  template <class T>
  std::vector<T> read(const char* name) const {
    return values<T>(read_array(output(1), name));
  }

  template <class T>
  void expect_moments_of(const Array& array) const {
    const std::vector<T> x = values<T>(array);
    const auto rows = static_cast<std::size_t>(array.shape.front());
    const std::size_t length = x.size() / rows;
    const auto mean = read<double>("/mean"), deviation = read<double>("/std");
    const auto least = read<T>("/min"), most = read<T>("/max");
    ASSERT_EQ(mean.size(), rows);
    for (std::size_t i = 0; i < rows; ++i) {
      SCOPED_TRACE(i);
      const T* row = x.data() + i * length;
      const Reference wanted = reference(row, length);
      EXPECT_LE(ulps_between(mean[i], static_cast<double>(wanted.mean)), 4U) << mean[i];
      EXPECT_LE(ulps_between(deviation[i], static_cast<double>(wanted.deviation)), 4U)
          << deviation[i];
      EXPECT_EQ(least[i], *std::min_element(row, row + length));
      EXPECT_EQ(most[i], *std::max_element(row, row + length));
    }
  }

 private:
  TemporaryFolder folder_;
};

TEST_P(RealFiles, HaveTheMomentsOfTheReference) {
  run(1);
  if (HasFatalFailure()) return;
  const Array x = read_array(file(), GetParam().dataset);
  if (x.type == "i1") {
    expect_moments_of<std::int8_t>(x);
  } else {
    ASSERT_EQ(x.type, "f8");
    expect_moments_of<double>(x);
  }
  run(2);
  if (HasFatalFailure()) return;
  for (const char* name : {"/mean", "/std", "/min", "/max"}) {
    EXPECT_TRUE(read_array(output(1), name) == read_array(output(2), name)) << name;
  }
}

INSTANTIATE_TEST_SUITE_P(Moments, RealFiles,
                         ::testing::Values(RealFile{"openpmd_femm_3d.h5", "/data/1/meshes/B/x"},
                                           RealFile{"openpmd_femm_3d.h5", "/data/1/meshes/B/y"},
                                           RealFile{"openpmd_femm_3d.h5", "/data/1/meshes/B/z"},
                                           RealFile{"basin_mask.nc", "/basin"}),
                         [](const auto& test) {
                           const std::string dataset = test.param.dataset;
                           return dataset.substr(dataset.rfind('/') + 1);
                         });

}  // namespace
}  // namespace kmap::test
