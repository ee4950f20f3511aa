#pragma once
// The bytes of a config file.

#include <filesystem>
#include <string>

namespace kmap::config {

// Throws an Error of kind no_input, with near names, if there is no such file or it cannot be read.
// Reads no more than a little over max_config_bytes.
std::string read_file(const std::filesystem::path& file);

}  // namespace kmap::config
