// Jobs of periodogram: the spectrum once with its frequencies, integers, empty batches, mistakes,
// and the spectrogram of a real recording.

#include "apps/goldens_test.hpp"
#include "support/command.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>

namespace kmap::test {
namespace {

using ::testing::HasSubstr;
using Shape = std::vector<std::int64_t>;

class PeriodogramJobs : public ::testing::Test {
 protected:
  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  // `input`: what the config says after `x: `.
  CommandResult run(const std::string& input, const std::string& params = "{}", int ranks = 1,
                    const std::string& datasets = "{}") const {
    std::ofstream(path("job.yaml"))
        << "kernel: periodogram\nparams: " << params << "\ninputs:\n  x: " << input
        << "\noutputs: {file: out.h5, if_exists: overwrite, datasets: " << datasets << "}\n";
    return run_command(kmap_words(ranks, {"run", path("job.yaml").string()}));
  }
  Array output(const std::string& name) const { return read_array(path("out.h5"), name); }

  void make_input(const Array& array) const { write_array(path("in.h5"), "/x", array); }

 private:
  TemporaryFolder folder_;
};

// Every value within 1e-12 of the largest of its row and within `own` of itself.
void expect_rows(const Array& found, const std::vector<double>& wanted,
                 const std::vector<double>& largest, std::size_t every,
                 double own = std::numeric_limits<double>::infinity()) {
  const std::size_t rows = largest.size();
  const std::size_t columns = wanted.size() / rows;
  const auto power = values<double>(found);
  ASSERT_EQ(found.shape.front(), static_cast<std::int64_t>(rows));
  const auto bins = static_cast<std::size_t>(found.shape.back());
  ASSERT_EQ((bins - 1) / every + 1, columns);
  for (std::size_t i = 0; i < rows; ++i) {
    for (std::size_t f = 0; f < columns; ++f) {
      const double value = wanted[i * columns + f];
      EXPECT_NEAR(power[i * bins + f * every], value,
                  std::min(1e-12 * largest[i], own * std::abs(value)))
          << "row " << i << ", bin " << f * every;
    }
  }
}

TEST_F(PeriodogramJobs, OfIntegersAreThoseOfDoubles) {
  for (const std::string type : {"i2", "u1", "i8"}) {
    SCOPED_TRACE(type);
    const std::string at = "/integers/" + type;
    const CommandResult result =
        run(golden_file("periodogram").string() + ":" + at + "/x", "{}", 2);
    ASSERT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(output("/power").type, "f8");
    const auto wanted = values<double>(read_array(golden_file("periodogram"), at + "/power"));
    std::vector<double> largest;
    for (auto row = wanted.begin(); row != wanted.end(); row += 26) {
      largest.push_back(*std::max_element(row, row + 26));
    }
    expect_rows(output("/power"), wanted, largest, 1);
  }
}

TEST_F(PeriodogramJobs, HaveTheirFrequenciesOnce) {
  make_input(array_of<double>("f8", {3, 2, 5}, std::vector<double>(30, 1.5)));
  const CommandResult result = run("in.h5:/x", "{sample_rate: 100}", 2);
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(output("/power").shape, (Shape{3, 2, 3}));
  EXPECT_EQ(output("/frequency").type, "f8");
  EXPECT_EQ(values<double>(output("/frequency")), (std::vector<double>{0, 20, 40}));
  EXPECT_THAT(result.out, HasSubstr("/frequency  f8 (3,), 24 B, once: along f in Hz\n"));
}

TEST_F(PeriodogramJobs, HaveTheirFrequenciesWhereTheConfigSays) {
  make_input(array_of<double>("f8", {1, 4}, {1, 2, 3, 5}));
  const CommandResult result =
      run("in.h5:/x", "{}", 1, "{frequency: {path: /axes/f, dtype: f4}, power: /psd}");
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(output("/axes/f").type, "f4");
  EXPECT_EQ(values<float>(output("/axes/f")), (std::vector<float>{0, 0.25F, 0.5F}));
  EXPECT_EQ(output("/psd").shape, (Shape{1, 3}));
}

TEST_F(PeriodogramJobs, OfNothingHaveFrequencies) {
  make_input(array_of<double>("f8", {0, 4}, {}));
  for (const int ranks : {1, 3}) {
    const CommandResult result = run("in.h5:/x", "{}", ranks);
    ASSERT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(output("/power").shape, (Shape{0, 3}));
    EXPECT_EQ(values<double>(output("/frequency")), (std::vector<double>{0, 0.25, 0.5}));
  }
}

TEST_F(PeriodogramJobs, OfOneSampleAreRefused) {
  make_input(array_of<double>("f8", {4, 1}, {1, 2, 3, 4}));
  const CommandResult result = run("in.h5:/x", "{}", 2);
  EXPECT_EQ(result.exit_code, 65) << result;
  EXPECT_THAT(result.err, HasSubstr("needs examples of two or more values, not of 1"));
  EXPECT_THAT(result.err, HasSubstr("whose last axis is time"));
}

TEST_F(PeriodogramJobs, NameWhatAParameterMayBe) {
  make_input(array_of<double>("f8", {1, 4}, {1, 2, 3, 5}));
  const CommandResult taper = run("in.h5:/x", "{taper: han}");
  EXPECT_EQ(taper.exit_code, 78) << taper;
  EXPECT_THAT(taper.err, HasSubstr("params.taper: han is not allowed; expected one of boxcar, "
                                   "hann, hamming, blackman; did you mean hann?"));
  const CommandResult rate = run("in.h5:/x", "{sample_rate: 0}");
  EXPECT_EQ(rate.exit_code, 78) << rate;
  EXPECT_THAT(rate.err, HasSubstr("params.sample_rate: 0 is not allowed; expected above 0"));
}

// 32 s of LIGO Hanford's strain around GW150914 (gwosc.org), as SciPy's spectrogram: see
// make_goldens.py.
class Spectrogram : public PeriodogramJobs {
 protected:
  void SetUp() override {
    if (shared_data().empty()) GTEST_SKIP() << "../shared/data is not there";
  }

