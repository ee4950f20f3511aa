#include "runtime/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <string>

namespace kmap::detail {

namespace {

// The limits of a control group and of those around it, version 2: "0::/path" in /proc/self/cgroup.
std::int64_t group_limit(std::int64_t unlimited) {
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  std::int64_t limit = unlimited;
  while (std::getline(groups, line)) {
    if (!line.starts_with("0::")) continue;
    for (std::string path = line.substr(3); !path.empty(); path.erase(path.rfind('/'))) {
      std::ifstream file("/sys/fs/cgroup" + path + "/memory.max");
      std::int64_t value = 0;
      if (file >> value) limit = std::min(limit, value);  // "max" is no number
      if (path.rfind('/') == std::string::npos) break;
    }
  }
  std::ifstream whole("/sys/fs/cgroup/memory.max");
  std::int64_t value = 0;
  if (whole >> value) limit = std::min(limit, value);
  return limit;
}

}  // namespace

std::int64_t node_memory() {
  const auto physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
  return group_limit(physical);
}

}  // namespace kmap::detail
