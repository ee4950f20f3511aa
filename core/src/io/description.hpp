#pragma once
// The description of an HDF5 file that is being made: all of it but the rows of the datasets.

#include "io/handles.hpp"
#include "io/raw_file.hpp"

#include <cstdint>
#include <filesystem>
#include <vector>

namespace kmap::io {

// Bytes [begin, end) of a file.
struct ByteRange {
  std::int64_t begin = 0;
  std::int64_t end = 0;
};

// HDF5 writes superblock, groups, headers, attributes and texts into memory, and what it made is
// copied to the disk at the end. So its own writing never fails: when it does, on a full disk, HDF5
// (1.10.8) cannot close the file any more and crashes at the end of the program. Room for rows is
// only counted, since nothing is written there: it takes no memory.
class Description {
 public:
  Description() = default;
  // Makes `file` anew, which stays empty for now.
  explicit Description(const std::filesystem::path& file);
  ~Description();
  Description(Description&& other) noexcept;
  Description& operator=(Description&& other) noexcept;

  hid_t file() const noexcept { return file_.get(); }

  // Copies all but the `rows`, which are in order and do not overlap. The description may grow
  // afterwards and be copied again.
  void copy_to(const RawFile& target, const std::vector<ByteRange>& rows);

  // Closes the file in HDF5 and copies it a last time.
  void finish(const RawFile& target, const std::vector<ByteRange>& rows);

 private:
  void copy_memory(const RawFile& target, const std::vector<ByteRange>& rows) const;

  FileHandle file_;
  int memory_ = -1;
};

}  // namespace kmap::io
