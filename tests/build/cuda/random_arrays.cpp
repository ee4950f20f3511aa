// Arrays of random numbers, as on a device. Compiled only.

#include <kmap/kmap.hpp>

namespace kmap::test {

void draw_arrays() {
  const auto key = random::key(1);
  random::split(key, 4);
  const Kokkos::View<double*> x("x", 4);
  const auto p = random::uniform<double>(key, random::shape(4, 3));
  const Kokkos::View<float**, Kokkos::LayoutRight> y("y", 3, 4);
  random::normal(key, random::into(y));
  random::randint<int>(key, random::shape(), 0, 10);
  random::gamma<double>(key, random::shape(3), 0.5);
  random::categorical(key, p);
  random::choice(key, random::shape(2), p, random::axis(1));
  random::choice(key, random::shape(2), 4, x);
  random::permutation(key, p, random::independent);
  random::shuffle(key, y);
  random::permutation(key, 10);
}

}  // namespace kmap::test
