#pragma once
// What is known of a stored dataset before its first byte is read.

#include "kmap/dtype.hpp"
#include "kmap/shape.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kmap::io {

struct DatasetInfo {
  std::string file;                  // as the user wrote it, after resolving the folder
  std::string dataset;               // path inside the file, absolute
  DType dtype;                       // the memory type that holds every stored value (f2 -> f4)
  std::string stored_type;           // for people: "big-endian i4", "f8"
  Shape shape;                       // () for a scalar dataset
  Shape chunk;                       // empty if not chunked
  std::vector<std::string> filters;  // names in pipeline order
  std::int64_t stored_bytes = 0;     // as allocated in the file
  std::int64_t cache_bytes = 0;  // memory that a rank needs beside its buffer: decompressed chunks
};

}  // namespace kmap::io
