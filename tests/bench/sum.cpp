// The sum over all examples, whose bits are the same at every number of ranks and threads.

#include "bench.hpp"
#include "loops.hpp"

namespace kmap::bench {

template <class T>
Variants sum(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto x = make_input<T, 1>({n}, 1);
  for (std::int64_t i = 0; i < n; ++i) x(i) += 1;  // so that the sum is not near zero
  const auto result = make_array<T, 1>({1});
  Variants v;
  v.given("kmap", [=] { result(0) = psum(x)(); }, result);
  v.given("unordered", [=] { result(0) = unordered_sum(x.data(), n); }, result);
  v.given("read", [=] { result(0) = read_loop(x.data(), n); }, result);
  // Every rank has its shard of the same numbers.
  const DistArray<T, 1, Kokkos::HostSpace> shards(setting.comm, {n});
  Kokkos::deep_copy(shards.local(), detail::part_of(x, 0, shards.shard()));
  v.given("ranks", [=] { result(0) = psum(shards)(); }, result);
  return v;
}

template Variants sum<float>(const Setting&);
template Variants sum<double>(const Setting&);

}  // namespace kmap::bench