  static std::filesystem::path recording() { return shared_data() / "gw150914_H1_4khz_32s.hdf5"; }

  void expect_golden(const std::string& input) const {
    const CommandResult result = run(input, "{sample_rate: 4096, taper: hann}", 2);
    ASSERT_EQ(result.exit_code, 0) << result;
    const std::filesystem::path file =
        source_dir() / "tests" / "jobs" / "goldens" / "spectrogram.h5";
    EXPECT_EQ(output("/power").shape, (Shape{63, 2049}));
    // Most bins, and signals in them, have some 1e-8 of the power of the loudest.
    expect_rows(output("/power"), values<double>(read_array(file, "/power")),
                values<double>(read_array(file, "/largest")), 16, 1e-8);
    const auto frequency = values<double>(output("/frequency"));
    const auto wanted = values<double>(read_array(file, "/frequency"));
    ASSERT_EQ(frequency.size(), 2049U);
    for (std::size_t f = 0; f < wanted.size(); ++f) EXPECT_EQ(frequency[16 * f], wanted[f]);
  }
};

TEST_F(Spectrogram, OfWindowsCutBeforehand) {
  const auto strain = values<double>(read_array(recording(), "/strain/Strain"));
  ASSERT_EQ(strain.size(), 131072U);
  std::vector<double> windows;
  for (std::ptrdiff_t i = 0; i < 63; ++i) {
    windows.insert(windows.end(), strain.begin() + 2048 * i, strain.begin() + 2048 * i + 4096);
  }
  make_input(array_of("f8", {63, 4096}, windows));
  expect_golden("in.h5:/x");
}

TEST_F(Spectrogram, OfWindowsOfTheRecording) {
  expect_golden("{file: " + recording().string() +
                ", dataset: /strain/Strain, window: {size: 4096, stride: 2048}}");
}

}  // namespace
}  // namespace kmap::test
