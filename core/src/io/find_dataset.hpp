#pragma once
// Finding a dataset by its path, and saying what stands there otherwise.

#include "io/handles.hpp"

#include <string>

namespace kmap::io {

// "/a/b" of "a/b", "/a//b/".
std::string absolute_path(const std::string& dataset);

// Opens the dataset `place.dataset` (absolute). Errors (no_input): nothing of that name (with the
// nearest names that exist), a link to nowhere (with its target), a group or a named type.
DatasetHandle open_dataset(hid_t file, const Place& place);

}  // namespace kmap::io
