#pragma once
// Filters of chunked datasets, and where HDF5 finds those that it does not have itself.

#include <hdf5.h>

#include <string>
#include <vector>

namespace kmap::io {

struct Filter {
  H5Z_filter_t number;
  const char* name;
};

// Of the list of registered filters, those that one meets.
const std::vector<Filter>& known_filters();

// Whether data that went through the filter can be read here. Loads its plugin.
bool can_decode(H5Z_filter_t number);

// Where plugins are searched: HDF5_PLUGIN_PATH or the library's own.
std::vector<std::string> plugin_folders();

}  // namespace kmap::io
