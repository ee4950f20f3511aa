// Collectives: functions of one example that ask about the others.

#include <kmap/kmap.hpp>

#include <cstdio>

/// How far x is from the mean of the batch, in standard deviations.
struct Standardize {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    const double centred = x - kmap::pmean<"i">(c, x);  // lax.pmean(x, "i")
    return centred / kmap::sqrt(kmap::pmean<"i">(c, centred * centred));
  }
};

/// One step of the heat equation on a ring of cells.
struct Step {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double u) const {
    // lax.ppermute(u, "i", [(i, (i + 1) % n) for i in range(n)])
    const double left = kmap::ppermute<"i">(c, u, kmap::ring(1));
    const double right = kmap::ppermute<"i">(c, u, kmap::ring(-1));
    return u + 0.25 * (left - 2 * u + right);
  }
};

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);
  Kokkos::View<double*, Kokkos::HostSpace> x("x", 8);
  for (int i = 0; i < 8; ++i) x(i) = i * i;

  // pmap(standardize, axis_name="i")(x), pmap(step, axis_name="i")(x)
  const auto shards = kmap::scatter(runtime.comm(), x);  // over any number of ranks
  const auto z = kmap::pmap(Standardize{}, kmap::axis_name<"i">)(shards);
  const auto u = kmap::pmap(Step{}, kmap::axis_name<"i">)(shards);

  const auto all_z = kmap::gather(z);
  const auto all_u = kmap::gather(u);
  const auto heat = kmap::psum(u);  // a collective between maps
  if (!runtime.comm().is_root()) return 0;
  for (int i = 0; i < 8; ++i) std::printf("%7.4f %7.3f\n", all_z(i), all_u(i));
  std::printf("sum %g\n", heat());
}
