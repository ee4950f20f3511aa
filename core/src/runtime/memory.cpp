#include "runtime/memory.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>

namespace kmap::detail {

namespace {

namespace fs = std::filesystem;

using Limit = std::optional<std::int64_t>;

Limit smaller(Limit a, Limit b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

// Version 2 says "max" where there is no limit, version 1 the largest multiple of a page.
Limit read_limit(const fs::path& file) {
  constexpr std::int64_t unlimited = std::int64_t{1} << 60;
  std::ifstream stream(file);
  std::int64_t value = 0;
  return stream >> value && value < unlimited ? Limit(value) : std::nullopt;
}

// Of the group and of all around it. In a container the path may be that outside of it: then only
// the folders at its beginning are there, or none but the root.
Limit limit_along(const fs::path& root, const std::string& path, const char* name) {
  Limit limit = read_limit(root / name);
  fs::path folder = root;
  for (const fs::path& part : fs::path(path).relative_path()) {
    if (part == "..") break;  // outside of what this process sees
    folder /= part;
    limit = smaller(limit, read_limit(folder / name));
  }
  return limit;
}

bool has_word(const std::string& list, const std::string& word) {
  std::istringstream stream(list);
  for (std::string item; std::getline(stream, item, ',');) {
    if (item == word) return true;
  }
  return false;
}

}  // namespace

std::int64_t NodeMemory::usable() const { return *smaller(physical, smaller(group, slurm)); }

// A line is "NUMBER:CONTROLLERS:PATH"; number 0 without controllers is version 2.
Limit group_memory(const fs::path& groups, const fs::path& root) {
  std::ifstream stream(groups);
  Limit limit;
  for (std::string line; std::getline(stream, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const std::string path = line.substr(second + 1);
    if (controllers.empty()) {
      limit = smaller(limit, limit_along(root, path, "memory.max"));
    } else if (has_word(controllers, "memory")) {
      limit = smaller(limit, limit_along(root / "memory", path, "memory.limit_in_bytes"));
    }
  }
  return limit;
}

Limit slurm_memory(const GetVariable& get) {
  constexpr long long most = 1LL << 40;  // MiB; beyond it the bytes would not fit
  const auto bytes = [](long long mebibytes) -> Limit {
    if (mebibytes <= 0 || mebibytes >= most) return std::nullopt;
    return std::int64_t{mebibytes} << 20;
  };
  if (const auto node = count_variable(get, "SLURM_MEM_PER_NODE")) return bytes(*node);
  const auto each = count_variable(get, "SLURM_MEM_PER_CPU");
  const auto cpus = count_variable(get, "SLURM_CPUS_ON_NODE");
  if (!each || !cpus || *each >= most || *cpus > 1 << 20) return std::nullopt;
  return bytes(*each * *cpus);
}

NodeMemory find_node_memory() {
  const auto physical = static_cast<std::int64_t>(sysconf(_SC_PHYS_PAGES)) *
                        static_cast<std::int64_t>(sysconf(_SC_PAGE_SIZE));
  return {physical, group_memory("/proc/self/cgroup", "/sys/fs/cgroup"),
          slurm_memory(own_variable)};
}

std::int64_t node_memory() { return find_node_memory().usable(); }

}  // namespace kmap::detail
