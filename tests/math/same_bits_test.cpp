// A function's result does not depend on where in a loop it is calculated, nor on the loop.

#include "libraries.hpp"
#include "table.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>

namespace kmap::test {
namespace {

template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;

// Bits of all kinds, or only of numbers between 2^-16 and 2^16 and of a few special ones: loops
// over these need no second run.
template <class T>
std::vector<T> random_numbers(std::size_t count, bool moderate, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  const std::vector<T> special = special_values<T>();
  std::vector<T> numbers;
  while (numbers.size() < count) {
    const std::uint64_t bits = random();
    if (!moderate && bits % 8 == 0) {
      numbers.push_back(special[bits / 8 % special.size()]);
    } else if (moderate) {
      const T size = std::ldexp(static_cast<T>(bits >> 40), static_cast<int>(bits % 32) - 40);
      numbers.push_back(bits % 64 < 32 ? size : -size);
    } else {
      numbers.push_back(std::bit_cast<T>(static_cast<Bits<T>>(bits)));
    }
  }
  return numbers;
}

// A NaN is a NaN: its sign and payload may be those of either operand.
template <class T>
bool same(T a, T b) {
  return std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b) || (std::isnan(a) && std::isnan(b));
}

// many(first, y, n) calculates from argument `first` on, one(i) alone.
template <class T, class Many, class One>
void compare(const Many& many, const One& one, std::size_t count) {
  std::vector<T> alone(count);
  for (std::size_t i = 0; i < count; ++i) alone[i] = one(i);
  const auto check = [&](std::size_t first, std::size_t n) {
    std::vector<T> y(n);
    many(first, y.data(), n);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_TRUE(same(y[i], alone[first + i])) << "i = " << first + i << " of " << n;
    }
  };
  check(0, count);
  for (std::size_t n = 1; n < 70; ++n) check(n * 7 % 33, n);
}

constexpr std::size_t count = 20000;

template <class T>
void check_all(const Library& library, bool moderate) {
  const std::vector<T> x = random_numbers<T>(count, moderate, 1);
  const std::vector<T> y = random_numbers<T>(count, moderate, 2);
  for (const Unary<T>& f : library.functions.unary<T>()) {
    SCOPED_TRACE(library.arch + " " + f.name);
    compare<T>([&](std::size_t first, T* z, std::size_t n) { f.many(x.data() + first, z, n); },
               [&](std::size_t i) { return f.one(x[i]); }, count);
  }
  for (const Binary<T>& f : library.functions.binary<T>()) {
    SCOPED_TRACE(library.arch + " " + f.name);
    compare<T>([&](std::size_t first, T* z,
                   std::size_t n) { f.many(x.data() + first, y.data() + first, z, n); },
               [&](std::size_t i) { return f.one(x[i], y[i]); }, count);
  }
}

TEST(SameBits, InLoopsAndAlone) {
  for (const Library& library : libraries()) {
    for (const bool moderate : {true, false}) {
      check_all<float>(library, moderate);
      check_all<double>(library, moderate);
    }
  }
}

TEST(Claims, AreMadeOfEveryFunction) {
  for (const Library& library : libraries()) {
    const Functions& functions = library.functions;
    EXPECT_EQ(functions.unary_f4.size(), unary_claims().size());
    EXPECT_EQ(functions.binary_f4.size(), binary_claims().size());
    for (const auto& f : functions.unary_f4)
      EXPECT_TRUE(find_claim(unary_claims(), f.name)) << f.name;
    for (const auto& f : functions.binary_f4)
      EXPECT_TRUE(find_claim(binary_claims(), f.name)) << f.name;
  }
}

}  // namespace
}  // namespace kmap::test
