#pragma once
// Random orders, as jax.random.permutation finds them: by sorting random bits, over and over.

#include "kmap/random_key.hpp"

#include <cstdint>
#include <vector>

namespace kmap::random::detail {

/// How often to sort, so that equal bits do not matter in an array of that many elements.
int sort_rounds(std::int64_t size);

/// The order in which the elements of one line of an array end: those at index first, first + step,
/// … of the row-major array. Every round sorts them, stably, by the random bits of where they are.
std::vector<std::int64_t> shuffled_line(Key key, int rounds, std::int64_t length,
                                        std::int64_t first = 0, std::int64_t step = 1);

/// The order of 0 … length - 1.
std::vector<std::int64_t> shuffled(Key key, std::int64_t length);

}  // namespace kmap::random::detail
