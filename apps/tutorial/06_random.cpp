// Random numbers: keys are values, and what is drawn depends on them alone.

#include <kmap/kmap.hpp>

#include <cstdio>

/// A step of a random walk, of the length of x. Every example has a key of its own.
struct Step {
  KOKKOS_FUNCTION double operator()(kmap::random::Key key, double x) const {
    return x + kmap::random::normal<double>(key);
  }
};

/// The part of `points` random points in the unit square that lie in the quarter circle.
struct InCircle {
  kmap::random::Key key;
  int points;

  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double) const {
    const auto own = kmap::random::fold_in(key, kmap::axis_index<"i">(c));  // of this example
    int inside = 0;
    for (int i = 0; i < points; ++i) {
      const double x = kmap::random::uniform<double>(own, kmap::random::at(2 * i));
      const double y = kmap::random::uniform<double>(own, kmap::random::at(2 * i + 1));
      if (x * x + y * y < 1) ++inside;
    }
    return static_cast<double>(inside) / points;
  }
};

int main(int argc, char** argv) {
  using namespace kmap;  // so that kmap::random is random
  const Runtime runtime(argc, argv);
  const auto key = random::key(42);
  const auto [walk_key, circle_key] = random::split(key);  // one key for each use

  // random.normal(walk_key, (2, 3))
  Kokkos::View<double**, Kokkos::HostSpace> z("z", 2, 3);
  random::normal(walk_key, random::into(z));  // an array; random::shape(2, 3) makes a new one
  // vmap(step)(random.split(walk_key, 4), zeros(4))
  const auto keys = random::split(walk_key, 4);  // an array of keys
  const Kokkos::View<double*> start("start", 4);
  const auto steps =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), vmap(Step{})(keys, start));

  // Over any number of ranks the same numbers, since each example draws from the key and its index.
  const Kokkos::View<double*, Kokkos::HostSpace> batches("batches", 100);
  const auto parts =
      pmap(InCircle{circle_key, 10'000}, axis_name<"i">)(scatter(runtime.comm(), batches));
  const auto mean = psum(parts)() / 100;

  if (!runtime.comm().is_root()) return 0;
  std::printf("%.6f %.6f\n", z(0, 0), z(1, 2));
  for (int i = 0; i < 4; ++i) std::printf("%.6f ", steps(i));
  std::printf("\npi is about %.6f\n", 4 * mean);
}
