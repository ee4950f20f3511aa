// A kernel that breaks in a certain way on one rank, for the tests. A plug-in.

#include <kmap/kernel.hpp>

#include <stdexcept>
#include <string>

namespace {

/// y = x, but throws in the block that has row `at`.
struct Broken {
  using map_kind = kmap::per_block;
  double at = -1;  // the value that breaks it
  bool unknown = false;

  template <class Exec, class X, class Y>
  void operator()(const Exec& /*exec*/, const X& x, const Y& y) const {
    for (std::size_t i = 0; i < x.extent(0); ++i) {
      if (x(i) == at) fail();
      y(i) = x(i);
    }
  }

  [[noreturn]] void fail() const {
    if (unknown) throw 42;
    throw std::runtime_error("the kernel broke at " + std::to_string(at));
  }
};

KMAP_KERNEL(broken, Broken, "()->()", "for the tests")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>)
    .param("at", &Broken::at, "1", "the value that breaks it")
    .param("unknown", &Broken::unknown, "1", "whether it throws what is no exception");

}  // namespace
