// Kernels of your own: functions of one example that `kmap run` maps over arrays in files.
// 07_jobs.yaml, 07_pairs.yaml and 07_share.yaml run them.

#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>
#include <kmap/math.hpp>

#include <tuple>

namespace {

/// How far and how high a throw goes, without air: v² sin(2a) / g and v² sin²(a) / 2g.
struct Throw {
  double gravity = 9.81;

  template <class T>
  KOKKOS_FUNCTION std::tuple<T, T> operator()(T speed, T angle) const {
    const T radians = angle * static_cast<T>(3.14159265358979323846 / 180);
    const T along = speed * kmap::cos(radians);
    const T up = speed * kmap::sin(radians);
    const T g = static_cast<T>(gravity);
    return {2 * along * up / g, up * up / (2 * g)};
  }
};

KMAP_KERNEL(tutorial_throw, Throw, "(),()->(),()", "range and height of a throw, without air")
    .input<"speed">(kmap::real, "m/s, at the start")
    .input<"angle">(kmap::same_as<"speed">, "degrees above the ground")
    .output<"range">(kmap::same_as<"speed">, "m")
    .output<"height">(kmap::same_as<"speed">, "m")
    .param("gravity", &Throw::gravity, "m/s^2", "acceleration of a fall", kmap::above(0));

/// x over the sum of all, and that sum.
struct Share {
  template <class C, class T>
  KOKKOS_FUNCTION std::tuple<T, T> operator()(C& c, T x) const {
    const T total = kmap::psum<"batch">(c, x);
    return {x / total, total};
  }
};

KMAP_KERNEL(tutorial_share, Share, "()->(),()", "x over the sum of the batch, and that sum")
    .input<"x">(kmap::real)
    .output<"share">(kmap::same_as<"x">)
    .output<"total">(kmap::same_as<"x">, kmap::same_for_all);

}  // namespace
