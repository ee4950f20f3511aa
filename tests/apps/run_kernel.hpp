#pragma once
// Runs a kernel of the registry on arrays, without a job around it.

#include "apps/arrays.hpp"

#include "kmap/kernel_info.hpp"

#include <map>
#include <string>
#include <vector>

namespace kmap::test {

using Params = std::map<std::string, ParamValue>;

// Outputs by name. The first axis of each input is mapped, the examples of a row too if it has more
// dimensions than the kernel's signature. Throws std::runtime_error if the kernel is not compiled
// for the inputs' types.
std::map<std::string, Array> run_kernel(const std::string& kernel, const std::vector<Array>& inputs,
                                        const Params& params = {});

}  // namespace kmap::test
