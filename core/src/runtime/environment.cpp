#include "runtime/environment.hpp"

#include <charconv>
#include <cstdlib>

namespace kmap::detail {

std::optional<std::string> own_variable(const std::string& name) {
  const char* value = std::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string>(value);
}

std::optional<long long> parse_count(std::string_view text) {
  long long number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, wrong] = std::from_chars(text.data(), end, number);
  const bool is_count = wrong == std::errc() && stop == end && number >= 0 && text[0] != '-';
  return is_count ? std::optional(number) : std::nullopt;
}

std::optional<long long> count_variable(const GetVariable& get, const std::string& name) {
  const std::optional<std::string> value = get(name);
  return value ? parse_count(*value) : std::nullopt;
}

}  // namespace kmap::detail
