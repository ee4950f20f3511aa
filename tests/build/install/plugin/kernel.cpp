#include <kmap/kernel.hpp>

/// x cubed.
struct Cube {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x * x;
  }
};

KMAP_KERNEL(cube, Cube, "()->()", "x cubed")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);
