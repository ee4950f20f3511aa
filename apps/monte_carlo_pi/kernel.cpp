#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>
#include <kmap/random.hpp>

#include <tuple>

namespace {

/// Four times the part of random points of the unit square that lie in the quarter of a circle.
struct MonteCarloPi {
  std::int64_t samples = 10'000;

  template <class C>
  KOKKOS_FUNCTION std::tuple<double, double> operator()(C& c, kmap::random::Key key) const {
    std::int64_t inside = 0;
    for (std::int64_t i = 0; i < samples; ++i) {
      const double x = kmap::random::uniform<double>(key, kmap::random::at(2 * i));
      const double y = kmap::random::uniform<double>(key, kmap::random::at(2 * i + 1));
      if (x * x + y * y < 1) ++inside;
    }
    const double pi = 4 * static_cast<double>(inside) / static_cast<double>(samples);
    return {pi, kmap::pmean<"batch">(c, pi)};
  }
};

KMAP_KERNEL(monte_carlo_pi, MonteCarloPi, "->(),()", "pi by random points, once for each example")
    .key()
    .output<"pi">(kmap::type<double>)
    .output<"mean">(kmap::type<double>, kmap::same_for_all, "of all examples")
    .param("samples", &MonteCarloPi::samples, "1", "points for each example", kmap::at_least(1));

}  // namespace
