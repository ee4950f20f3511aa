// Uniform floats, new ones in every run.

#include "bench.hpp"

namespace kmap::bench {

Variants uniforms(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto given = make_array<float, 1>({n});
  const auto draws = std::make_shared<std::int64_t>(0);
  Variants v;
  v.fresh("kmap_fresh",
          [=] { return random::uniform<float>(random::key(++*draws), random::shape(n)); });
  v.given("kmap", [=] { random::uniform(random::key(++*draws), random::into(given)); }, given);
  return v;
}

}  // namespace kmap::bench
