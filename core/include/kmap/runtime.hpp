#pragma once
/// \file
/// Start and end of a program that uses kmap: MPI first, then Kokkos; ended in reverse.

#include "kmap/communicator.hpp"

#include <concepts>
#include <memory>
#include <string>
#include <vector>

namespace kmap {

struct RuntimeOptions {
  /// Allow more ranks on a node than it has devices; they then share devices in turn.
  bool allow_device_sharing = false;
};

/// Where one rank runs.
struct Placement {
  std::string host;
  int node_rank = 0;           ///< this rank's place among the ranks of its node
  int node_size = 1;           ///< ranks on its node
  int cores = 1;               ///< cores that the rank may use (its affinity mask)
  std::vector<int> core_list;  ///< their numbers, before OpenMP bound any thread
  int sharers = 1;             ///< ranks of the node whose masks overlap with it, itself included
  int threads = 1;             ///< host threads that Kokkos uses in this rank
  int device = -1;             ///< number of its device on the node, -1 without devices
  std::string backend;         ///< Kokkos' default execution space
};

/// The device of a rank: its place on the node. Without devices (`devices` <= 0) the answer is -1.
/// Throws RuntimeError if more ranks than devices are on the node and sharing is not allowed.
int choose_device(int node_rank, int node_size, int devices, bool allow_sharing);

/// Host threads of a rank: the cores it may use divided by the ranks that share them, at least 1.
int choose_threads(int cores, int sharers);

/// Guard object: make one at the start of main, before anything of MPI, Kokkos or kmap.
///
/// Initialises MPI (unless it is already) and Kokkos (unless it is already) and ends in reverse
/// what it began. Threads per rank are those of `--kokkos-num-threads`, KOKKOS_NUM_THREADS or
/// OMP_NUM_THREADS where given, otherwise the rank's share of its cores. Kokkos' own flags are
/// taken out of argv. Collective over MPI_COMM_WORLD, as is the destructor.
class Runtime {
 public:
  Runtime(int& argc, char** argv, const RuntimeOptions& options = {});
  ~Runtime();
  Runtime(const Runtime&) = delete;
  Runtime& operator=(const Runtime&) = delete;

  /// All ranks of the program.
  const Communicator& comm() const noexcept { return *comm_; }
  const Placement& placement() const noexcept { return placement_; }

  /// Gives back to the system the memory on the host that this rank keeps for the arrays it makes
  /// next: that of outputs, shards and random arrays which nobody holds any more. Not collective.
  void release_memory() const;

 private:
  bool began_mpi_ = false;
  bool began_kokkos_ = false;
  std::unique_ptr<Communicator> comm_;
  Placement placement_;
};

/// Runs the body of a program and turns what it throws into an exit code. An agreed Error is
/// printed by rank 0 and its code returned on all ranks; any other exception is printed by the rank
/// that caught it and ends the whole job at once by MPI_Abort, since other ranks may be waiting.
template <std::invocable Body>
int guarded_main(const Communicator& comm, Body&& body);

namespace detail {
/// Handles the exception in flight for guarded_main; returns only for an agreed error.
int report_failure(const Communicator& comm);
}  // namespace detail

template <std::invocable Body>
int guarded_main(const Communicator& comm, Body&& body) {
  try {
    return static_cast<int>(body());
  } catch (...) {
    return detail::report_failure(comm);
  }
}

}  // namespace kmap
