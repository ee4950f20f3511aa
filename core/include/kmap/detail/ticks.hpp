#pragma once
// A clock for times around a microsecond, which takes a few nanoseconds to read.

#include <chrono>
#include <cstdint>

#if defined(__x86_64__) && defined(__GNUC__)
#include <x86intrin.h>
#endif

namespace kmap::detail {

/// Ticks of about `ticks_per_microsecond`: good for a choice, not for a measurement. The system's
/// own clock takes as long to read as a thousand cheap examples.
#if defined(__x86_64__) && defined(__GNUC__)
inline constexpr std::int64_t ticks_per_microsecond = 2500;
inline std::int64_t ticks() { return static_cast<std::int64_t>(__rdtsc()); }
#else
inline constexpr std::int64_t ticks_per_microsecond = 1000;
inline std::int64_t ticks() {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}
#endif

}  // namespace kmap::detail
