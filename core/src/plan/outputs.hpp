#pragma once
// The datasets that a job writes.

#include "plan/plan.hpp"

namespace kmap::plan {

// Numbers of bytes are 64-bit integers: throws a ShapeError for a shape whose number is near their
// end, before it is computed.
void refuse_too_large(const std::string& what, const Shape& shape);

// Adds the outputs and coordinates to a plan whose levels and kernel are known. `sizes`: of all
// named dimensions.
void add_outputs(const config::JobConfig& job, const DimSizes& sizes, Plan& plan);

}  // namespace kmap::plan
