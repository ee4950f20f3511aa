#include "libraries.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <iostream>

namespace kmap::test {
namespace {

bool runs_here([[maybe_unused]] const std::string& arch) {
#if defined(__x86_64__)
  if (arch == "x86-64-v3") {
    return __builtin_cpu_supports("avx2") != 0 && __builtin_cpu_supports("fma") != 0 &&
           __builtin_cpu_supports("bmi2") != 0;
  }
#endif
  return true;
}

Library load(const std::string& arch, const std::string& path) {
  using Get = void(Functions&);
  void* file = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  void* get = file != nullptr ? dlsym(file, "kmap_test_functions") : nullptr;
  if (get == nullptr) {
    std::cerr << dlerror() << '\n';
    std::exit(1);
  }
  Library library{arch, {}};
  reinterpret_cast<Get*>(get)(library.functions);
  return library;
}

std::vector<Library> load_all() {
  std::vector<Library> all;
  // arch=path|arch=path…
  std::string rest = KMAP_TEST_LIBRARIES;
  while (!rest.empty()) {
    const std::string entry = rest.substr(0, rest.find('|'));
    rest.erase(0, entry.size() + 1);
    const std::string arch = entry.substr(0, entry.find('='));
    if (runs_here(arch)) all.push_back(load(arch, entry.substr(arch.size() + 1)));
  }
  return all;
}

}  // namespace

const std::vector<Library>& libraries() {
  static const std::vector<Library> all = load_all();
  return all;
}

}  // namespace kmap::test
