#include <kmap/kernel.hpp>
#include <kmap/pack.hpp>

namespace {

/// Integrates the Lorenz system (E. N. Lorenz, Deterministic Nonperiodic Flow, 1963) from one
/// initial state by the classical fourth-order Runge-Kutta method with a fixed step.
struct Lorenz {
  // Each step waits for the one before: several examples at once keep the processor busy meanwhile.
  static constexpr int pack_registers = 4;

  double sigma = 10.0;
  double rho = 28.0;
  double beta = 8.0 / 3.0;
  double step = 0.01;
  std::int64_t steps = 1000;

  template <class T>
  KOKKOS_FUNCTION kmap::vec<T, 3> operator()(const kmap::Example<const T, 1>& initial) const {
    const T h = static_cast<T>(step);
    auto state = kmap::load<3>(initial);
    for (std::int64_t i = 0; i < steps; ++i) {
      const auto k1 = derivative(state);
      const auto k2 = derivative(kmap::mul_add(h / 2, k1, state));
      const auto k3 = derivative(kmap::mul_add(h / 2, k2, state));
      const auto k4 = derivative(kmap::mul_add(h, k3, state));
      state = kmap::mul_add(h / 6, kmap::mul_add(T(2), k2 + k3, k1 + k4), state);
    }
    return state;
  }

  template <class T>
  KOKKOS_FUNCTION kmap::vec<T, 3> derivative(const kmap::vec<T, 3>& s) const {
    return {static_cast<T>(sigma) * (s[1] - s[0]),
            kmap::mul_add(s[0], static_cast<T>(rho) - s[2], -s[1]),
            kmap::mul_add(s[0], s[1], -(static_cast<T>(beta) * s[2]))};
  }
};

KMAP_KERNEL(lorenz, Lorenz, "(3)->(3)", "Lorenz system: initial states to final states, by RK4")
    .input<"initial">(kmap::real, "x, y, z at the start")
    .output<"final">(kmap::same_as<"initial">, "x, y, z after the last step")
    .param("sigma", &Lorenz::sigma, "1", "Prandtl number")
    .param("rho", &Lorenz::rho, "1", "Rayleigh number over its critical value")
    .param("beta", &Lorenz::beta, "1", "geometry of the convection cell")
    .param("step", &Lorenz::step, "1", "time step, in the system's own unit", kmap::at_least(0))
    .param("steps", &Lorenz::steps, "1", "number of time steps", kmap::at_least(0));

}  // namespace
