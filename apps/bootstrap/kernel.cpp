#include <kmap/kernel.hpp>
#include <kmap/math.hpp>
#include <kmap/random.hpp>

#include <Kokkos_NestedSort.hpp>

namespace {

/// Order of numbers, NaN last.
struct Less {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T a, T b) const {
    return a < b || (kmap::isnan(b) && !kmap::isnan(a));
  }
};

/// Mean and quantiles of a resample of x: of as many values, drawn from x with replacement
/// (B. Efron, Bootstrap methods: another look at the jackknife, 1979). Each team keeps its resample
/// in scratch memory and sorts it there.
struct Bootstrap {
  using map_kind = kmap::per_team;
  template <class T>
  using Resample = Kokkos::View<T*, Kokkos::DefaultExecutionSpace::scratch_memory_space,
                                Kokkos::MemoryUnmanaged>;

  template <class T>
  std::size_t scratch_bytes(kmap::random::Key, const kmap::Example<const T, 1>& x,
                            const kmap::Example<const double, 1>&) const {
    return Resample<T>::shmem_size(static_cast<std::size_t>(x.extent(0)));
  }

  template <class Team, class T>
  KOKKOS_FUNCTION void operator()(const Team& team, kmap::random::Key key,
                                  const kmap::Example<const T, 1>& x,
                                  const kmap::Example<const double, 1>& probabilities,
                                  const kmap::out<T, 0>& mean,
                                  const kmap::out<T, 1>& quantiles) const {
    const std::int64_t n = x.extent(0);
    const Resample<T> resample(team.team_scratch(1), n);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](std::int64_t i) {
      resample(i) = x(kmap::random::randint<std::int64_t>(key, kmap::random::at(i), 0, n));
    });
    team.team_barrier();
    Kokkos::Experimental::sort_team(team, resample, Less{});

    Kokkos::single(Kokkos::PerTeam(team), [&] {
      double sum = 0;
      for (std::int64_t i = 0; i < n; ++i) sum += static_cast<double>(resample(i));
      mean() = static_cast<T>(sum / static_cast<double>(n));
    });
    Kokkos::parallel_for(
        Kokkos::TeamThreadRange(team, probabilities.extent(0)),
        [&](std::int64_t q) { quantiles(q) = quantile(resample, probabilities(q)); });
  }

  /// Between the two values around place (n - 1) p, as NumPy's default; NaN if there is one, or if
  /// p is no probability.
  template <class T>
  static KOKKOS_FUNCTION T quantile(const Resample<T>& sorted, double p) {
    const auto last = static_cast<std::int64_t>(sorted.extent(0)) - 1;
    if (kmap::isnan(sorted(last)) || !(p >= 0 && p <= 1)) {
      return Kokkos::Experimental::quiet_NaN_v<T>;
    }
    const double place = static_cast<double>(last) * p;
    const auto below = static_cast<std::int64_t>(place);
    const double part = place - static_cast<double>(below);
    const auto low = static_cast<double>(sorted(below));
    const auto high = static_cast<double>(sorted(below < last ? below + 1 : last));
    return static_cast<T>(part == 0 ? low : low + part * (high - low));
  }
};

KMAP_KERNEL(bootstrap, Bootstrap, "(n),(q)->(),(q)",
            "means and quantiles of resamples of a dataset")
    .key()
    .input<"x">(kmap::real, "the dataset, whole for each replicate")
    .input<"probabilities">(kmap::type<double>, "of the quantiles, whole for each replicate")
    .output<"mean">(kmap::same_as<"x">)
    .output<"quantiles">(kmap::same_as<"x">);

}  // namespace
