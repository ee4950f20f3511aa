#include <kmap/kernel.hpp>
#include <kmap/math.hpp>

namespace {

/// sin²x + cos²x: one, the long way.
struct HeavyTask {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T s = kmap::sin(x);
    const T c = kmap::cos(x);
    return s * s + c * c;
  }
};

KMAP_KERNEL(heavy_task, HeavyTask, "()->()", "sin(x)^2 + cos(x)^2")
    .input<"x">(kmap::real, "radians")
    .output<"y">(kmap::same_as<"x">);

}  // namespace
