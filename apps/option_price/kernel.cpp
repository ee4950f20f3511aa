#include <kmap/kernel.hpp>
#include <kmap/math.hpp>
#include <kmap/random.hpp>

#include <tuple>

namespace {

/// The values of the input `kind`.
enum Kind : std::int32_t { call, put, asian_call, asian_put };

/// The price of an option, by paths of its underlying price, whose logarithm is a Brownian motion
/// with drift (F. Black, M. Scholes, The pricing of options and corporate liabilities, 1973). The
/// payoff is on the last price of a path, of Asian options on the mean of the prices after each
/// step. Mean and variance of the payoffs by B. P. Welford's recurrences (1962).
struct OptionPrice {
  std::int64_t paths = 10'000;
  std::int64_t steps = 50;

  KOKKOS_FUNCTION std::tuple<double, double> operator()(kmap::random::Key key, double spot,
                                                        double strike, double rate,
                                                        double volatility, double maturity,
                                                        std::int32_t kind) const {
    const double dt = maturity / static_cast<double>(steps);
    const double drift = (rate - volatility * volatility / 2) * dt;
    const double spread = volatility * kmap::sqrt(dt);
    const double discount = kmap::exp(-rate * maturity);
    double mean = 0;
    double squares = 0;
    for (std::int64_t path = 0; path < paths; ++path) {
      double walk = 0;
      double price = spot;
      double sum = 0;
      for (std::int64_t step = 0; step < steps; ++step) {
        const auto place = kmap::random::at(path * steps + step);
        walk += drift + spread * kmap::random::normal<double>(key, place);
        price = spot * kmap::exp(walk);
        sum += price;
      }
      const double gain = discount * payoff(kind, price, sum / static_cast<double>(steps), strike);
      const double before = gain - mean;
      mean += before / static_cast<double>(path + 1);
      squares += before * (gain - mean);
    }
    const auto n = static_cast<double>(paths);
    return {mean, kmap::sqrt(squares / (n - 1) / n)};
  }

  /// NaN where a price is NaN or there is no such kind.
  static KOKKOS_FUNCTION double payoff(std::int32_t kind, double last, double average,
                                       double strike) {
    double gain = Kokkos::Experimental::quiet_NaN_v<double>;
    if (kind == call) gain = last - strike;
    if (kind == put) gain = strike - last;
    if (kind == asian_call) gain = average - strike;
    if (kind == asian_put) gain = strike - average;
    return gain < 0 ? 0 : gain;
  }
};

KMAP_KERNEL(option_price, OptionPrice, "(),(),(),(),(),()->(),()",
            "prices of European and Asian options by Monte Carlo paths")
    .key()
    .input<"spot">(kmap::type<double>, "price of the underlying now")
    .input<"strike">(kmap::type<double>)
    .input<"rate">(kmap::type<double>, "riskless interest per year, continuously compounded")
    .input<"volatility">(kmap::type<double>, "per square root of a year")
    .input<"maturity">(kmap::type<double>, "in years")
    .input<"kind">(kmap::type<std::int32_t>, "0 call, 1 put, 2 Asian call, 3 Asian put")
    .output<"price">(kmap::type<double>)
    .output<"standard_error">(kmap::type<double>, "of the price")
    .param("paths", &OptionPrice::paths, "1", "paths for each contract", kmap::at_least(2))
    .param("steps", &OptionPrice::steps, "1", "steps of a path", kmap::at_least(1));

}  // namespace
