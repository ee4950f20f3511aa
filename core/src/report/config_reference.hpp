#pragma once
// The keys of a run config for people, from the schema that validates them.

#include <string>

namespace kmap::report {

// A line for each key: "inputs.NAME.slice", what it may be, its default and meaning; in the order
// of the schema.
std::string config_reference();

}  // namespace kmap::report
