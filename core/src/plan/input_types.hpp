#pragma once
// The types that the inputs of a job are read as.

#include "config/job_config.hpp"
#include "io/dataset_info.hpp"

#include "kmap/kernel_info.hpp"

#include <string>
#include <vector>

namespace kmap::plan {

// Of every input of the kernel, in order. Throws ShapeError where the data have no type that the
// kernel takes, ConfigError where the config asks for one that it does not take.
std::vector<DType> choose_input_types(const config::JobConfig& job, const KernelInfo& kernel,
                                      const std::vector<io::DatasetInfo>& datasets);

// The kernel compiled for these.
const KernelInstance& find_instance(const KernelInfo& kernel, const std::vector<DType>& types);

// Throws a ConfigError about the value of `key` if `from` cannot be converted to `to`. `what`: that
// is of type `from`, for the message; may be empty.
void require_conversion(const config::JobConfig& job, const std::string& key,
                        const std::string& what, DType from, DType to);

}  // namespace kmap::plan
