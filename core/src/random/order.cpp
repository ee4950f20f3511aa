#include "kmap/detail/distributions.hpp"
#include "kmap/detail/random_order.hpp"
#include "kmap/error.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <utility>

namespace kmap::random::detail {

namespace {

/// What is sorted: random bits, and where the element stood at first.
struct Entry {
  std::uint32_t bits;
  std::int64_t origin;
};

/// Stable; by eleven bits at a time. `spare` is as long as `entries`.
void sort_by_digits(std::vector<Entry>& entries, std::vector<Entry>& spare) {
  constexpr int digit = 11;
  constexpr std::size_t values = std::size_t{1} << digit;
  for (int shift = 0; shift < std::numeric_limits<std::uint32_t>::digits; shift += digit) {
    const auto value = [shift](const Entry& entry) { return (entry.bits >> shift) % values; };
    std::array<std::size_t, values> next{};
    for (const Entry& entry : entries) ++next[value(entry)];
    std::size_t begin = 0;
    for (std::size_t& place : next) begin += std::exchange(place, begin);
    for (const Entry& entry : entries) spare[next[value(entry)]++] = entry;
    entries.swap(spare);
  }
}

void sort_entries(std::vector<Entry>& entries, std::vector<Entry>& spare) {
  constexpr std::size_t few = 4096;  // where a pass over all digits costs more
  if (entries.size() > few) {
    sort_by_digits(entries, spare);
  } else {
    std::stable_sort(entries.begin(), entries.end(),
                     [](const Entry& a, const Entry& b) { return a.bits < b.bits; });
  }
}

}  // namespace

int sort_rounds(std::int64_t size) {
  const auto elements = static_cast<double>(std::max<std::int64_t>(1, size));
  const double base = std::numeric_limits<std::uint32_t>::max();
  return static_cast<int>(std::ceil(3 * std::log(elements) / std::log(base)));
}

std::vector<std::int64_t> shuffled_line(Key key, int rounds, std::int64_t length,
                                        std::int64_t first, std::int64_t step) {
  std::vector<Entry> entries(static_cast<std::size_t>(length));
  std::vector<Entry> spare(entries.size());
  for (std::size_t i = 0; i < entries.size(); ++i) {
    entries[i].origin = static_cast<std::int64_t>(i);
  }
  for (int round = 0; round < rounds; ++round) {
    const auto [next, now] = split(key);
    key = next;
    const Bits<std::uint32_t> bits(now);
    std::int64_t index = first;
    for (Entry& entry : entries) {
      entry.bits = bits(words_of(static_cast<std::uint64_t>(index)));
      index += step;
    }
    sort_entries(entries, spare);
  }
  std::vector<std::int64_t> order(entries.size());
  std::transform(entries.begin(), entries.end(), order.begin(),
                 [](const Entry& entry) { return entry.origin; });
  return order;
}

std::vector<std::int64_t> shuffled(Key key, std::int64_t length) {
  if (length < 0) {
    throw ShapeError("kmap: random: permutation of " + std::to_string(length) + " numbers",
                     "give how many there are");
  }
  return shuffled_line(key, sort_rounds(length), length);
}

}  // namespace kmap::random::detail
