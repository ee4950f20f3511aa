#include "io/pieces.hpp"

#include <algorithm>

namespace kmap::io {
namespace {

class Cutter {
 public:
  Cutter(const Shape& shape, const Slab& slab, const Shape& chunk, std::int64_t element_bytes,
         std::int64_t limit)
      : slab_{Shape(shape.size(), 0), shape, 0, 0},
        chunk_(chunk),
        limit_(limit),
        bytes_below_(shape.size() + 1, element_bytes) {
    slab_.begin[slab.axis] = slab.range.begin;
    slab_.extent[slab.axis] = slab.range.size();
    for (std::size_t axis = shape.size(); axis-- > 0;) {
      bytes_below_[axis] = bytes_below_[axis + 1] * slab_.extent[axis];
    }
    current_ = slab_;
  }

  // Cuts `axis`; all axes before it are fixed to one index.
  void cut(std::size_t axis) {
    const Range range = {slab_.begin[axis], slab_.begin[axis] + slab_.extent[axis]};
    const std::int64_t step = limit_ / bytes_below_[axis + 1];
    if (step >= 1 || axis + 1 == slab_.begin.size()) {
      cut_into_steps(axis, range, std::max<std::int64_t>(step, 1));
      return;
    }
    for (std::int64_t i = range.begin; i < range.end; ++i) {  // one index is too much for a call
      select(axis, {i, i + 1});
      cut(axis + 1);
    }
  }

  std::vector<Piece> pieces() && { return std::move(pieces_); }

 private:
  void cut_into_steps(std::size_t axis, Range range, std::int64_t step) {
    for (std::int64_t begin = range.begin; begin < range.end;) {
      std::int64_t end = std::min(begin + step, range.end);
      if (end < range.end && !chunk_.empty()) {
        const std::int64_t between_chunks = end / chunk_[axis] * chunk_[axis];
        if (between_chunks > begin) end = between_chunks;
      }
      select(axis, {begin, end});
      add();
      begin = end;
    }
  }

  void select(std::size_t axis, Range range) {
    current_.begin[axis] = range.begin;
    current_.extent[axis] = range.size();
  }

  void add() {
    current_.offset += current_.count;
    current_.count = count(current_.extent);
    pieces_.push_back(current_);
  }

  Piece slab_;
  const Shape& chunk_;
  std::int64_t limit_;
  Shape bytes_below_;  // [axis]: of everything at one index of the axes before
  Piece current_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Piece> cut_slab(const Shape& shape, const Slab& slab, std::int64_t element_bytes,
                            const Shape& chunk, std::int64_t limit) {
  if (shape.empty()) return {Piece{{}, {}, 0, 1}};
  if (slab.range.size() <= 0 || count(shape) == 0) return {};
  Cutter cutter(shape, slab, chunk, element_bytes, limit);
  cutter.cut(0);
  return std::move(cutter).pieces();
}

std::vector<Piece> cut_rows(const Shape& shape, Range rows, std::int64_t element_bytes,
                            const Shape& chunk, std::int64_t limit) {
  return cut_slab(shape, {0, rows}, element_bytes, chunk, limit);
}

SpaceHandle select_piece(hid_t file_space, const Piece& piece, const Place& place) {
  if (!piece.begin.empty()) {
    const std::vector<hsize_t> begin(piece.begin.begin(), piece.begin.end());
    const std::vector<hsize_t> extent(piece.extent.begin(), piece.extent.end());
    place.check(H5Sselect_hyperslab(file_space, H5S_SELECT_SET, begin.data(), nullptr,
                                    extent.data(), nullptr),
                "select rows");
  }
  const auto elements = static_cast<hsize_t>(piece.count);
  return SpaceHandle(place.check(H5Screate_simple(1, &elements, nullptr), "describe the memory"));
}

}  // namespace kmap::io
