#pragma once
// Which of the types that a kernel is compiled for its inputs are read as.

#include "kmap/dtype.hpp"

#include <optional>
#include <vector>

namespace kmap::plan {

// Whether every value of `from` is read as `to` without losing range: to itself, a wider one of its
// kind, from integers to wider integers and f8 (as NumPy promotes; i8 beyond 2^53 is rounded), from
// real to complex.
bool is_safe(DType from, DType to);

// The first of the usual order (integers by size, then f4, f8, c8, c16) among `allowed` that all of
// `stored` convert to safely, or nothing.
std::optional<DType> choose_type(const std::vector<DType>& stored,
                                 const std::vector<DType>& allowed);

}  // namespace kmap::plan
