#pragma once
// Parts of a kernel's declaration for people.

#include "kmap/kernel_info.hpp"

#include <string>

namespace kmap::detail {

// "(t, 3)"
std::string core_text(const OperandInfo& operand);

// " in Hz", or nothing for a number without a unit.
std::string unit_text(const std::string& unit);

// ", one of a, b" or ", above 0, at most 1", or nothing.
std::string allowed_text(const ParamInfo& param);

}  // namespace kmap::detail
