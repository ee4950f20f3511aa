#include "config/parse_value.hpp"

#include "runtime/lower_case.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <limits>
#include <string>
#include <system_error>

namespace kmap::config {
namespace {

constexpr std::uint64_t max_int64 = std::numeric_limits<std::int64_t>::max();

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::string_view take_digits(std::string_view& rest) {
  const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
  const std::string_view digits = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(digits.size());
  return digits;
}

struct Decimal {
  std::string_view whole, fraction, exponent;  // digits; the exponent may have a sign
  bool has_point = false;
};

// [0-9]* (. [0-9]*)? ([eE] [-+]? [0-9]+)? with a digit before the exponent, no useless leading
// zero.
std::optional<Decimal> split_decimal(std::string_view text) {
  Decimal decimal;
  decimal.whole = take_digits(text);
  if (!text.empty() && text.front() == '.') {
    decimal.has_point = true;
    text.remove_prefix(1);
    decimal.fraction = take_digits(text);
  }
  if (decimal.whole.empty() && decimal.fraction.empty()) return std::nullopt;
  if (decimal.whole.size() > 1 && decimal.whole.front() == '0') return std::nullopt;
  if (text.empty()) return decimal;
  if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
  text.remove_prefix(1);
  decimal.exponent = text;
  if (!text.empty() && (text.front() == '-' || text.front() == '+')) text.remove_prefix(1);
  if (take_digits(text).empty() || !text.empty()) return std::nullopt;
  return decimal;
}

// Digits times ten to a power, exactly; nothing if that is no integer below 2^64.
std::optional<std::uint64_t> exact_integer(const Decimal& decimal) {
  std::string digits = std::string(decimal.whole) + std::string(decimal.fraction);
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  if (digits.empty()) return 0;
  std::string_view exponent_text = decimal.exponent;
  if (exponent_text.starts_with('+')) exponent_text.remove_prefix(1);
  int exponent = 0;
  const char* end = exponent_text.data() + exponent_text.size();
  if (std::from_chars(exponent_text.data(), end, exponent).ec != std::errc{}) return std::nullopt;
  const auto fraction_size = static_cast<std::int64_t>(decimal.fraction.size());
  std::int64_t zeros = exponent - fraction_size;
  for (; zeros < 0 && digits.back() == '0'; ++zeros) digits.pop_back();
  if (zeros < 0 || zeros > 20 || digits.size() > 20) return std::nullopt;
  digits.append(static_cast<std::size_t>(zeros), '0');
  std::uint64_t value = 0;
  const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (result.ec != std::errc{}) return std::nullopt;
  return value;
}

std::optional<std::uint64_t> parse_magnitude(std::string_view text) {
  const std::optional<Decimal> decimal = split_decimal(text);
  if (!decimal || decimal->whole.empty()) return std::nullopt;
  const bool is_scientific = !decimal->exponent.empty();
  if (decimal->has_point && (!is_scientific || decimal->fraction.empty())) return std::nullopt;
  if (decimal->exponent.starts_with('-')) return std::nullopt;
  if (!is_scientific) return exact_integer({decimal->whole, {}, "0", false});
  return exact_integer(*decimal);
}

bool take_sign(std::string_view& text) {  // true for minus
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  return negative;
}

std::optional<double> parse_special(std::string_view text) {
  const bool negative = take_sign(text);
  if (text.starts_with('.')) text.remove_prefix(1);
  const std::string name = detail::lower_case(text);
  constexpr double infinity = std::numeric_limits<double>::infinity();
  if (name == "nan") return std::numeric_limits<double>::quiet_NaN();
  if (name == "inf" || name == "infinity") return negative ? -infinity : infinity;
  return std::nullopt;
}

struct Unit {
  std::string_view name;
  std::int64_t bytes;
};
constexpr std::int64_t kibi = 1024;
constexpr std::array<Unit, 9> units = {{{"B", 1},
                                        {"kB", 1000},
                                        {"MB", 1000'000},
                                        {"GB", 1000'000'000},
                                        {"TB", 1000'000'000'000},
                                        {"KiB", kibi},
                                        {"MiB", kibi* kibi},
                                        {"GiB", kibi* kibi* kibi},
                                        {"TiB", kibi* kibi* kibi* kibi}}};

std::optional<std::int64_t> multiply(std::string_view number, std::int64_t bytes) {
  if (const auto count = parse_unsigned(number)) {
    if (*count > max_int64 / static_cast<std::uint64_t>(bytes)) return std::nullopt;
    return static_cast<std::int64_t>(*count) * bytes;
  }
  const bool is_fraction = number.find_first_not_of("0123456789.") == std::string_view::npos;
  const std::optional<double> value = is_fraction ? parse_real(number) : std::nullopt;
  if (!value || bytes == 1) return std::nullopt;  // no parts of bytes
  const double product = std::floor(*value * static_cast<double>(bytes));
  if (!(product < 9.2e18)) return std::nullopt;
  return static_cast<std::int64_t>(product);
}

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr std::array<TimeUnit, 5> time_units = {
    {{"ms", 1e-3}, {"s", 1}, {"min", 60}, {"h", 3600}, {"d", 86400}}};

// H:MM:SS or MM:SS.
std::optional<double> clock_time(std::string_view text) {
  double seconds = 0;
  int parts = 0;
  while (true) {
    const std::string_view digits = take_digits(text);
    std::int64_t value = 0;
    if (digits.empty() || digits.size() > 6 || ++parts > 3) return std::nullopt;
    std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (parts > 1 && (digits.size() != 2 || value > 59)) return std::nullopt;
    seconds = seconds * 60 + static_cast<double>(value);
    if (text.empty()) return parts > 1 ? std::optional(seconds) : std::nullopt;
    if (text.front() != ':') return std::nullopt;
    text.remove_prefix(1);
  }
}

// Numbers with their units, the larger ones first: "1 h 30 min".
std::optional<double> units_of_time(std::string_view text) {
  double sum = 0;
  double last = std::numeric_limits<double>::infinity();
  while (!text.empty()) {
    const std::size_t number_size = std::min(text.find_first_not_of("0123456789."), text.size());
    const std::optional<double> number = parse_real(text.substr(0, number_size));
    text.remove_prefix(number_size);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    const std::size_t unit_size = std::min(text.find_first_of(" 0123456789."), text.size());
    const auto unit = std::find_if(
        time_units.begin(), time_units.end(),
        [&](const TimeUnit& known) { return known.name == text.substr(0, unit_size); });
    if (!number || unit == time_units.end() || unit->seconds >= last) return std::nullopt;
    text.remove_prefix(unit_size);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    last = unit->seconds;
    sum += *number * unit->seconds;
  }
  return last <= 86400 ? std::optional(sum) : std::nullopt;
}

}  // namespace

std::optional<std::uint64_t> parse_unsigned(std::string_view text) {
  if (text.starts_with('+')) text.remove_prefix(1);
  return parse_magnitude(text);
}

std::optional<std::int64_t> parse_integer(std::string_view text) {
  const bool negative = take_sign(text);
  const std::optional<std::uint64_t> magnitude = parse_magnitude(text);
  if (!magnitude || *magnitude > max_int64 + (negative ? 1 : 0)) return std::nullopt;
  return negative ? static_cast<std::int64_t>(0 - *magnitude)
                  : static_cast<std::int64_t>(*magnitude);
}

std::optional<double> parse_real(std::string_view text) {
  if (const auto special = parse_special(text)) return special;
  const bool negative = take_sign(text);
  if (!split_decimal(text)) return std::nullopt;
  double value = 0;
  const char* end = text.data() + text.size();
  const auto result = std::from_chars(text.data(), end, value);
  if (result.ec != std::errc{}) return std::nullopt;
  return negative ? -value : value;
}

std::optional<bool> parse_boolean(std::string_view text) {
  if (text == "true") return true;
  if (text == "false") return false;
  return std::nullopt;
}

std::optional<std::int64_t> parse_size(std::string_view text) {
  const std::size_t last = text.find_last_of("0123456789.");
  if (last == std::string_view::npos) return std::nullopt;
  const std::string_view number = text.substr(0, last + 1);
  std::string_view unit_name = text.substr(last + 1);
  if (unit_name.empty()) return multiply(number, 1);
  unit_name.remove_prefix(std::min(unit_name.find_first_not_of(' '), unit_name.size()));
  for (const Unit& unit : units) {
    if (unit.name == unit_name) return multiply(number, unit.bytes);
  }
  return std::nullopt;
}

std::optional<double> parse_duration(std::string_view text) {
  return text.find(':') == text.npos ? units_of_time(text) : clock_time(text);
}

bool looks_like_number(std::string_view text) {
  take_sign(text);
  if (text.empty() || !(is_digit(text.front()) || text.front() == '.')) return false;
  if (parse_special(text)) return true;
  const std::string_view base = text.substr(0, 2);
  if (base == "0x" || base == "0X" || base == "0o" || base == "0b") {
    return text.size() > 2 && text.find_first_not_of("0123456789abcdefABCDEF_", 2) == text.npos;
  }
  std::string digits(text);
  std::erase(digits, '_');
  const std::size_t zeros = std::min(digits.find_first_not_of('0'), digits.size() - 1);
  digits.erase(0, zeros);
  const bool ate_the_zero = zeros > 0 && !is_digit(digits.front());
  return split_decimal(ate_the_zero ? "0" + digits : digits).has_value();
}

}  // namespace kmap::config
