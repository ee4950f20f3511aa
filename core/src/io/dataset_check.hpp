#pragma once
// What must be right with a stored dataset before it can be read.

#include "io/handles.hpp"

#include "kmap/shape.hpp"

#include <string>
#include <vector>

namespace kmap::io {

// Throws Error(no_input) if a filter of the dataset is not available here: its number and name, and
// where plugins were searched. Returns the names of all filters, in pipeline order.
std::vector<std::string> check_filters(hid_t creation, const Place& place);

// Throws Error(no_input) if a source of a virtual dataset is missing: HDF5 itself would silently
// give fill values. Does nothing for other datasets.
void check_virtual_sources(hid_t dataset, const Place& place);

// The extents; throws Error(bad_data) for a null dataspace.
Shape dataset_shape(hid_t dataset, const Place& place);

}  // namespace kmap::io
