#pragma once
// Distances between floating-point numbers.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace kmap::test {

// How many representable numbers lie between a and b, counting the step to b: 0 for equal numbers,
// two zeros and two NaN; as far as can be if only one is NaN.
template <class T>
std::uint64_t ulps_between(T a, T b) {
  using Bits = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  if (std::isnan(a) || std::isnan(b)) {
    return std::isnan(a) && std::isnan(b) ? 0 : std::numeric_limits<std::uint64_t>::max();
  }
  const auto place = [](T x) {
    const auto bits = std::bit_cast<Bits>(x);
    return std::int64_t{bits < 0 ? std::numeric_limits<Bits>::min() - bits : bits};
  };
  const std::int64_t from = place(a);
  const std::int64_t to = place(b);
  return from > to ? static_cast<std::uint64_t>(from) - static_cast<std::uint64_t>(to)
                   : static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from);
}

}  // namespace kmap::test
