// The Lorenz system from many initial states, by the classical Runge-Kutta method.

#include "bench.hpp"

#include <kmap/pack.hpp>

namespace kmap::bench {

namespace {

// Short, so that results of other orders of rounding stay close over a thousand steps.
constexpr double step = 0.001;

struct Lorenz {
  static constexpr int pack_registers = 4;

  std::int64_t steps;

  template <class T>
  KOKKOS_FUNCTION vec<T, 3> operator()(const Example<const T, 1>& initial) const {
    const auto h = static_cast<T>(step);
    auto state = load<3>(initial);
    for (std::int64_t i = 0; i < steps; ++i) {
      const auto k1 = derivative(state);
      const auto k2 = derivative(mul_add(h / 2, k1, state));
      const auto k3 = derivative(mul_add(h / 2, k2, state));
      const auto k4 = derivative(mul_add(h, k3, state));
      state = mul_add(h / 6, mul_add(T(2), k2 + k3, k1 + k4), state);
    }
    return state;
  }

  template <class T>
  KOKKOS_FUNCTION vec<T, 3> derivative(const vec<T, 3>& s) const {
    const auto sigma = static_cast<T>(10);
    const auto rho = static_cast<T>(28);
    const auto beta = static_cast<T>(8.0 / 3.0);
    return {sigma * (s[1] - s[0]), mul_add(s[0], rho - s[2], -s[1]),
            mul_add(s[0], s[1], -(beta * s[2]))};
  }
};

/// The same function in a loop over the examples, one after the other in every thread.
template <class T>
void scalar_lorenz(const Array<T, 2>& x, const Array<T, 2>& y, std::int64_t steps) {
  const Lorenz lorenz{steps};
  const auto n = static_cast<std::int64_t>(x.extent(0));
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < n; ++i) {
    const auto state = lorenz(
        Example<const T, 1>(x.data() + 3 * i, detail::Extents<1>{{3}}, detail::Extents<1>{{1}}));
    for (int c = 0; c < 3; ++c) y(i, c) = state[c];
  }
}

}  // namespace

template <class T>
Variants lorenz(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const std::int64_t steps = setting.size(1);
  const auto x = make_input<T, 2>({n, 3}, 10);
  const auto y = make_array<T, 2>({n, 3});
  Variants v;
  v.given("kmap", [=] { vmap(Lorenz{steps}).into(y)(x); }, y);
  v.fresh("kmap_fresh", [=] { return vmap(Lorenz{steps})(x); });
  v.given("scalar", [=] { scalar_lorenz<T>(x, y, steps); }, y);
  return v;
}

template Variants lorenz<float>(const Setting&);
template Variants lorenz<double>(const Setting&);

}  // namespace kmap::bench
