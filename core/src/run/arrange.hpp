#pragma once
// Copying rows along any axis to rows along the leading axis.

#include <cstddef>
#include <cstdint>

namespace kmap::run {

// Memory of shape (outer, span, inner) whose middle axis has the rows.
struct Source {
  const std::byte* data = nullptr;
  std::int64_t outer = 1;
  std::int64_t outer_bytes = 0;  // from one index of the outer axis to the next
};

// Row i is what begins at first_bytes + i * step_bytes in each part of the outer axis.
struct RowPlaces {
  std::int64_t count = 0;
  std::int64_t first_bytes = 0;
  std::int64_t step_bytes = 0;
  std::int64_t run_bytes = 0;  // of a row in one part
};

// Writes the rows, each (outer, run), one after the other. Uses the host's threads.
void arrange_rows(const Source& source, const RowPlaces& rows, std::byte* target);

}  // namespace kmap::run
