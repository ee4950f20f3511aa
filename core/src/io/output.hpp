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
// removed, and none is being written by a run that goes on. Throws agreed errors (73). Collective.
void check_output(const Communicator& comm, const std::filesystem::path& file, IfExists if_exists);

// The same, but changes nothing: what another run left stays.
void probe_output(const Communicator& comm, const std::filesystem::path& file, IfExists if_exists);

// What is where an output will be. Without errors; not collective.
struct OutputState {
  bool exists = false;
  std::int64_t bytes = 0;        // of the file that exists
  bool has_leftover = false;     // a NAME.part
  std::int64_t free_bytes = -1;  // on its disk; -1 if that is not known
};
OutputState look_at_output(const std::filesystem::path& file);

// NAME.part while being written. Unless committed, the destructor removes it. All functions are
// collective; errors are agreed.
//
// Rank 0 alone describes the file: datasets, groups and attributes. Then all ranks open it through
// HDF5's MPI-IO driver and write rows. So, when a disk fills up, HDF5 has nothing of its own left
// to write (it would crash at the end of the program, 1.10.8), and room for the rows is reserved.
class OutputFile {
 public:
  OutputFile(const Communicator& comm, const std::filesystem::path& file, IfExists if_exists);
  // Does not communicate: a rank with an error of its own gets on to end the job.
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // A contiguous dataset of the native type, allocated once and never filled; groups on the way are
  // made. Returns its number, in order of creation. Room on the disk is reserved where the file
  // system can; if there is none, that is an error (73).
  int create_dataset(const std::string& path, DType type, const Shape& shape);

  // Rows of the leading axis from row-major `data` of type `type`, converted to the dataset's type.
  // Values that it cannot hold are an error (65), as on reading. Ranks give ranges of their own,
  // which may be empty. After the first call no more datasets can be made.
  void write_rows(int dataset, Range rows, DType type, const void* data) {
    write_slab(dataset, 0, rows, type, data);
  }
  // The same of any axis. A scalar dataset has one row, {0, 1}.
  void write_slab(int dataset, std::size_t axis, Range range, DType type, const void* data);

  // Seconds that this rank has waited for others in write_slab.
  double seconds_waited() const noexcept;

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
