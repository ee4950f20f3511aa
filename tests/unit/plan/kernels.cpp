#include "unit/plan/kernels.hpp"

#include "kmap/kernel.hpp"

namespace kmap::test {
namespace {

using detail::declare_kernel;

struct Scale {
  double factor = 2;
  std::int32_t count = 3;
  std::uint8_t level = 1;
  bool flip = false;
  int mode = 0;
  KOKKOS_FUNCTION double operator()(double x) const { return factor * x; }
};

struct Add {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T y) const {
    return x + y;
  }
};

struct Apply {
  KOKKOS_FUNCTION double operator()(double x, const Example<const double, 2>& matrix) const {
    return x * matrix(0, 0);
  }
};

struct Dot {
  KOKKOS_FUNCTION double operator()(const Example<const double, 1>& x,
                                    const Example<const double, 1>& y) const {
    return x(0) * y(0);
  }
};

struct Norm {
  KOKKOS_FUNCTION double operator()(const Example<const double, 1>& x) const { return x(0); }
};

struct Turn {
  KOKKOS_FUNCTION vec<double, 3> operator()(const Example<const double, 1>& x) const {
    return load<3>(x);
  }
};

struct Spectrum {
  std::int64_t pad = 0;
  KOKKOS_FUNCTION void operator()(const Example<const double, 1>& x, const out<float, 1>& power,
                                  const out<double, 1>& frequency) const {
    for (std::int64_t i = 0; i < power.extent(0); ++i) power(i) = static_cast<float>(x(0));
    for (std::int64_t i = 0; i < frequency.extent(0); ++i) frequency(i) = x(0);
  }
};

struct Graded {
  double rate = 4;
  KOKKOS_FUNCTION void operator()(const Example<const double, 1>& x, const out<double, 1>& power,
                                  const out<double, 1>& smooth) const {
    for (std::int64_t i = 0; i < power.extent(0); ++i) power(i) = x(0);
    for (std::int64_t i = 0; i < smooth.extent(0); ++i) smooth(i) = x(i);
  }
};

// A declaration with one coordinate more than it should have.
void register_graded(const std::string& name, const std::string& coordinate,
                     const std::string& dim) {
  const auto half = [](const DimSizes& sizes, const Graded&) { return sizes.at("t") / 2; };
  const auto zero = [](std::int64_t, const DimSizes&, const Graded&) { return 0.0; };
  const auto frequency = [](std::int64_t i, const DimSizes& sizes, const Graded& f) {
    return static_cast<double>(i) * f.rate / static_cast<double>(sizes.at("t"));
  };
  register_kernel(declare_kernel<Graded, "(t)->(f),(t)">(name, "with coordinates")
                      .input<"x">(type<double>)
                      .output<"power">(type<double>)
                      .output<"smooth">(type<double>)
                      .param("rate", &Graded::rate, "Hz", "samples per second", above(0))
                      .dim("f", half)
                      .coordinate("frequency", "f", "Hz", "of each bin", frequency)
                      .coordinate(coordinate, dim, "", "", zero)
                      .finish());
}

struct Forgetful {
  KOKKOS_FUNCTION void operator()(const Example<const double, 1>& x,
                                  const out<double, 1>& y) const {
    y(0) = x(0);
  }
};

struct Project {
  template <class T, class U>
  KOKKOS_FUNCTION T operator()(T x, T /*y*/, U /*weight*/) const {
    return x;
  }
};

bool register_all() {
  register_kernel(
      declare_kernel<Scale, "()->()">("scale", "factor times x")
          .input<"x">(type<double>)
          .output<"y">(type<double>)
          .param("factor", &Scale::factor, "m", "what x is multiplied by", between(-10, 10))
          .param("count", &Scale::count, "1", "how often")
          .param("level", &Scale::level, "1", "how much", at_least(1))
          .param("flip", &Scale::flip, "1", "the other way round")
          .param("mode", &Scale::mode, choices("plain", "mirror"), "which way")
          .finish());
  register_kernel(declare_kernel<Add, "(),()->()">("add", "x + y")
                      .input<"x">(number)
                      .input<"y">(same_as<"x">)
                      .output<"sum">(same_as<"x">)
                      .finish());
  register_kernel(declare_kernel<Apply, "(),(n,m)->()">("apply", "a matrix to each")
                      .input<"x">(type<double>)
                      .input<"matrix">(type<double>)
                      .output<"y">(type<double>)
                      .finish());
  register_kernel(declare_kernel<Dot, "(t),(t)->()">("dot", "sum of products")
                      .input<"x">(type<double>)
                      .input<"y">(type<double>)
                      .output<"z">(type<double>)
                      .finish());
  register_kernel(declare_kernel<Norm, "(...)->()">("norm", "of any shape")
                      .input<"x">(type<double>)
                      .output<"y">(type<double>)
                      .finish());
  register_kernel(declare_kernel<Turn, "(3)->(3)">("turn", "of three")
                      .input<"x">(type<double>)
                      .output<"y">(type<double>)
                      .finish());
  register_kernel(declare_kernel<Spectrum, "(t)->(f),(t)">("spectrum", "two outputs")
                      .input<"x">(type<double>)
                      .output<"power">(type<float>)
                      .output<"frequency">(type<double>)
                      .param("pad", &Spectrum::pad, "1", "zeros at the end")
                      .dim("f", [](const DimSizes& sizes,
                                   const Spectrum& f) { return (sizes.at("t") + f.pad) / 2 + 1; })
                      .finish());
  register_graded("graded", "zero", "t");
  register_graded("graded_along_nothing", "zero", "z");
  register_graded("graded_as_output", "smooth", "t");
  register_graded("graded_twice", "frequency", "t");
  register_kernel(declare_kernel<Forgetful, "(t)->(f)">("forgetful", "says no size of f")
                      .input<"x">(type<double>)
                      .output<"y">(type<double>)
                      .finish());
  register_kernel(declare_kernel<Project, "(),(),()->()">("project", "two groups of types")
                      .input<"x">(real)
                      .input<"y">(same_as<"x">)
                      .input<"weight">(Types<std::int32_t, double>{})
                      .output<"z">(same_as<"x">)
                      .finish());
  return true;
}

[[maybe_unused]] const bool registered = register_all();

}  // namespace
}  // namespace kmap::test
