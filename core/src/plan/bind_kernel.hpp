#pragma once
// The run config against the kernel's declaration: everything that can be checked without data.

#include "config/job_config.hpp"
#include "config/mistakes.hpp"

#include "kmap/kernel_info.hpp"

#include <map>
#include <memory>
#include <string>

namespace kmap::plan {

struct BoundKernel {
  const KernelInfo* info = nullptr;
  std::map<std::string, ParamValue> values;  // every parameter, defaults filled in
  std::shared_ptr<const void> params;        // the function object that has them
};

// Adds to `mistakes` what the kernel's declaration does not allow. For config::load, where the
// schema's mistakes are reported with them.
void check_kernel(const config::JobConfig& job, config::Mistakes& mistakes);

// Finds the kernel, sets its parameters, and checks that the inputs and outputs that the config
// names are the kernel's. All mistakes are reported at once, in one ConfigError.
BoundKernel bind_kernel(const config::JobConfig& job);

}  // namespace kmap::plan
