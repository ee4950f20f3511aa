#include "kmap/error.hpp"
#include "kmap/kernel_info.hpp"

#include <set>
#include <utility>

namespace kmap {

namespace {

struct Registry {
  std::map<std::string, KernelInfo> kernels;
  std::set<std::string> repeated;
};

// Local to a function: declarations in other files run before main in no fixed order.
Registry& registry() {
  static Registry instance;
  return instance;
}

}  // namespace

void register_kernel(KernelInfo info) {
  std::string name = info.name;
  const bool inserted = registry().kernels.emplace(name, std::move(info)).second;
  if (!inserted) registry().repeated.insert(std::move(name));
}

const KernelInfo* find_kernel(const std::string& name) {
  const auto found = registry().kernels.find(name);
  return found == registry().kernels.end() ? nullptr : &found->second;
}

std::vector<const KernelInfo*> all_kernels() {
  if (!registry().repeated.empty()) {
    throw Error(ExitCode::internal,
                "two kernels are named \"" + *registry().repeated.begin() + "\"",
                "rename one of them, or leave one out of KMAP_PLUGINS");
  }
  std::vector<const KernelInfo*> all;
  for (const auto& [name, info] : registry().kernels) all.push_back(&info);
  return all;
}

}  // namespace kmap
