#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>
#include <kmap/math.hpp>

namespace {

/// (x - mean) / standard deviation over the batch, as scipy.stats.zscore. Distances are taken from
/// the first value: where all values are equal they are then zero, not the rounding of a mean, and
/// the score is 0 / 0, NaN. It is NaN as well where ddof leaves nothing of n.
struct Standardize {
  std::int64_t ddof = 0;

  template <class C, class T>
  KOKKOS_FUNCTION T operator()(C& c, T x) const {
    const T distance = x - kmap::pbroadcast<"batch">(c, x, 0);
    const T centred = distance - kmap::pmean<"batch">(c, distance);
    const T squares = kmap::psum<"batch">(c, centred * centred);
    const std::int64_t freedom = kmap::axis_size<"batch">(c) - ddof;
    if (freedom <= 0) return Kokkos::Experimental::quiet_NaN_v<T>;
    return centred / kmap::sqrt(squares / static_cast<T>(freedom));
  }
};

KMAP_KERNEL(standardize, Standardize, "()->()", "(x - mean) / standard deviation over the batch")
    .input<"x">(kmap::real)
    .output<"score">(kmap::same_as<"x">)
    .param("ddof", &Standardize::ddof, "1",
           "the variance is the sum of squares over n - ddof: 0 of the population, 1 of a sample",
           kmap::at_least(0));

}  // namespace
