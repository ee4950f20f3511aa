// Mistakes that are found when a program is compiled. Each of them is an error of its own;
// test_misuse.cmake looks for all of their messages.

#include <kmap/map.hpp>
#include <kmap/vmap.hpp>

#include <tuple>

namespace {

template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};

struct Any {
  template <class... X>
  KOKKOS_FUNCTION double operator()(const X&...) const {
    return 0;
  }
};
struct Both {
  template <class X>
  KOKKOS_FUNCTION std::tuple<double, double> operator()(const X&) const {
    return {0, 0};
  }
};

using Vector = Kokkos::View<double*, Kokkos::HostSpace>;

[[maybe_unused]] void misuse(const Vector& x) {
  using kmap::fixed;
  using kmap::in_axes;
  using kmap::out_axes;
  using kmap::vmap;
  const Particle p{x, x};
  vmap(Any{}, in_axes(0, 0, 0))(x, x);
  vmap(Any{}, in_axes(0, 0, 0, 0))(p, x);
  vmap(Any{}, in_axes(Particle{0, 0}))(p, x);
  vmap(Any{}, in_axes(0, std::tuple(0, 0)))(x, p);
  vmap(Any{}, in_axes(0, Particle{0, std::tuple(0, 0)}, 0))(x, p, x);
  vmap(Any{}, in_axes(0, 0))(x, fixed(2));
  vmap(Any{}, in_axes(0, 0))(x, 2.0);
  vmap(Both{}, out_axes(0, 0, 0))(x);
  vmap(Both{}, out_axes(Particle{0, 0}))(x);
  kmap::map(Any{}, std::tuple{x, 2.0});
  kmap::donate(x);
}

}  // namespace
