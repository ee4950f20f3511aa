#pragma once
// Changing element types on reading, without ever losing range silently.

#include "io/handles.hpp"

#include "kmap/dtype.hpp"

#include <cstdint>
#include <string>

namespace kmap::io {

// What a conversion by HDF5 ran into.
struct ConversionFault {
  bool found = false;
  std::string value;  // "300", "a fraction (2.5)", "NaN"; empty if not known
};

// Lets HDF5 report to `fault`, which must outlive the list, values that the memory type cannot
// hold, and stop there.
void report_faults(hid_t transfer, ConversionFault& fault, const Place& place);

// `count` values of `narrow`, which stand at the very end of a buffer for `count` values of `wide`,
// become those. From bool to any type, and from real to complex.
void widen_in_place(DType narrow, DType wide, void* buffer, std::int64_t count);

// Index of the first of `count` bytes that is neither 0 nor 1, or -1.
std::int64_t first_not_bool(const void* bytes, std::int64_t count);

}  // namespace kmap::io
