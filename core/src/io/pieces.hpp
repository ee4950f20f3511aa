#pragma once
// Cutting a range of rows into pieces that one call of HDF5 or MPI can carry.

#include "io/handles.hpp"

#include "kmap/shape.hpp"

#include <cstdint>
#include <vector>

namespace kmap::io {

// Counts in MPI are ints, and several versions of HDF5 and Open MPI fail or, worse, write wrong
// bytes at 2 GiB and more in one call.
inline constexpr std::int64_t max_bytes_per_call = std::int64_t{1} << 30;

// A part of an array that is contiguous in row-major memory.
struct Piece {
  Shape begin;
  Shape extent;
  std::int64_t offset = 0;  // elements from the beginning of the slab
  std::int64_t count = 0;   // elements
  bool operator==(const Piece&) const = default;
};

// A part of an array: all that has these indices along one axis.
struct Slab {
  std::size_t axis = 0;
  Range range;
};

// The elements of a slab of an array of `shape`, in order, in pieces of at most `limit` bytes (but
// at least one element). Cuts fall between chunks of `chunk` (empty: none) where pieces are long
// enough, so that no chunk is decompressed twice. A scalar is one piece; `slab` is then not looked
// at.
std::vector<Piece> cut_slab(const Shape& shape, const Slab& slab, std::int64_t element_bytes,
                            const Shape& chunk, std::int64_t limit);

// Likewise of rows: a slab of the leading axis.
std::vector<Piece> cut_rows(const Shape& shape, Range rows, std::int64_t element_bytes,
                            const Shape& chunk, std::int64_t limit);

// Selects the piece in `file_space`, and returns the dataspace of its contiguous memory.
SpaceHandle select_piece(hid_t file_space, const Piece& piece, const Place& place);

}  // namespace kmap::io
