// Functions whose loops over examples are not vectorised, each for a reason of its own. What the
// report is to say of one stands in the line that it is to name.

#include <kmap/kernel.hpp>

#include <cmath>
#include <stdexcept>

double elsewhere(double x);

namespace {

struct Loops {
  KOKKOS_FUNCTION double operator()(double x) const {
    double y = x;
    while (y > 1) y /= 2;  // Loops: there is a loop in the function
    return y;
  }
};
KMAP_KERNEL(loops, Loops, "()->()", "halves x until it is at most 1")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

struct Sums {
  KOKKOS_FUNCTION double operator()(const kmap::Example<const double, 1>& x) const {
    double sum = 0;
    const std::int64_t n = x.extent(0);
    for (std::int64_t i = 0; i < n; ++i) sum += x(i);  // Sums: there is a loop in the function
    return sum;
  }
};
KMAP_KERNEL(sums, Sums, "(t)->()", "sum of x")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

struct Calls {
  KOKKOS_FUNCTION double operator()(double x) const {
    return elsewhere(x) + 1;  // Calls: it calls elsewhere, which is not inlined
  }
};
KMAP_KERNEL(calls, Calls, "()->()", "calls a function of another file")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

struct Powers {
  KOKKOS_FUNCTION double operator()(double x) const {
    return std::pow(x, 0.3);  // Powers: it calls pow, which has no form for vectors
  }
};
KMAP_KERNEL(powers, Powers, "()->()", "x to the power of 0.3")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

struct Throws {
  KOKKOS_FUNCTION double operator()(double x) const {
    if (x < 0) throw std::domain_error("x is negative");  // Throws: it throws an exception
    return x + 1;
  }
};
KMAP_KERNEL(throws, Throws, "()->()", "x + 1, for no negative x")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

struct Chooses {
  KOKKOS_FUNCTION double operator()(double x) const { return x < 0 ? 0 : x; }
};
KMAP_KERNEL(chooses, Chooses, "()->()", "x, or 0 if it is negative")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">);

}  // namespace
