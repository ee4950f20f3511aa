#pragma once

#include "libraries.hpp"
#include "table.hpp"

namespace kmap::test {

struct WorstFloat {
  double error = 0;
  float x = 0;
  float y = 0;
};

/// The largest error of a function of floats, in units in the last place, among each `stride`th of
/// all floats. What the function of doubles says is the measure, and MPFR where the error is as
/// large as the bound.
WorstFloat worst_float(const Library& library, const UnaryClaim& claim, std::uint64_t stride);

}  // namespace kmap::test
