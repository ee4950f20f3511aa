#pragma once
// Numbers as people read them.

#include <cstdint>
#include <string>

namespace kmap::report {

// "1.50 GiB", "512 B".
std::string bytes_text(std::int64_t bytes);
// "1 234 567".
std::string count_text(std::int64_t count);
// "12.3 s", "45 ms", "2 h 05 min".
std::string seconds_text(double seconds);

}  // namespace kmap::report
