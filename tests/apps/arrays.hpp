#pragma once
// Arrays of any type in HDF5 files, by plain HDF5 calls: what tests give to kmap and what they
// compare does not pass through kmap's own reading and writing.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

namespace kmap::test {

// Row-major, in the byte order of this machine.
struct Array {
  std::string type;  // NumPy's short name: "i1" … "u8", "f4", "f8", "c8", "c16"
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  std::int64_t size() const;
  bool operator==(const Array&) const = default;
};

std::int64_t bytes_of_type(const std::string& type);

template <class T>
std::vector<T> values(const Array& array) {
  std::vector<T> result(array.bytes.size() / sizeof(T));
  if (!result.empty()) std::memcpy(result.data(), array.bytes.data(), array.bytes.size());
  return result;
}

template <class T>
Array array_of(const std::string& type, std::vector<std::int64_t> shape,
               const std::vector<T>& values) {
  Array array{type, std::move(shape), std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

// How a file holds an array.
enum class Layout {
  plain,      // contiguous, in the byte order of this machine
  chunked,    // in small chunks: shuffled, compressed, with checksums
  big_endian  // contiguous, in the other byte order
};

// Both throw std::runtime_error. Missing groups on the way to `dataset` are made; the file is made
// if it is not there.
Array read_array(const std::filesystem::path& file, const std::string& dataset);
void write_array(const std::filesystem::path& file, const std::string& dataset, const Array& array,
                 Layout layout = Layout::plain);

// Names of the members of a group, in order.
std::vector<std::string> members(const std::filesystem::path& file, const std::string& group);

}  // namespace kmap::test
