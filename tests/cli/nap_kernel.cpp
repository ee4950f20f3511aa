// A kernel that takes its time, the same on every machine, for the tests. A plug-in.

#include <kmap/kernel.hpp>

#include <chrono>
#include <thread>

namespace {

/// y = x, after some milliseconds per block.
struct Nap {
  using map_kind = kmap::per_block;
  std::int64_t milliseconds = 0;

  template <class Exec, class X, class Y>
  void operator()(const Exec& exec, const X& x, const Y& y) const {
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
    Kokkos::deep_copy(exec, y, x);
  }
};

KMAP_KERNEL(nap, Nap, "()->()", "x, late")
    .input<"x">(kmap::type<double>)
    .output<"y">(kmap::type<double>)
    .param("milliseconds", &Nap::milliseconds, "ms", "of sleep per block");

}  // namespace
