// monte_carlo_pi, option_price and bootstrap against NumPy with JAX's random numbers of the same
// keys, see tests/apps/make_random_goldens.py, and against closed forms.

#include "apps/goldens_test.hpp"
#include "jobs/job.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

namespace kmap::test {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

// ---- monte_carlo_pi

struct PiCase {
  std::string seed;
  std::int64_t replicates;
  std::int64_t samples;
};

void PrintTo(const PiCase& pi, std::ostream* stream) { *stream << "seed " << pi.seed; }

Job monte_carlo_pi(const PiCase& pi) {
  return Job("monte_carlo_pi", {}, "{samples: " + std::to_string(pi.samples) + "}", {"mean"},
             "map: {axis_size: " + std::to_string(pi.replicates) + "}\nseed: " + pi.seed);
}

Array pi_golden(const PiCase& pi, const std::string& name) {
  return read_array(golden_file("monte_carlo_pi"), "/" + pi.seed + "/" +
                                                       std::to_string(pi.replicates) + "/" +
                                                       std::to_string(pi.samples) + "/" + name);
}

class MonteCarloPi : public ::testing::TestWithParam<PiCase> {};

TEST_P(MonteCarloPi, CountsThePointsThatJaxDraws) {
  const PiCase& pi = GetParam();
  Job job = monte_carlo_pi(pi);
  job.keep_for_collectives(100'000);
  for (const Way& way : some_ways(2)) job.expect_same(way);
  expect_close(job.read("/pi"), pi_golden(pi, "pi"), 0);
  expect_close(job.read("/mean"), pi_golden(pi, "mean"), 8);
  const auto n = static_cast<double>(pi.replicates * pi.samples);
  if (n < 100) return;
  const double error = std::sqrt(std::numbers::pi * (4 - std::numbers::pi) / n);
  EXPECT_NEAR(values<double>(job.read("/mean"))[0], std::numbers::pi, 4 * error);
}

INSTANTIATE_TEST_SUITE_P(Cases, MonteCarloPi,
                         ::testing::Values(PiCase{"0", 13, 1000}, PiCase{"42", 1, 257},
                                           PiCase{"42", 1100, 40}, PiCase{"1099511627779", 5, 1}),
                         [](const auto& test) {
                           return "seed_" + test.param.seed + "_" +
                                  std::to_string(test.param.replicates);
                         });

TEST(MonteCarloPiBits, AreTheSameHoweverItIsRun) {
  Job job = monte_carlo_pi({"7", 11, 20});
  job.keep_for_collectives(10'000);
  for (const Way& way : all_pairs(3)) job.expect_same(way);
}

// ---- option_price

Array contract(const std::string& name) {
  return read_array(golden_file("option_price"), "/contracts/" + name);
}
Array option_golden(const std::string& name) {
  return read_array(golden_file("option_price"), "/" + name);
}

std::vector<JobInput> contracts() {
  std::vector<JobInput> inputs;
  for (const std::string name : {"spot", "strike", "rate", "volatility", "maturity", "kind"}) {
    inputs.push_back({name, contract(name), "", false});
  }
  return inputs;
}

// One contract in which some things are different.
std::vector<JobInput> contract_with(double spot, double volatility, double maturity,
                                    std::int32_t kind) {
  return {{"spot", array_of<double>("f8", {1}, {spot}), "", false},
          {"strike", array_of<double>("f8", {1}, {90}), "", false},
          {"rate", array_of<double>("f8", {1}, {0.05}), "", false},
          {"volatility", array_of<double>("f8", {1}, {volatility}), "", false},
          {"maturity", array_of<double>("f8", {1}, {maturity}), "", false},
          {"kind", array_of<std::int32_t>("i4", {1}, {kind}), "", false}};
}

void expect_within(const Array& found, const Array& wanted, double relative) {
  ASSERT_EQ(found.shape, wanted.shape);
  const auto a = values<double>(found);
  const auto b = values<double>(wanted);
  for (std::size_t i = 0; i < b.size(); ++i) EXPECT_NEAR(a[i], b[i], relative * b[i]) << i;
}

// European and Asian, calls and puts.
TEST(OptionPrice, IsThatOfNumPyWithTheNormalsOfJax) {
  Job job("option_price", contracts(), "{paths: 3000, steps: 12}", {}, "seed: 5");
  for (const Way& way : some_ways(7)) job.expect_same(way);
  expect_within(job.read("/price"), option_golden("price"), 1e-12);
  expect_within(job.read("/standard_error"), option_golden("standard_error"), 1e-12);
}

TEST(OptionPrice, OfEuropeansIsBlackScholesWithinItsError) {
  const auto kind = values<std::int32_t>(contract("kind"));
  const auto exact = values<double>(option_golden("black_scholes"));
  for (const std::string seed : {"1", "2"}) {
    Job job("option_price", contracts(), "{paths: 20000, steps: 1}", {}, "seed: " + seed);
    job.expect_same({2, 1, 0, false, Layout::plain});
    const auto price = values<double>(job.read("/price"));
    const auto error = values<double>(job.read("/standard_error"));
    for (std::size_t i = 0; i < kind.size(); ++i) {
      if (kind[i] < 2) {
        EXPECT_NEAR(price[i], exact[i], 4 * error[i]) << i;
      }
    }
  }
}

TEST(OptionPrice, HasTheSameBitsHoweverItIsRun) {
  Job job("option_price", contracts(), "{paths: 20, steps: 3}");
  for (const Way& way : some_ways(13)) job.expect_same(way);
}

// Without volatility every path is the same; at maturity there is none.
TEST(OptionPrice, OfWhatIsCertainHasNoError) {
  struct Case {
    std::vector<JobInput> inputs;
    double price;
  };
  const double grown = 100 * std::exp(0.05 * 2);
  for (const Case& certain :
       {Case{contract_with(100, 0, 2, 0), std::exp(-0.05 * 2) * (grown - 90)},
        Case{contract_with(100, 0, 2, 1), 0}, Case{contract_with(100, 0.3, 0, 2), 10},
        Case{contract_with(70, 0.3, 0, 3), 20}}) {
    Job job("option_price", certain.inputs, "{paths: 5, steps: 4}");
    job.expect_same({2, 1, 0, false, Layout::plain});
    EXPECT_NEAR(values<double>(job.read("/price"))[0], certain.price, 1e-12);
    EXPECT_NEAR(values<double>(job.read("/standard_error"))[0], 0, 1e-13);
  }
}

TEST(OptionPrice, OfNonsenseIsNaN) {
  for (const auto& inputs : {contract_with(nan, 0.2, 1, 0), contract_with(100, 0.2, -1, 2),
                             contract_with(100, 0.2, 1, 4), contract_with(100, 0.2, 1, -1)}) {
    Job job("option_price", inputs, "{paths: 5, steps: 4}");
    job.expect_same({3, 1, 0, false, Layout::plain});
    EXPECT_TRUE(std::isnan(values<double>(job.read("/price"))[0]));
    EXPECT_TRUE(std::isnan(values<double>(job.read("/standard_error"))[0]));
  }
}

TEST(OptionPrice, OfNoContractsIsNone) {
  std::vector<JobInput> inputs;
  for (const JobInput& input : contracts()) {
    inputs.push_back({input.name, {input.array.type, {0}, {}}, "", false});
  }
  Job job("option_price", inputs);
  job.expect_same({2, 1, 0, false, Layout::plain});
  EXPECT_EQ(job.read("/price").shape, (std::vector<std::int64_t>{0}));
}

// ---- bootstrap

Job bootstrap(const Array& x, const Array& probabilities, std::int64_t replicates,
              const std::string& seed) {
  return Job(
      "bootstrap",
      {{"x", x, "in_axis: null", true}, {"probabilities", probabilities, "in_axis: null", true}},
      "{}", {}, "map: {axis_size: " + std::to_string(replicates) + "}\nseed: " + seed);
}

Array bootstrap_golden(const std::string& path) {
  return read_array(golden_file("bootstrap"), path);
}

class Bootstrap : public ::testing::TestWithParam<const char*> {};

// A dataset of all kinds: one value, equal ones, with NaN. The sum is of the sorted resample, that
// of NumPy in pairs.
TEST_P(Bootstrap, ResamplesByTheIndicesOfJax) {
  for (const std::string name : {"some", "many", "one", "equal", "nan"}) {
    SCOPED_TRACE(name);
    const std::string at = std::string("/") + GetParam() + "/" + name;
    Job job = bootstrap(bootstrap_golden(at + "/x"), bootstrap_golden("/probabilities"), 21, "8");
    for (const Way& way : some_ways(4)) job.expect_same(way);
    expect_close(job.read("/mean"), bootstrap_golden(at + "/mean"), name == "many" ? 64 : 8);
    expect_close(job.read("/quantiles"), bootstrap_golden(at + "/quantiles"), 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Types, Bootstrap, ::testing::Values("f4", "f8"),
                         [](const auto& test) { return std::string(test.param); });

TEST(BootstrapBits, AreTheSameHoweverItIsRun) {
  Job job = bootstrap(bootstrap_golden("/f8/some/x"), bootstrap_golden("/probabilities"), 11, "3");
  for (const Way& way : some_ways(3)) job.expect_same(way);
}

TEST(BootstrapQuantiles, OfNoProbabilityAreNaN) {
  Job job = bootstrap(array_of<double>("f8", {2}, {1, 1}),
                      array_of<double>("f8", {4}, {-0.1, 0.5, 1.1, nan}), 3, "0");
  job.expect_same({4, 1, 0, false, Layout::plain});
  const auto quantiles = values<double>(job.read("/quantiles"));
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_TRUE(std::isnan(quantiles[4 * i]));
    EXPECT_EQ(quantiles[4 * i + 1], 1);
    EXPECT_TRUE(std::isnan(quantiles[4 * i + 2]));
    EXPECT_TRUE(std::isnan(quantiles[4 * i + 3]));
  }
}

}  // namespace
}  // namespace kmap::test
