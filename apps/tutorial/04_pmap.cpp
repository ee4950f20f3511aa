// pmap: the rows of a batch, distributed over MPI ranks.

#include <kmap/kmap.hpp>

#include <cstdio>

struct HeavyTask {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    const T s = kmap::sin(x);
    const T c = kmap::cos(x);
    return s * s + c * c;
  }
};

int main(int argc, char** argv) {
  const kmap::Runtime runtime(argc, argv);
  Kokkos::View<double**, Kokkos::HostSpace> batch("batch", 10, 1000);
  for (int i = 0; i < 10'000; ++i) batch(i / 1000, i % 1000) = i;

  // pmap(heavy_task)(batch)
  const auto shards = kmap::scatter(runtime.comm(), batch);  // some rows to each rank
  const auto result = kmap::pmap(kmap::vmap(HeavyTask{}))(shards);

  const auto all = kmap::gather(result);  // on rank 0
  if (runtime.comm().is_root()) {
    std::printf("%zu rows on %d ranks, the last value is %.15g\n", all.extent(0),
                runtime.comm().size(), all(9, 999));
  }
}
