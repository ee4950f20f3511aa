#pragma once
// The bytes of a config file -> text that the YAML library may see.

#include "config/mistakes.hpp"

#include <string>
#include <string_view>

namespace kmap::config {

// Without byte order mark and with line ends of one byte. What no config may hold goes to
// `mistakes`: bytes that are not UTF-8, control characters, tabs in the indentation, very deep
// nesting (the YAML library works recursively), more bytes than max_config_bytes.
std::string clean_text(std::string_view bytes, const std::string& file, Mistakes& mistakes);

}  // namespace kmap::config
