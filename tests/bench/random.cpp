// Uniform floats, new ones in every run.

#include "bench.hpp"

namespace kmap::bench {

namespace {

/// Keys 1, 2, 3, …; copies go on together.
class Keys {
 public:
  random::Key next() const { return random::key(++*draws_); }

 private:
  std::shared_ptr<std::int64_t> draws_ = std::make_shared<std::int64_t>(0);
};

}  // namespace

Variants uniforms(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto y = make_array<float, 1>({n});
  Variants v;
  v.fresh("kmap_fresh",
          [n, keys = Keys()] { return random::uniform<float>(keys.next(), random::shape(n)); });
  v.given("kmap", [y, keys = Keys()] { random::uniform(keys.next(), random::into(y)); }, y);
  return v;
}

}  // namespace kmap::bench
