#pragma once
// Writing one HDF5 file in parallel, visible under its name only when it is complete.

#include "kmap/communicator.hpp"
#include "kmap/dtype.hpp"
#include "kmap/shape.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace kmap::io {

enum class IfExists { error, overwrite };

// Checks on rank 0, before any work, that `file` can be made: its folder exists and is writable, it
// is no folder itself, it does not exist (unless overwrite), a NAME.part left by another run is
// removed. Throws agreed errors (73). Collective.
void check_output(const Communicator& comm, const std::filesystem::path& file, IfExists if_exists);

// Whether values of type `value` can be written to a dataset of type `stored`: real numbers (bool
// among them) to real numbers, complex to complex.
bool can_store(DType value, DType stored);

// NAME.part while being written. Unless committed, the destructor removes it. All functions are
// collective with equal arguments on all ranks unless said otherwise; errors of those are agreed.
class OutputFile {
 public:
  OutputFile(const Communicator& comm, const std::filesystem::path& file, IfExists if_exists);
  // Never waits for long: a rank that got here alone leaves the file to the end of the program.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // A contiguous dataset of the native type, allocated once and never filled; groups on the way are
  // made. Returns its number, in order of creation. Fails (73) if the disk has no room for all
  // datasets so far.
  int create_dataset(const std::string& path, DType type, const Shape& shape);

  // Rows of the leading axis from row-major `data` of type `type`, converted to the dataset's type.
  // Values that it cannot hold are an error (65), as on reading. Not collective, not agreed: ranks
  // write ranges of their own, any number of times; call it inside kmap::agreed.
  void write_rows(int dataset, Range rows, DType type, const void* data);
  // The value of a scalar dataset; one rank's call is enough. As write_rows.
  void write_scalar(int dataset, DType type, const void* value);

  // A group and, on objects that exist, attributes: h5py shows str, int, float.
  void create_group(const std::string& path);
  void write_attribute(const std::string& object, const std::string& name, const std::string& text);
  void write_attribute(const std::string& object, const std::string& name, const char* text) {
    write_attribute(object, name, std::string(text));  // a pointer is no bool or number
  }
  void write_attribute(const std::string& object, const std::string& name, std::int64_t value);
  void write_attribute(const std::string& object, const std::string& name, double value);
  // A scalar text dataset of any length.
  void write_text(const std::string& path, const std::string& text);

  // Flushes to the disk, closes, renames to the final name (replacing it only with overwrite).
  void commit();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace kmap::io
