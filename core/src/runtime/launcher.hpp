#pragma once
// What the program that started this process says about it, whatever MPI says.

#include "runtime/environment.hpp"

#include <optional>
#include <string>

namespace kmap::detail {

// Several processes that were started together.
struct Launch {
  std::string variable;  // that says so, as in "PMI_SIZE=4"
  long long processes;   // at least so many
};

// Nothing if the process was started alone, or by itself inside a batch script. Call it before MPI
// starts: MPI libraries leave variables of their own behind.
std::optional<Launch> find_launch(const GetVariable& get);

// True if a launcher has started this process, so that its output is not a person's terminal even
// where it looks like one: Open MPI's mpirun gives each rank a pseudo-terminal.
bool is_launched(const GetVariable& get);

// The error of a process that is rank 0 of 1 for MPI although several were started: each would do
// the whole job, and all would write one file. `mpi` is the name of kmap's MPI.
struct WrongLaunch {
  std::string message;
  std::string remedy;
};
WrongLaunch wrong_launch(const Launch& launch, const std::string& mpi);

}  // namespace kmap::detail
