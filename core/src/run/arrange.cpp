#include "run/arrange.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstring>

namespace kmap::run {

namespace {

// Both sides of a tile stay in the first cache, whichever of them is strided.
constexpr std::int64_t tile = 32;

// RunBytes 0: known only at run time.
template <std::int64_t RunBytes>
struct CopyTile {
  Source source;
  RowPlaces rows;
  std::byte* target;
  std::int64_t tiles_of_rows;

  void operator()(std::int64_t index) const {
    const std::int64_t first_row = index % tiles_of_rows * tile;
    const std::int64_t first_part = index / tiles_of_rows * tile;
    const std::int64_t end_row = std::min(rows.count, first_row + tile);
    const std::int64_t end_part = std::min(source.outer, first_part + tile);
    for (std::int64_t row = first_row; row < end_row; ++row) {
      const std::byte* from = source.data + rows.first_bytes + row * rows.step_bytes;
      for (std::int64_t part = first_part; part < end_part; ++part) {
        copy(target + (row * source.outer + part) * rows.run_bytes,
             from + part * source.outer_bytes);
      }
    }
  }

  void copy(std::byte* to, const std::byte* from) const {
    if constexpr (RunBytes > 0) {
      std::memcpy(to, from, RunBytes);
    } else {
      std::memcpy(to, from, static_cast<std::size_t>(rows.run_bytes));
    }
  }
};

template <std::int64_t RunBytes>
void copy_tiles(const Source& source, const RowPlaces& rows, std::byte* target) {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const std::int64_t tiles_of_rows = (rows.count + tile - 1) / tile;
  const std::int64_t tiles_of_parts = (source.outer + tile - 1) / tile;
  Kokkos::parallel_for(
      "kmap:arrange",
      Kokkos::RangePolicy<Host, Kokkos::IndexType<std::int64_t>>(0, tiles_of_rows * tiles_of_parts),
      CopyTile<RunBytes>{source, rows, target, tiles_of_rows});
  Host().fence("kmap:arrange");
}

}  // namespace

void arrange_rows(const Source& source, const RowPlaces& rows, std::byte* target) {
  switch (rows.run_bytes) {
    case 1:
      return copy_tiles<1>(source, rows, target);
    case 2:
      return copy_tiles<2>(source, rows, target);
    case 4:
      return copy_tiles<4>(source, rows, target);
    case 8:
      return copy_tiles<8>(source, rows, target);
    case 16:
      return copy_tiles<16>(source, rows, target);
    default:
      return copy_tiles<0>(source, rows, target);
  }
}

}  // namespace kmap::run
