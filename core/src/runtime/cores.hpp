#pragma once
// The cores that a process may run on.

#include <string>
#include <vector>

namespace kmap::detail {

// Of this process (its affinity mask, or the places of OpenMP where it binds threads to some),
// ascending; empty if the system does not say.
std::vector<int> own_cores();

// "0-3,8" of ascending numbers; "none" of no number.
std::string number_ranges(const std::vector<int>& numbers);

}  // namespace kmap::detail
