#include <kmap/kernel.hpp>

#include <power.hpp>

/// x cubed.
struct Cube {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return third_power(x);
  }
};

KMAP_KERNEL(cube, Cube, "()->()", "x cubed")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);
