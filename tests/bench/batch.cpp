// sin²x + cos²x for the rows of a batch, by vmap alone and by pmap over the ranks.

#include "bench.hpp"
#include "functions.hpp"

namespace kmap::bench {

template <class T>
Variants batch(const Setting& setting) {
  const Shape shape = {setting.size(0), setting.size(1)};
  const auto x = make_input<T, 2>(shape, 1000);
  const DistArray<T, 2, Kokkos::HostSpace> shards(setting.comm, shape);
  Kokkos::deep_copy(shards.local(), detail::part_of(x, 0, shards.shard()));
  Variants v;
  v.fresh("vmap", [=] { return vmap(vmap(HeavyTask{}))(x); });
  v.fresh("pmap", [=] { return pmap(vmap(HeavyTask{}))(shards); });
  v.fresh("vmap_square", [=] { return vmap(vmap(Square{}))(x); });
  v.fresh("pmap_square", [=] { return pmap(vmap(Square{}))(shards); });
  return v;
}

template Variants batch<float>(const Setting&);
template Variants batch<double>(const Setting&);

}  // namespace kmap::bench
