#pragma once
// Reading datasets in parallel.

#include "io/dataset_info.hpp"

#include "kmap/communicator.hpp"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace kmap::io {

// One dataset of one HDF5 file, open for reading by all ranks of a communicator.
//
// Each rank reads for itself, through HDF5's default driver: nobody writes the file, so the ranks
// need no word from each other, and one that fails (a chunk that does not decompress) or that
// leaves early never keeps the others waiting, not even in the destructor. Collective MPI-IO was
// measured to be no faster for ranges of whole rows, and HDF5 cannot read virtual datasets through
// it.
class InputDataset {
 public:
  // Opens and inspects; reads no data. Errors: file missing, unreadable or not HDF5 (says what it
  // is); dataset missing (nearest names), a group, a null dataspace, a dangling link, a virtual
  // dataset with a missing source, an unsupported type, a filter that is not available. Agreed.
  // Collective.
  // `axis`, negative from the end, is the one along which it will be read: chunks are kept for
  // that.
  InputDataset(const Communicator& comm, const std::filesystem::path& file,
               const std::string& dataset, int axis = 0);
  ~InputDataset();
  InputDataset(InputDataset&&) noexcept;
  InputDataset& operator=(InputDataset&&) noexcept;

  const DatasetInfo& info() const noexcept;

  // All that has the indices [range.begin, range.end) along `axis` (from 0), converted to `type`,
  // row-major, into `out`, which has room for it. Values that `type` cannot hold are an error
  // (never clipped, never cut): range, fractions and NaN for integers, complex for real; rounding
  // alone is none. The range may be empty. Not collective, not agreed: call it inside kmap::agreed.
  void read_slab(std::size_t axis, Range range, DType type, void* out) const;

  // A slab of the leading axis.
  void read_rows(Range rows, DType type, void* out) const { read_slab(0, rows, type, out); }

  // The whole dataset (any rank, scalars too). As read_slab.
  void read_all(DType type, void* out) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// Whether both paths lead to one file, through links too. A path that does not exist equals one of
// the same resolved name.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b);

}  // namespace kmap::io
