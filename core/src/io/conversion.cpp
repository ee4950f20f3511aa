#include "io/conversion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

namespace kmap::io {
namespace {

// A bool of a file may be any byte, so it is no bool in memory.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>;

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<Kokkos::complex<T>> = true;

template <class To, class From>
bool integer_holds(From value) {
  if constexpr (std::is_integral_v<From>) {
    return std::in_range<To>(value);
  } else {
    constexpr int digits = std::numeric_limits<To>::digits;
    const From end = std::ldexp(From(1), digits);  // one more than the largest, exactly
    const From begin = std::is_signed_v<To> ? -end : From(0);
    return value >= begin && value < end && value == std::trunc(value);
  }
}

template <class To, class From>
bool float_holds(From value) {
  if constexpr (sizeof(From) > sizeof(To) && std::is_floating_point_v<From>) {
    return std::isfinite(static_cast<To>(value)) || !std::isfinite(value);
  } else {
    return true;
  }
}

// To holds the value; bool is told apart by its own type.
template <class To, class From>
bool holds(Stored<From> value) {
  if constexpr (std::is_same_v<From, bool>) {
    return true;
  } else if constexpr (is_complex<From>) {
    using Part = typename To::value_type;
    return float_holds<Part>(value.real()) && float_holds<Part>(value.imag());
  } else if constexpr (is_complex<To>) {
    return float_holds<typename To::value_type>(value);
  } else if constexpr (std::is_same_v<To, bool>) {
    return value == 0 || value == 1;
  } else if constexpr (std::is_integral_v<To>) {
    return integer_holds<To>(value);
  } else {
    return float_holds<To>(value);
  }
}

template <class To, class From>
Stored<To> changed(Stored<From> value) {
  if constexpr (std::is_same_v<From, bool>) {
    return Stored<To>(value != 0 ? 1 : 0);
  } else if constexpr (is_complex<From>) {
    using Part = typename To::value_type;
    return To(static_cast<Part>(value.real()), static_cast<Part>(value.imag()));
  } else if constexpr (is_complex<To>) {
    return To(static_cast<typename To::value_type>(value), 0);
  } else {
    return static_cast<Stored<To>>(value);
  }
}

// Block by block through arrays of its own: the loops then vectorise, and source and target may
// overlap, since what is still to be read is never before what was just written.
template <class From, class To>
std::int64_t convert_all(const std::byte* source, std::byte* target, std::int64_t count) {
  constexpr std::int64_t block = 512;
  std::array<Stored<From>, block> before;
  std::array<Stored<To>, block> after;
  for (std::int64_t begin = 0; begin < count; begin += block) {
    const auto n = static_cast<std::size_t>(std::min(block, count - begin));
    const auto at = static_cast<std::size_t>(begin);
    std::memcpy(before.data(), source + at * sizeof before[0], n * sizeof before[0]);
    bool all = true;
    for (std::size_t i = 0; i < n; ++i) all &= holds<To, From>(before[i]);
    if (!all) {
      const auto* bad = std::find_if_not(before.begin(), before.begin() + n, holds<To, From>);
      return begin + (bad - before.begin());
    }
    for (std::size_t i = 0; i < n; ++i) after[i] = changed<To, From>(before[i]);
    std::memcpy(target + at * sizeof after[0], after.data(), n * sizeof after[0]);
  }
  return -1;
}

}  // namespace

bool can_convert(DType from, DType to) { return info(from).kind != 'c' || info(to).kind == 'c'; }

std::int64_t convert(DType from, const void* source, DType to, void* target, std::int64_t count) {
  return visit_dtype(from, [&]<class From>(std::type_identity<From>) {
    return visit_dtype(to, [&]<class To>(std::type_identity<To>) -> std::int64_t {
      if constexpr (is_complex<From> && !is_complex<To>) {
        return count > 0 ? 0 : -1;
      } else {
        return convert_all<From, To>(static_cast<const std::byte*>(source),
                                     static_cast<std::byte*>(target), count);
      }
    });
  });
}

std::string value_text(DType type, const void* value) {
  return visit_dtype(type, [&]<class T>(std::type_identity<T>) -> std::string {
    Stored<T> copy;
    std::memcpy(&copy, value, sizeof copy);
    if constexpr (is_complex<T>) {
      return fmt::format("({:g}, {:g})", copy.real(), copy.imag());
    } else if constexpr (std::is_floating_point_v<T>) {
      return fmt::format("{:g}", copy);
    } else {
      return fmt::format("{}", +copy);
    }
  });
}

}  // namespace kmap::io
