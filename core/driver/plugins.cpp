#include "plugins.hpp"

#include "kmap/error.hpp"
#include "kmap/kernel_info.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace kmap::driver {

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> libraries_in(const fs::path& folder) {
  std::vector<fs::path> found;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".so") found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::set<std::string> kernel_names() {
  std::set<std::string> names;
  for (const KernelInfo* kernel : all_kernels()) names.insert(kernel->name);
  return names;
}

void load(const fs::path& library) {
  // Never closed: the registry keeps pointers into it.
  if (dlopen(fs::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL) == nullptr) {
    throw Error(ExitCode::usage, "KMAP_PLUGINS: cannot load " + library.string() + ": " + dlerror(),
                "build the plug-in against this kmap, or take it out of KMAP_PLUGINS");
  }
}

Plugin load_and_compare(const fs::path& library) {
  const std::set<std::string> before = kernel_names();
  load(library);
  Plugin plugin{library.string(), {}};
  for (const std::string& name : kernel_names()) {
    if (!before.contains(name)) plugin.kernels.push_back(name);
  }
  return plugin;
}

}  // namespace

void load_plugins(std::vector<Plugin>& loaded) {
  const char* value = std::getenv("KMAP_PLUGINS");
  if (value == nullptr) return;
  std::istringstream list(value);
  for (std::string item; std::getline(list, item, ':');) {
    if (item.empty()) continue;
    if (!fs::exists(item)) {
      throw Error(ExitCode::usage, "KMAP_PLUGINS: there is no file or folder " + item);
    }
    if (!fs::is_directory(item)) {
      loaded.push_back(load_and_compare(item));
      continue;
    }
    for (const fs::path& library : libraries_in(item)) loaded.push_back(load_and_compare(library));
  }
}

}  // namespace kmap::driver
