// Kernels for the tables of broken jobs, with parameters and inputs that those in apps/ do not
// have. A plug-in: the kmap command of users has none of them.

#include <kmap/kernel.hpp>

namespace {

/// A parameter of every type.
struct Settings {
  bool flag = false;
  std::uint8_t small = 1;
  std::uint32_t count = 1;
  std::int32_t offset = 0;
  std::int64_t large = 0;
  float gain = 1;
  double level = 0.5;
  int mode = 0;

  KOKKOS_FUNCTION double operator()(double x) const { return flag ? x * gain : x + level; }
};

KMAP_KERNEL(settings, Settings, "()->()", "x, changed a little")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::same_as<"x">)
    .param("flag", &Settings::flag, "", "a boolean")
    .param("small", &Settings::small, "1", "of 8 bits, unsigned")
    .param("count", &Settings::count, "1", "of 32 bits, unsigned")
    .param("offset", &Settings::offset, "1", "of 32 bits")
    .param("large", &Settings::large, "1", "of 64 bits")
    .param("gain", &Settings::gain, "1", "of single precision")
    .param("level", &Settings::level, "1", "from 0 to 1", kmap::between(0, 1))
    .param("mode", &Settings::mode, kmap::choices("plain", "fast", "on"), "by name");

/// Σ x w: two inputs that share a dimension, and their type.
struct Dot {
  template <class T>
  KOKKOS_FUNCTION void operator()(const kmap::Example<const T, 1>& x,
                                  const kmap::Example<const T, 1>& w,
                                  const kmap::out<T, 0>& y) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) sum += x(i) * w(i);
    y() = sum;
  }
};

KMAP_KERNEL(dot, Dot, "(t),(t)->()", "sum of x w")
    .input<"x">(kmap::real)
    .input<"w">(kmap::same_as<"x">)
    .output<"y">(kmap::same_as<"x">);

}  // namespace
