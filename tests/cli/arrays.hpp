#pragma once
// Datasets of files, written and read by HDF5 alone, for tests that start commands.

#include "unit/io/files.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kmap::test {

// All values as double, row-major; `shape` may be null. Throws if there is no such dataset.
inline std::vector<double> read_values(const std::filesystem::path& file, const std::string& path,
                                       Shape* shape = nullptr) {
  const io::FileHandle opened(must(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
  const io::DatasetHandle dataset(must(H5Dopen2(opened.get(), path.c_str(), H5P_DEFAULT)));
  const io::SpaceHandle space(must(H5Dget_space(dataset.get())));
  std::vector<hsize_t> extents(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space.get())));
  must(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr));
  const Shape found(extents.begin(), extents.end());
  if (shape != nullptr) *shape = found;
  std::vector<double> values(static_cast<std::size_t>(count(found)));
  must(H5Dread(dataset.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()));
  return values;
}

// 0, 1, … as doubles.
inline std::vector<double> counting(std::int64_t count) {
  std::vector<double> values(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  return values;
}

}  // namespace kmap::test
