#pragma once
// Runs a case with the library.

#include "conformance/case.hpp"

#include "kmap/communicator.hpp"

#include <stdexcept>
#include <vector>

namespace kmap::test {

// Thrown where a case would need a pmap that is not compiled in, to save time: for some forms
// without collectives. The cases that JAX computes by pmap are all there.
struct NoPmap : std::logic_error {
  using std::logic_error::logic_error;
};

// Its outputs. With a pmap among its levels (unless all_vmap makes that a vmap, too) this is
// collective, and the outputs are on rank 0 alone. Throws what the library throws, and
// std::logic_error where a result has another shape or type than c.y says, or the case is of a form
// that is not compiled in.
std::vector<CaseArray> run_case(const Case& c, const Communicator& comm, bool all_vmap = false);

// The parts of run_case, each compiled on its own; false if the case is not theirs.
bool run_functions(const Case& c, const Communicator& comm, bool all_vmap,
                   std::vector<CaseArray>& result);
bool run_types(const Case& c, const Communicator& comm, bool all_vmap,
               std::vector<CaseArray>& result);
bool run_one_axis(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result);
bool run_two_axes(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result);
bool run_three_axes(const Case& c, const Communicator& comm, bool all_vmap,
                    std::vector<CaseArray>& result);

}  // namespace kmap::test
