#pragma once
// The declaration of a kernel for programs.

#include "kmap/kernel_info.hpp"

#include <nlohmann/json.hpp>

namespace kmap::report {

nlohmann::ordered_json kernel_json(const KernelInfo& kernel);

// "boolean", "integer", "number" or "text".
const char* type_name(const ParamValue& value);

// What ends with a line feed, for the standard output. Bytes that are no UTF-8 are replaced.
std::string json_text(const nlohmann::ordered_json& json);

}  // namespace kmap::report
