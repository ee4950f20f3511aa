#include "config/job_config.hpp"

#include <cstddef>

namespace kmap::config {

std::string to_string(const Location& location) {
  if (location.line == 0) return location.file;
  return location.file + ":" + std::to_string(location.line) + ":" +
         std::to_string(location.column);
}

Location JobConfig::where(const std::string& key) const {
  std::string here = key;
  while (!here.empty()) {
    if (const auto found = locations.find(here); found != locations.end()) return found->second;
    const std::size_t dot = here.rfind('.');
    here.resize(dot == std::string::npos ? 0 : dot);
  }
  const auto root = locations.find("");
  return root == locations.end() ? Location{} : root->second;
}

}  // namespace kmap::config
