#pragma once
// Kernels from outside: shared libraries that kmap_add_kernel made in another project.

namespace kmap::driver {

// Loads what the environment variable KMAP_PLUGINS names, files or folders of *.so separated by
// colons; their kernels register themselves. Throws an Error that names what cannot be loaded.
void load_plugins();

}  // namespace kmap::driver
