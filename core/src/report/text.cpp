#include "report/text.hpp"

#include <fmt/format.h>

#include <array>

namespace kmap::report {

std::string bytes_text(std::int64_t bytes) {
  constexpr std::array<const char*, 6> units = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{} B", bytes) : fmt::format("{:.2f} {}", value, units[unit]);
}

std::string count_text(std::int64_t count) {
  std::string digits = std::to_string(count);
  const std::size_t first = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > first + 3;) {
    at -= 3;
    digits.insert(at, " ");
  }
  return digits;
}

std::string seconds_text(double seconds) {
  // Below a unit by so much that rounding does not reach it.
  if (seconds < 0.9995e-3) return fmt::format("{:.3g} us", seconds * 1e6);
  if (seconds < 0.9995) return fmt::format("{:.3g} ms", seconds * 1e3);
  if (seconds < 100) return fmt::format("{:.2f} s", seconds);
  const auto minutes = static_cast<std::int64_t>(seconds / 60);
  if (minutes < 60) return fmt::format("{} min {:02} s", minutes, static_cast<int>(seconds) % 60);
  return fmt::format("{} h {:02} min", minutes / 60, minutes % 60);
}

}  // namespace kmap::report
