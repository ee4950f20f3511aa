#pragma once
// A run config to begin with.

#include "kmap/kernel_info.hpp"

#include <string>

namespace kmap::report {

// YAML that is valid as it is, and runs once it names files that there are. Parameters are at their
// defaults.
std::string example_config(const KernelInfo& kernel);

}  // namespace kmap::report
