#pragma once
// Angles beyond the reach of the short reduction, by as much of 2/pi as they need: M. H. Payne, R.
// N. Hanek, "Radian reduction for trigonometric functions", SIGNUM Newsletter 18, 1983. Integer
// arithmetic, for hosts; not for loops that are vectorised.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/double_word.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kmap::detail {

/// 2/pi in binary, from the first place after the point, 32 to a word: enough for every double.
inline constexpr std::array<std::uint32_t, 40> two_over_pi = {
    0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu,
    0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
    0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu,
    0xbdf9283bu, 0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u,
    0x4f463f66u, 0x9e5fea2du, 0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u,
    0x1f8d5d08u, 0x56033046u, 0xfc7b6babu, 0xf0cfbc20u, 0x9af4361du};

/// x = r.high + r.low + n pi/2, |r| <= pi/4, with the lowest two bits of n in `quadrant`.
struct HugeAngle {
  DoubleWord<double> r;
  std::uint64_t quadrant;
};

/// The integer m times the words of 2/pi from `first` on that matter, lowest word first.
inline std::array<std::uint32_t, 10> times_two_over_pi(std::uint64_t m, std::size_t first) {
  constexpr std::size_t words = 7;
  std::array<std::uint32_t, 10> product{};
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t digits = two_over_pi[first + words - 1 - i];
    // Of m's two words, the lower one; the upper one has 21 bits.
    const std::uint64_t low = digits * (m & 0xffffffffu) + product[i] + (carry & 0xffffffffu);
    product[i] = static_cast<std::uint32_t>(low);
    carry = digits * (m >> 32) + (carry >> 32) + (low >> 32);
  }
  product[words] = static_cast<std::uint32_t>(carry);
  product[words + 1] = static_cast<std::uint32_t>(carry >> 32);
  return product;
}

/// 64 bits of a number in words, from bit `place` on.
inline std::uint64_t bits_from(const std::array<std::uint32_t, 10>& number, int place) {
  const auto word = static_cast<std::size_t>(place / 32);
  const int shift = place % 32;
  const std::uint64_t low = number[word] | std::uint64_t{number[word + 1]} << 32;
  if (shift == 0) return low;
  return low >> shift | std::uint64_t{number[word + 2]} << (64 - shift);
}

/// For finite |x| >= 1000.
inline HugeAngle reduce_huge(double x) {
  const std::uint64_t bits = to_bits(x) & ~Format<double>::sign;
  // |x| = m 2^e.
  const int e = static_cast<int>(bits >> 52) - 1075;
  const std::uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  // Places of 2/pi so high that they add multiples of 4 to the product are left out.
  const int first = e > 2 ? (e - 2) / 32 : 0;
  const auto product = times_two_over_pi(m, static_cast<std::size_t>(first));
  const int point = 32 * (first + 7) - e;
  std::uint64_t quadrant = bits_from(product, point);
  std::uint64_t upper = bits_from(product, point - 64);
  std::uint64_t lower = bits_from(product, point - 128);
  // To the nearest multiple.
  const bool above = (upper >> 63) != 0;
  if (above) {
    ++quadrant;
    lower = ~lower + 1;
    upper = ~upper + (lower == 0 ? 1 : 0);
  }
  // At least 2^-62, as no double is nearer to a multiple.
  const int zeros = std::countl_zero(upper);
  if (zeros > 0) {
    upper = upper << zeros | lower >> (64 - zeros);
    lower <<= zeros;
  }
  const double unit = from_bits<double>(static_cast<std::uint64_t>(1023 - zeros) << 52);
  const double high = static_cast<double>(upper >> 11) * 0x1p-53 * unit;
  const double low = static_cast<double>((upper << 53 | lower >> 11) >> 11) * 0x1p-106 * unit;
  constexpr DoubleWord<double> half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
  const DoubleWord<double> main = exact_product(high, half_pi.high);
  const DoubleWord<double> r =
      ordered_sum(main.high, main.low + (high * half_pi.low + low * half_pi.high));
  const bool negative = x < 0;
  const double sign = above != negative ? -1 : 1;
  return {{sign * r.high, sign * r.low}, negative ? 0 - quadrant : quadrant};
}

}  // namespace kmap::detail
