// Every config in configs/ runs as it is, at several numbers of ranks.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <algorithm>
#include <cmath>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;

class Configs : public JobFolder {
 protected:
  Configs() {
    fs::copy(source_dir() / "inputs", path("inputs"), fs::copy_options::recursive);
    fs::create_directories(path("configs/out"));
    for (const auto& entry : fs::directory_iterator(source_dir() / "configs")) {
      if (entry.path().extension() != ".yaml") continue;
      fs::copy_file(entry.path(), path("configs") / entry.path().filename());
    }
  }

  fs::path output(const std::string& name) const { return path("configs/out/" + name + ".h5"); }
};

TEST_F(Configs, RunAsTheyAre) {
  int runs = 0;
  for (const auto& entry : fs::directory_iterator(path("configs"))) {
    if (entry.path().extension() != ".yaml") continue;
    const CommandResult result = kmap({"run", entry.path().string()});
    EXPECT_EQ(result.exit_code, ok) << entry.path() << result;
    EXPECT_EQ(result.err, "") << entry.path();
    ++runs;
  }
  EXPECT_GE(runs, 14);
}

TEST_F(Configs, Square) {
  ASSERT_EQ(kmap(2, {"run", "configs/square.yaml"}).exit_code, ok);
  EXPECT_EQ(read_values(output("square"), "/y"), (std::vector<double>{1, 4, 9, 16, 25}));
}

