#pragma once
// Reads goldens.h5 (see make_goldens.py), by plain HDF5 calls.

#include "conformance/case.hpp"

#include <filesystem>
#include <vector>

namespace kmap::test {

// All cases of the file, in its order. Throws std::runtime_error for what it does not understand.
std::vector<Case> read_cases(const std::filesystem::path& file);

}  // namespace kmap::test
