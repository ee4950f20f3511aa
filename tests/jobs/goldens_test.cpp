// Goldens through whole jobs: integers that a real kernel reads as f8, and complex numbers.

#include "apps/goldens_test.hpp"

#include "support/command.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <fstream>

namespace kmap::test {
namespace {

class JobGoldens : public ::testing::Test {
 protected:
  // Runs the kernel on TYPE/x of its goldens, on two ranks.
  Array output_of(const std::string& kernel, const std::string& type) {
    const std::filesystem::path job = folder_.path() / "job.yaml";
    std::ofstream(job) << "kernel: " << kernel << "\ninputs: {x: \"" << golden_file(kernel).string()
                       << ":/" << type << "/x\"}\noutputs: " << type << ".h5\n";
    const CommandResult result = run_command(kmap_words(2, {"run", job.string()}));
    EXPECT_EQ(result.exit_code, 0) << result;
    return read_array(folder_.path() / (type + ".h5"), "/y");
  }

 private:
  TemporaryFolder folder_;
};

TEST_F(JobGoldens, IntegersBecomeDoublesForHeavyTask) {
  for (const std::string type : {"i1", "i8", "u4", "u8"}) {
    SCOPED_TRACE(type);
    const Array y = output_of("heavy_task", type);
    EXPECT_EQ(y.type, "f8");
    const auto found = values<double>(y);
    EXPECT_EQ(y.shape, read_array(golden_file("heavy_task"), "/" + type + "/y").shape);
    for (const double value : found) EXPECT_LE(ulps_between(value, 1.0), 2U) << value;
  }
}

TEST_F(JobGoldens, SquareKeepsTypes) {
  for (const std::string type : {"u1", "i2", "c8", "c16"}) {
    SCOPED_TRACE(type);
    const Array y = output_of("square", type);
    const Array wanted = read_array(golden_file("square"), "/" + type + "/y");
    EXPECT_EQ(y.type, type);
    EXPECT_EQ(y.shape, wanted.shape);
    if (type.front() != 'c') {
      EXPECT_TRUE(y.bytes == wanted.bytes);
      continue;
    }
    const auto a = values<float>(y), b = values<float>(wanted);
    for (std::size_t i = 0; type == "c8" && i < b.size(); ++i)
      EXPECT_EQ(ulps_between(a[i], b[i]), 0U);
    const auto c = values<double>(y), d = values<double>(wanted);
    for (std::size_t i = 0; type == "c16" && i < d.size(); ++i)
      EXPECT_EQ(ulps_between(c[i], d[i]), 0U);
  }
}

}  // namespace
}  // namespace kmap::test
