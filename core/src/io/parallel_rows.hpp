#pragma once
// Rows of datasets that exist in a file, written by all ranks through HDF5's MPI-IO driver.

#include "io/handles.hpp"
#include "io/pieces.hpp"

#include "kmap/communicator.hpp"
#include "kmap/dtype.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace kmap::io {

// Opening and closing is collective. The transfers in between are independent: ranges of whole rows
// are contiguous in the file, so that there is nothing to gather; a rank whose write fails keeps no
// one waiting (in collective mode it does, HDF5 1.14.5); and Open MPI's component for collective
// writes is known to hang and to write wrong bytes (4.0 to 5.0).
class ParallelRows {
 public:
  ParallelRows() = default;
  // Opens the file and these datasets. Not agreed.
  ParallelRows(const Communicator& comm, const std::filesystem::path& file,
               const std::vector<std::string>& datasets);

  explicit operator bool() const noexcept { return static_cast<bool>(file_); }

  // One piece of dataset number `dataset`, of elements of the dataset's own type. Not collective.
  void write(std::size_t dataset, const Piece& piece, DType type, const void* data);

  // Brings all to the disk and closes. Not agreed.
  void close();

  // Gives the file up without a word to the other ranks; HDF5 closes it at the end of the program.
  // Without this or close, the destructor would wait for them.
  void leave() noexcept;

 private:
  std::string path_;
  std::vector<std::string> names_;
  FileHandle file_;
  std::vector<DatasetHandle> datasets_;
};

}  // namespace kmap::io
