#include "commands.hpp"

#include "kmap/kernel_info.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kmap::driver {

ExitCode list(const Runtime& runtime) {
  const auto kernels = agreed(runtime.comm(), [] { return all_kernels(); });
  if (!runtime.comm().is_root()) return ExitCode::ok;
  std::size_t width = 0;
  for (const KernelInfo* kernel : kernels) width = std::max(width, kernel->name.size());
  for (const KernelInfo* kernel : kernels) {
    fmt::print("{:<{}}  {}  {}\n", kernel->name, width, kernel->doc, kernel->signature);
  }
  return ExitCode::ok;
}

}  // namespace kmap::driver
