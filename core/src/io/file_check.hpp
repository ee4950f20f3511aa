#pragma once
// A first look at an input file, through the file system, so that what is wrong with it is named.

#include "io/handles.hpp"

#include <filesystem>
#include <string>

namespace kmap::io {

// What the content of a file that is not HDF5 looks like: "a netCDF-3 (classic) file", "text", …
// Empty if it has HDF5's signature.
std::string foreign_content(const std::filesystem::path& file);

// Opens an HDF5 file for reading, without MPI. Errors say what the file is instead.
FileHandle open_for_reading(const std::filesystem::path& file);

}  // namespace kmap::io
