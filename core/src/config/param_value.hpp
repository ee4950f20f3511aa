#pragma once
// Parameters of a kernel as values of their declared types.

#include "config/job_config.hpp"
#include "config/mistakes.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace kmap::config {

enum class ParamType : std::uint8_t { boolean, integer, real, text };

// The value of params.`name`, or nothing and a mistake with its place. Numbers in quotes are text,
// and what looks like a number or is true or false is no text without them.
std::optional<ParamValue> param_value(const std::string& name, const Param& param, ParamType type,
                                      Mistakes& mistakes);

}  // namespace kmap::config
