#include "commands.hpp"
#include "config/load.hpp"
#include "plan/bind_kernel.hpp"

#include <fmt/format.h>

namespace kmap::driver {

ExitCode validate(const Runtime& runtime, const CommandLine& line) {
  const config::JobConfig job =
      config::load(runtime.comm(), line.job, line.overrides, plan::check_kernel);
  const plan::BoundKernel kernel = agreed(runtime.comm(), [&] { return plan::bind_kernel(job); });
  if (runtime.comm().is_root()) {
    fmt::print("{} is valid: kernel {}, {} input(s), {} output(s)\n", line.job, kernel.info->name,
               kernel.info->inputs.size(), kernel.info->outputs.size());
  }
  return ExitCode::ok;
}

}  // namespace kmap::driver
