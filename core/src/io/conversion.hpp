#pragma once
// Changing element types without ever losing range silently.
//
// HDF5 could convert on reading and writing, and only turns byte orders here: it clips by default,
// and where only byte order and sign differ (big-endian i8 to u8) it turns the bytes and reports
// nothing.

#include "kmap/dtype.hpp"

#include <cstdint>
#include <string>

namespace kmap::io {

// Whether values of `from` can become `to` if it holds them: always but from complex to real.
bool can_convert(DType from, DType to);

// Converts `count` values. Returns -1, or the index of the first value that `to` cannot hold: out
// of range, with a fraction or NaN for integers, other than 0 and 1 for bool. Rounding is no fault,
// nor are infinities and NaN in floats. `source` may be the end of the target's own memory if its
// elements are not larger.
std::int64_t convert(DType from, const void* source, DType to, void* target, std::int64_t count);

// A value for people: "300", "2.5", "nan", "(1, -2)".
std::string value_text(DType type, const void* value);

}  // namespace kmap::io
