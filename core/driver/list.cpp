#include "commands.hpp"
#include "report/kernel_json.hpp"
#include "runtime/colour.hpp"

#include "kmap/kernel_info.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace kmap::driver {

ExitCode list(const Runtime& runtime, const CommandLine& line) {
  const auto kernels = agreed(runtime.comm(), [] { return all_kernels(); });
  if (!runtime.comm().is_root()) return ExitCode::ok;
  if (line.json) {
    auto array = nlohmann::ordered_json::array();
    for (const KernelInfo* kernel : kernels) array.push_back(report::kernel_json(*kernel));
    fmt::print("{}", report::json_text(array));
    return ExitCode::ok;
  }
  const bool coloured = detail::use_colours(STDOUT_FILENO);
  std::size_t width = 0;
  for (const KernelInfo* kernel : kernels) width = std::max(width, kernel->name.size());
  for (const KernelInfo* kernel : kernels) {
    fmt::print("{}{:{}}  {}  {}\n", detail::bold(kernel->name, coloured), "",
               width - kernel->name.size(), kernel->doc, kernel->signature);
  }
  return ExitCode::ok;
}

}  // namespace kmap::driver
