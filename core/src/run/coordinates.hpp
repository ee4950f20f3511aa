#pragma once
// The coordinates of outputs: datasets that a job writes once, whatever its batch.

#include "io/output.hpp"
#include "plan/plan.hpp"

#include "kmap/communicator.hpp"

#include <vector>

namespace kmap::run {

// Makes their datasets, each with an attribute `units` if it has a unit. Returns their numbers in
// `file`, in the order of the plan. Collective.
std::vector<int> create_coordinates(const plan::Plan& plan, io::OutputFile& file);

// Rank 0 computes and writes their values. Collective.
void write_coordinates(const Communicator& comm, const plan::Plan& plan, io::OutputFile& file,
                       const std::vector<int>& datasets);

}  // namespace kmap::run
