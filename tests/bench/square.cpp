// x * x for a vector.

#include "bench.hpp"
#include "functions.hpp"
#include "loops.hpp"

namespace kmap::bench {

namespace {

template <class T>
struct SquareTo {
  Array<const T, 1> x;
  Array<T, 1> y;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { y(i) = x(i) * x(i); }
};

template <class T>
void kokkos_loop(const Array<T, 1>& x, const Array<T, 1>& y) {
  using Policy =
      Kokkos::RangePolicy<Kokkos::DefaultHostExecutionSpace, Kokkos::Schedule<Kokkos::Static>,
                          Kokkos::IndexType<std::int64_t>>;
  Kokkos::parallel_for("square", Policy(0, static_cast<std::int64_t>(x.size())), SquareTo<T>{x, y});
}

}  // namespace

template <class T>
Variants square(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto x = make_input<T, 1>({n}, 100);
  const auto y = make_array<T, 1>({n});
  const auto kmap_fresh = [=] { return vmap(Square{})(x); };
  Variants v;
  v.given("kmap", [=] { vmap(Square{}).into(y)(x); }, y);
  v.fresh("kmap_fresh", kmap_fresh);
  v.reused("kmap_reused", kmap_fresh);
  v.kept("kmap_kept", kmap_fresh);
  v.given("raw", [=] { simd_loop(x.data(), y.data(), n, Square{}); }, y);
  if (has_streaming_stores) {
    v.given("streaming", [=] { streaming_square_loop(x.data(), y.data(), n); }, y);
  } else {
    v.absent("streaming", "written for AVX-512 only");
  }
  v.given("kokkos", [=] { kokkos_loop<T>(x, y); }, y);
  v.fresh("default_view", [=] {
    const Array<T, 1> filled("filled", static_cast<std::size_t>(n));
    kokkos_loop<T>(x, filled);
    return filled;
  });
  // One element after the other: the loop that vmap replaces.
  v.given(
      "sequential",
      [=] {
        for (std::int64_t i = 0; i < n; ++i) y(i) = x(i) * x(i);
      },
      y);
  return v;
}

template Variants square<float>(const Setting&);
template Variants square<double>(const Setting&);

}  // namespace kmap::bench
