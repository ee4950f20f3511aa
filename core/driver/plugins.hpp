#pragma once
// Kernels from outside: shared libraries that kmap_add_kernel made in another project.

#include <string>
#include <vector>

namespace kmap::driver {

struct Plugin {
  std::string library;
  std::vector<std::string> kernels;  // that came with it
};

// Loads what the environment variable KMAP_PLUGINS names, files or folders of *.so separated by
// colons; their kernels register themselves. Throws an Error that names what cannot be loaded;
// `loaded` then has what came before it.
void load_plugins(std::vector<Plugin>& loaded);

}  // namespace kmap::driver
