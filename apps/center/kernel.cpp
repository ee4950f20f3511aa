#include <kmap/collectives.hpp>
#include <kmap/kernel.hpp>

namespace {

/// Each value less the mean of the batch.
struct Center {
  template <class C, class T>
  KOKKOS_FUNCTION T operator()(C& c, T x) const {
    return x - kmap::pmean<"batch">(c, x);
  }
};

KMAP_KERNEL(center, Center, "()->()", "x less its mean over the batch")
    .input<"x">(kmap::real)
    .output<"y">(kmap::same_as<"x">);

}  // namespace