TEST_F(Configs, HeavyTask) {
  ASSERT_EQ(kmap(3, {"run", "configs/heavy_task.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> ones = read_values(output("heavy_task"), "/y", &shape);
  EXPECT_EQ(shape, (Shape{10, 1000}));
  for (const double one : ones) ASSERT_NEAR(one, 1, 1e-15);
}

TEST_F(Configs, Moments) {
  ASSERT_EQ(kmap(4, {"run", "configs/moments.yaml"}).exit_code, ok);
  const std::vector<double> mean = read_values(output("moments"), "/mean");
  const std::vector<double> most = read_values(output("moments"), "/max");
  ASSERT_EQ(mean.size(), 10u);
  for (std::size_t i = 0; i < mean.size(); ++i) {
    EXPECT_EQ(mean[i], 1000.0 * static_cast<double>(i) + 499.5);
    EXPECT_EQ(most[i], 1000.0 * static_cast<double>(i) + 999);
  }
}

TEST_F(Configs, Lorenz) {
  ASSERT_EQ(kmap(2, {"run", "configs/lorenz.yaml", "--set", "params.steps=0"}).exit_code, ok);
  EXPECT_EQ(read_values(output("lorenz"), "/final"),
            read_values(path("inputs/lorenz.h5"), "/initial"));
}

// Windows of a second that begin every half. The chirp lasts from 5 to 6 s; above the mains it is
// in its last quarter, which only window 11 holds near its middle, where the taper is not small.
TEST_F(Configs, Periodogram) {
  ASSERT_EQ(kmap(3, {"run", "configs/periodogram.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> power = read_values(output("periodogram"), "/power", &shape);
  ASSERT_EQ(shape, (Shape{15, 2049}));
  const std::vector<double> frequency = read_values(output("periodogram"), "/frequency");
  ASSERT_EQ(frequency.size(), 2049u);
  std::vector<double> above_the_mains(15);  // power from 70 to 170 Hz
  for (std::size_t i = 0; i < 15; ++i) {
    const double* row = power.data() + 2049 * i;
    for (std::size_t f = 0; f < 2049; ++f) ASSERT_EQ(frequency[f], static_cast<double>(f));
    EXPECT_EQ(std::max_element(row + 50, row + 2049) - row, 60) << "the mains in window " << i;
    for (std::size_t f = 70; f <= 170; ++f) above_the_mains[i] += row[f];
  }
  const auto loudest = std::max_element(above_the_mains.begin(), above_the_mains.end());
  EXPECT_EQ(loudest - above_the_mains.begin(), 11) << "the chirp";
}

TEST_F(Configs, Center) {
  ASSERT_EQ(kmap(3, {"run", "configs/center.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> y = read_values(output("center"), "/y", &shape);
  ASSERT_EQ(shape, (Shape{10, 1000}));
  for (std::size_t i = 0; i < y.size(); ++i) {
    ASSERT_EQ(y[i], 1000 * (static_cast<double>(i / 1000) - 4.5));
  }
}

TEST_F(Configs, Standardize) {
  ASSERT_EQ(kmap(2, {"run", "configs/standardize.yaml"}).exit_code, ok);
  const std::vector<double> score = read_values(output("standardize"), "/score");
  ASSERT_EQ(score.size(), 3000u);
  for (std::size_t column = 0; column < 3; ++column) {
    double sum = 0;
    double squares = 0;
    for (std::size_t i = column; i < score.size(); i += 3) {
      sum += score[i];
      squares += score[i] * score[i];
    }
    EXPECT_NEAR(sum, 0, 1e-9);
    EXPECT_NEAR(squares, 999, 1e-9);
  }
}

// Rule 110 grows a single cell to the left, by one in each step.
TEST_F(Configs, Life) {
  ASSERT_EQ(kmap(3, {"run", "configs/life.yaml"}).exit_code, ok);
  const std::vector<double> cells = read_values(output("life"), "/final");
  ASSERT_EQ(cells.size(), 512u);
  EXPECT_EQ(std::find(cells.begin(), cells.end(), 1) - cells.begin(), 512 - 51);
}

// The plate's edges keep their 20 degrees; inside no place is hotter or colder than any was.
TEST_F(Configs, Heat) {
  ASSERT_EQ(kmap(2, {"run", "configs/heat.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> u = read_values(output("heat"), "/final", &shape);
  ASSERT_EQ(shape, (Shape{8, 8, 48}));
  for (std::size_t i = 0; i < 64; ++i) EXPECT_EQ(u[48 * i], 20);
  EXPECT_EQ(*std::min_element(u.begin(), u.end()), 20);
  EXPECT_LT(*std::max_element(u.begin(), u.end()), 100);
  EXPECT_GT(u[24 * 48 + 20], 60);
}

// Each column of b adds two columns of a(i, k) = 1 + i + k.
TEST_F(Configs, Matmul) {
  ASSERT_EQ(kmap(3, {"run", "configs/matmul.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> product = read_values(output("matmul"), "/c", &shape);
  ASSERT_EQ(shape, (Shape{8, 3}));
  for (std::size_t i = 0; i < 8; ++i) {
    for (std::size_t j = 0; j < 3; ++j) EXPECT_EQ(product[3 * i + j], 2 * (i + j) + 3);
  }
}

TEST_F(Configs, KMeans) {
  ASSERT_EQ(kmap(3, {"run", "configs/k_means.yaml"}).exit_code, ok);
  const std::vector<double> points = read_values(path("inputs/clusters.h5"), "/points");
  const std::vector<double> label = read_values(output("k_means"), "/label");
  const std::vector<double> centres = read_values(output("k_means"), "/centres");
  ASSERT_EQ(label.size(), 400u);
  ASSERT_EQ(centres.size(), 8u);
  // Every centre is the mean of the points that have its label.
  for (std::size_t j = 0; j < 4; ++j) {
    double count = 0;
    double sum[2] = {};
    for (std::size_t i = 0; i < 400; ++i) {
      if (label[i] != static_cast<double>(j)) continue;
      ++count;
      for (std::size_t t = 0; t < 2; ++t) sum[t] += points[2 * i + t];
    }
    for (std::size_t t = 0; t < 2; ++t) EXPECT_NEAR(sum[t] / count, centres[2 * j + t], 1e-12);
  }
}

// Within four standard errors of a million points.
TEST_F(Configs, MonteCarloPi) {
  ASSERT_EQ(kmap(4, {"run", "configs/monte_carlo_pi.yaml"}).exit_code, ok);
  EXPECT_EQ(read_values(output("monte_carlo_pi"), "/pi").size(), 100u);
  const std::vector<double> mean = read_values(output("monte_carlo_pi"), "/mean");
  ASSERT_EQ(mean.size(), 1u);
  EXPECT_NEAR(mean[0], 3.14159, 4 * 1.64e-3);
}

// Calls cost less the higher the strike, puts more.
TEST_F(Configs, OptionPrice) {
  ASSERT_EQ(kmap(2, {"run", "configs/option_price.yaml", "--set", "params.paths=2000"}).exit_code,
            ok);
  const std::vector<double> price = read_values(output("option_price"), "/price");
  const std::vector<double> error = read_values(output("option_price"), "/standard_error");
  ASSERT_EQ(price.size(), 24u);
  for (std::size_t i = 0; i < 24; ++i) {
    EXPECT_GT(price[i], 0);
    EXPECT_LT(error[i], 1);
  }
  EXPECT_GT(price[0], price[20]);
  EXPECT_LT(price[1], price[21]);
}

// The median of the distribution, 20.1, is between the least and the greatest of the resamples'.
TEST_F(Configs, Bootstrap) {
  ASSERT_EQ(kmap(3, {"run", "configs/bootstrap.yaml"}).exit_code, ok);
  Shape shape;
  const std::vector<double> quantiles = read_values(output("bootstrap"), "/quantiles", &shape);
  ASSERT_EQ(shape, (Shape{1000, 3}));
  double least = quantiles[1];
  double greatest = quantiles[1];
  for (std::size_t i = 0; i < 1000; ++i) {
    const double median = quantiles[3 * i + 1];
    EXPECT_LE(quantiles[3 * i], median);
    EXPECT_GE(quantiles[3 * i + 2], median);
    least = std::min(least, median);
    greatest = std::max(greatest, median);
  }
  EXPECT_LT(least, 20.1);
  EXPECT_GT(greatest, 20.1);
  EXPECT_LT(greatest - least, 20);
}

}  // namespace
}  // namespace kmap::test
