#pragma once
// Small HDF5 files for the tests of io, written by one rank with HDF5's default driver, and errors.

#include "io/handles.hpp"

#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace kmap::test {

template <class Status>
Status must(Status status) {
  if (status < 0) throw std::runtime_error("a test file could not be made");
  return status;
}

inline std::vector<hsize_t> extents_of(const Shape& shape) { return {shape.begin(), shape.end()}; }

inline io::PropertyHandle dataset_properties() {
  return io::PropertyHandle(must(H5Pcreate(H5P_DATASET_CREATE)));
}

inline io::PropertyHandle chunked(const Shape& chunk) {
  io::PropertyHandle properties = dataset_properties();
  must(H5Pset_chunk(properties.get(), static_cast<int>(chunk.size()), extents_of(chunk).data()));
  return properties;
}

class Hdf5Writer {
 public:
  explicit Hdf5Writer(const std::filesystem::path& file, hid_t creation = H5P_DEFAULT,
                      hid_t access = H5P_DEFAULT)
      : file_(must(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, creation, access))) {}

  hid_t id() const { return file_.get(); }

  // `data` may be null: nothing is written then.
  void dataset(const std::string& path, hid_t stored, const Shape& shape, hid_t memory,
               const void* data, hid_t creation = H5P_DEFAULT) {
    const io::SpaceHandle space(must(
        shape.empty()
            ? H5Screate(H5S_SCALAR)
            : H5Screate_simple(static_cast<int>(shape.size()), extents_of(shape).data(), nullptr)));
    const io::PropertyHandle links(must(H5Pcreate(H5P_LINK_CREATE)));
    must(H5Pset_create_intermediate_group(links.get(), 1));
    const io::DatasetHandle made(must(
        H5Dcreate2(id(), path.c_str(), stored, space.get(), links.get(), creation, H5P_DEFAULT)));
    if (data != nullptr) must(H5Dwrite(made.get(), memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, data));
  }

  void doubles(const std::string& path, const Shape& shape, const std::vector<double>& values,
               hid_t creation = H5P_DEFAULT) {
    dataset(path, H5T_IEEE_F64LE, shape, H5T_NATIVE_DOUBLE, values.data(), creation);
  }

 private:
  io::FileHandle file_;
};

inline void write_bytes(const std::filesystem::path& file, const std::string& bytes) {
  std::ofstream(file, std::ios::binary) << bytes;
}

inline std::string read_bytes(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// That `work` throws a kmap::Error with this exit code whose text has all of `parts`.
template <class Work>
testing::AssertionResult fails_with(ExitCode code, const std::vector<std::string>& parts,
                                    Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string text = error.what();
    if (error.code() != code) {
      return testing::AssertionFailure()
             << "code " << static_cast<int>(error.code()) << ": " << text;
    }
    for (const std::string& part : parts) {
      if (text.find(part) == std::string::npos) {
        return testing::AssertionFailure() << "'" << part << "' is missing in: " << text;
      }
    }
    return testing::AssertionSuccess() << text;
  }
  return testing::AssertionFailure() << "no error";
}

}  // namespace kmap::test
