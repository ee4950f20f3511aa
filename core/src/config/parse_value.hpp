#pragma once
// Scalars of YAML as values of an expected type. Each returns nothing if the text is not one.

#include <cstdint>
#include <optional>
#include <string_view>

namespace kmap::config {

// Decimal integers in range, also written 1e3 or 1.5e3. Not 010 (octal or ten?), 0x10, 1_000, 1.0.
std::optional<std::int64_t> parse_integer(std::string_view text);
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
// Decimal or scientific, in range; nan, inf, -inf, .nan, .inf as YAML and Python write them.
std::optional<double> parse_real(std::string_view text);
// true and false only.
std::optional<bool> parse_boolean(std::string_view text);
// Bytes: "512 MiB", "1.5 GB", "1024"; units B, kB, MB, GB, TB, KiB, MiB, GiB, TiB.
std::optional<std::int64_t> parse_size(std::string_view text);

// Seconds: "90 s", "55 min", "1.5 h", "2 d", "250 ms", "1 h 30 min", "01:30:00", "05:30" (minutes
// and seconds). A number alone is none: of what?
std::optional<double> parse_duration(std::string_view text);

// True for what a reader of YAML could take for a number, also where the functions above refuse it:
// 1, 1.5, 1e3, .inf, 010, 0x10, 1_000. Such a text has to be quoted where text is asked.
bool looks_like_number(std::string_view text);

}  // namespace kmap::config
