#pragma once
// Draws cases that run_case has compiled in.

#include "conformance/case.hpp"

#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace kmap::test {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}

  // In [low, high]; the same on every machine, unlike the standard library's distributions.
  std::int64_t between(std::int64_t low, std::int64_t high) {
    return low + static_cast<std::int64_t>(engine_() % static_cast<std::uint64_t>(high - low + 1));
  }
  bool chance(int percent) { return between(1, 100) <= percent; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(between(0, static_cast<std::int64_t>(list.size()) - 1))];
  }
  // In (-1, 1), with all bits of a double or of a float.
  double real() {
    return std::ldexp(static_cast<double>(between(-(1L << 53) + 1, (1L << 53) - 1)), -53);
  }

  std::vector<std::int64_t> permutation(std::int64_t n) {
    std::vector<std::int64_t> order;
    for (std::int64_t i = 0; i < n; ++i) {
      order.insert(order.begin() + between(0, i), i);
    }
    return order;
  }

 private:
  std::mt19937_64 engine_;
};

// Whole numbers, small ones, so that sums are exact.
CaseArray random_array(Random& random, const std::string& type,
                       const std::vector<std::int64_t>& shape);

// Without y. Case `number` of the seed.
Case random_case(std::uint64_t seed, int number);

}  // namespace kmap::test
