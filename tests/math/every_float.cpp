#include "every_float.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

namespace kmap::test {
namespace {

constexpr std::size_t block = 2048;

// In units in the last place of `exact` as a float; infinite for the wrong sign. In words that GCC
// vectorises.
double distance(float y, double exact) {
  constexpr double beyond = 0x1p128;
  constexpr double wrong = HUGE_VAL;
  const double wide = y;
  const double size = std::fabs(exact) < beyond ? std::fabs(exact) : beyond;
  const double got = std::fabs(wide) < beyond ? std::fabs(wide) : beyond;
  const double least = size > 0x1p-126 ? size : 0x1p-126;
  const double normal = least < 0x1p127 ? least : 0x1p127;
  // 2^(23 - e), for 2^e <= size.
  const std::uint64_t exponent = std::bit_cast<std::uint64_t>(normal) >> 52;
  const auto unit = std::bit_cast<double>((2 * 1023 + 23 - exponent) << 52);
  const std::uint64_t signs =
      std::bit_cast<std::uint64_t>(wide) ^ std::bit_cast<std::uint64_t>(exact);
  const double error = (signs >> 63) != 0 ? wrong : std::fabs(got - size) * unit;
  const double both_nan = wide != wide && exact != exact ? 0 : wrong;
  return wide != wide || exact != exact ? both_nan : error;
}

template <class T>
const Unary<T>& find_function(const Library& library, const std::string& name) {
  const auto functions = library.functions.unary<T>();
  return *std::find_if(functions.begin(), functions.end(),
                       [&](const Unary<T>& f) { return f.name == name; });
}

}  // namespace

WorstFloat worst_float(const Library& library, const UnaryClaim& claim, std::uint64_t stride) {
  const Unary<float>& of_floats = find_function<float>(library, claim.name);
  const Unary<double>& of_doubles = find_function<double>(library, claim.name);
  std::array<float, block> x;
  std::array<double, block> wide;
  std::array<float, block> y;
  std::array<double, block> exact;
  std::array<double, block> error;
  Correct<float> correct;
  WorstFloat worst;
  constexpr std::uint64_t all = std::uint64_t{1} << 32;
  for (std::uint64_t first = 0; first < all; first += block * stride) {
    for (std::size_t i = 0; i < block; ++i) {
      const std::uint64_t bits = std::min(first + i * stride, all - 1);
      x[i] = std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      wide[i] = static_cast<double>(x[i]);
    }
    of_floats.many(x.data(), y.data(), block);
    of_doubles.many(wide.data(), exact.data(), block);
    double most = 0;
#pragma omp simd
    for (std::size_t i = 0; i < block; ++i) error[i] = distance(y[i], exact[i]);
#pragma omp simd reduction(max : most)
    for (std::size_t i = 0; i < block; ++i) most = error[i] > most ? error[i] : most;
    if (most <= worst.error) continue;
    for (std::size_t i = 0; i < block; ++i) {
      if (error[i] > claim.bound_f4 - 1e-6) {
        correct.set(claim.reference, x[i]);
        error[i] = correct.distance(y[i]);
      }
      if (error[i] > worst.error) worst = {error[i], x[i], y[i]};
    }
  }
  return worst;
}

}  // namespace kmap::test
