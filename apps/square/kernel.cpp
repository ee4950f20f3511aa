#include <kmap/kernel.hpp>

namespace {

/// x squared, in the type of x: integers wrap around as they do in NumPy.
struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x;
  }
};

KMAP_KERNEL(square, Square, "()->()", "x squared")
    .input<"x">(kmap::number)
    .output<"y">(kmap::same_as<"x">);

}  // namespace
