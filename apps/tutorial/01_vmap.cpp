// vmap: a function of one number, mapped over a vector.

#include <kmap/kmap.hpp>

#include <cstdio>

struct Square {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x * x;
  }
};

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);  // MPI, then Kokkos; ended in reverse
  Kokkos::View<int*, Kokkos::HostSpace> x("x", 5);
  for (int i = 0; i < 5; ++i) x(i) = i + 1;

  const auto y = kmap::vmap(Square{})(x);

  for (int i = 0; i < 5; ++i) std::printf(i < 4 ? "%d " : "%d\n", y(i));
}
