// Nested maps: each vmap maps one more axis, the outer one first.

#include <kmap/kmap.hpp>

#include <cstdio>
#include <tuple>

struct Dot {
  template <class T>
  KOKKOS_FUNCTION T operator()(const kmap::Example<const T, 1>& x,
                               const kmap::Example<const T, 1>& y) const {
    T sum = 0;
    for (int i = 0; i < x.extent(0); ++i) sum += x(i) * y(i);
    return sum;
  }
};

/// x minus the mean of its row, and minus that of all.
struct Center {
  template <class C>
  KOKKOS_FUNCTION std::tuple<double, double> operator()(C& c, double x) const {
    return {x - kmap::pmean<"column">(c, x), x - kmap::pmean<"row", "column">(c, x)};
  }
};

/// A structure: what JAX calls a pytree. Member i has the type of template parameter i.
template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};

struct Moment {
  template <class P>
  KOKKOS_FUNCTION double operator()(const P& particle, double g) const {
    return particle.mass * g * particle.position(0);
  }
};

template <class View>
void print(const char* what, const View& x) {
  std::printf("%-16s", what);
  for (std::size_t i = 0; i < x.extent(0); ++i) {
    if constexpr (View::rank() == 1) {
      std::printf(" %g", x(i));
    } else {
      for (std::size_t j = 0; j < x.extent(1); ++j) std::printf(" %g", x(i, j));
      std::printf(i + 1 < x.extent(0) ? " |" : "");
    }
  }
  std::printf("\n");
}

int main(int argc, char** argv) {
  using namespace kmap;
  const Runtime runtime(argc, argv);
  using Matrix = Kokkos::View<double**, Kokkos::HostSpace>;
  Matrix a("a", 4, 3);  // 0 … 11
  for (int i = 0; i < 12; ++i) a(i / 3, i % 3) = i;
  Matrix b("b", 3, 2);  // 0 … 5
  for (int i = 0; i < 6; ++i) b(i / 2, i % 2) = i;
  Kokkos::View<double***, Kokkos::HostSpace> matrices("matrices", 2, 2, 3);  // 0 … 11
  for (int i = 0; i < 12; ++i) matrices(i / 6, i / 3 % 2, i % 3) = i;
  Matrix vectors("vectors", 2, 3);  // 1 1 1 | 2 2 2
  for (int i = 0; i < 6; ++i) vectors(i / 3, i % 3) = i / 3 + 1;

  // mv = vmap(dot, in_axes=(0, None)):  every row of a matrix, one vector
  const auto mv = vmap(Dot{}, in_axes(0, none));
  // mm = vmap(mv, in_axes=(None, 1), out_axes=1):  the whole matrix, every column of another
  const auto mm = vmap(mv, in_axes(none, 1), out_axes(1));
  // mm(a, b)
  print("matrix product", mm(a, b));
  // vmap(mv)(matrices, vectors):  many products of a matrix and its vector
  print("batched a x", vmap(mv)(matrices, vectors));

  // vmap(vmap(center, axis_name="column"), axis_name="row")(b):  center sees one number
  const auto [rows, all] = vmap(vmap(Center{}, axis_name<"column">), axis_name<"row">)(b);
  print("- mean of row", rows);
  print("- mean of all", all);

  // vmap(moment, in_axes=(Particle(0, None), None))(Particle(a, 2.0), 10.0)
  const Particle particles{a, 2.0};  // four positions, one mass
  print("moments", vmap(Moment{}, in_axes(Particle{0, none}, none))(particles, 10.0));
  // vmap(vmap(moment, in_axes=(None, 0)), in_axes=(Particle(0, None), None))(particles, g)
  Kokkos::View<double*, Kokkos::HostSpace> g("g", 2);  // two accelerations for each of them
  g(0) = 10, g(1) = 1.6;
  print("for every g",
        vmap(vmap(Moment{}, in_axes(none, 0)), in_axes(Particle{0, none}, none))(particles, g));
}
