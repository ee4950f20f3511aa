#pragma once
// Environment variables, given by a function so that tests can invent them.

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace kmap::detail {

// The value of a variable, or nothing if it is not set.
using GetVariable = std::function<std::optional<std::string>(const std::string& name)>;

// Of this process.
std::optional<std::string> own_variable(const std::string& name);

// A number without a sign and with nothing around it; nothing for other texts.
std::optional<long long> parse_count(std::string_view text);

// The variable as such a number; nothing if it is not set or not one.
std::optional<long long> count_variable(const GetVariable& get, const std::string& name);

}  // namespace kmap::detail
