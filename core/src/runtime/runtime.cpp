#include "kmap/runtime.hpp"

#include "runtime/colour.hpp"
#include "runtime/cores.hpp"
#include "runtime/memory.hpp"

#include "kmap/detail/host_memory.hpp"
#include "kmap/detail/kept_views.hpp"

#include <Kokkos_Core.hpp>

#include <unistd.h>

#include <algorithm>
#include <bitset>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace kmap {

namespace {

void begin_mpi(int& argc, char**& argv) {
  int provided = MPI_THREAD_SINGLE;
  check_mpi(MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided), "MPI_Init_thread");
  if (provided < MPI_THREAD_FUNNELED) {
    throw RuntimeError("this MPI library has no support for threads",
                       "use an MPI built with thread support (MPI_THREAD_FUNNELED or more)");
  }
}

using CoreMask = std::bitset<16384>;  // more than Linux can have

// All cores if the system does not say which: then they may be shared.
CoreMask mask_of(const std::vector<int>& cores) {
  CoreMask mask;
  for (const int core : cores) {
    if (static_cast<std::size_t>(core) < mask.size()) mask.set(static_cast<std::size_t>(core));
  }
  return mask.none() ? mask.set() : mask;
}

// How many ranks of the node may run on a core of this rank. Collective over `node`.
int count_sharers(const Communicator& node, const CoreMask& mine) {
  std::vector<CoreMask> masks(static_cast<std::size_t>(node.size()));
  check_mpi(
      MPI_Allgather(&mine, sizeof mine, MPI_BYTE, masks.data(), sizeof mine, MPI_BYTE, node.get()),
      "MPI_Allgather");
  return static_cast<int>(std::count_if(
      masks.begin(), masks.end(), [&](const CoreMask& other) { return (mine & other).any(); }));
}

std::string host_name() {
  char text[MPI_MAX_PROCESSOR_NAME];
  int length = 0;
  check_mpi(MPI_Get_processor_name(text, &length), "MPI_Get_processor_name");
  return std::string(text, length);
}

bool has_flag(int argc, char** argv, std::string_view flag) {
  return std::any_of(argv, argv + argc, [&](const char* argument) {
    return argument != nullptr && std::string_view(argument).starts_with(flag);
  });
}

bool threads_chosen_by_user(int argc, char** argv) {
  return has_flag(argc, argv, "--kokkos-num-threads") ||
         std::getenv("KOKKOS_NUM_THREADS") != nullptr || std::getenv("OMP_NUM_THREADS") != nullptr;
}

bool is_kokkos_flag(const char* argument) {
  return std::string_view(argument).starts_with("--kokkos-");
}

// Kokkos' flags leave argv: Kokkos reads them, the program's own parser must not meet them.
std::vector<std::string> take_kokkos_flags(int& argc, char** argv) {
  std::vector<std::string> flags;
  int kept = 0;
  for (int i = 0; i < argc; ++i) {
    if (i > 0 && is_kokkos_flag(argv[i])) {
      flags.emplace_back(argv[i]);
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  return flags;
}

void initialize_kokkos(std::vector<std::string> flags) {
  std::vector<char*> pointers;
  std::string program = "kmap";
  pointers.push_back(program.data());
  for (std::string& flag : flags) pointers.push_back(flag.data());
  auto count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  Kokkos::initialize(count, pointers.data());
}

Placement locate(const Communicator& comm) {
  const Communicator node = comm.split_by_node();
  Placement placement;
  placement.host = host_name();
  placement.node_rank = node.rank();
  placement.node_size = node.size();
  placement.core_list = detail::own_cores();
  placement.cores = std::max(1, static_cast<int>(placement.core_list.size()));
  placement.sharers = count_sharers(node, mask_of(placement.core_list));
  placement.threads = choose_threads(placement.cores, placement.sharers);
  return placement;
}

void begin_kokkos(int& argc, char** argv, const RuntimeOptions& options, Placement& placement) {
  const bool user_threads = threads_chosen_by_user(argc, argv);
  const bool user_device = has_flag(argc, argv, "--kokkos-device-id");
  std::vector<std::string> flags = take_kokkos_flags(argc, argv);
  placement.device = choose_device(placement.node_rank, placement.node_size, Kokkos::num_devices(),
                                   options.allow_device_sharing);
  if (!user_threads) flags.push_back("--kokkos-num-threads=" + std::to_string(placement.threads));
  if (!user_device && placement.device >= 0) {
    flags.push_back("--kokkos-device-id=" + std::to_string(placement.device));
  }
  // Kokkos warns on every rank that threads are not bound; the placement is kmap's to report.
  if (std::getenv("KOKKOS_DISABLE_WARNINGS") == nullptr) {
    flags.emplace_back("--kokkos-disable-warnings");
  }
  initialize_kokkos(std::move(flags));
}

void stop_keeping_views() { detail::kept_views().set_limit(0); }

// An eighth of the rank's share of the node at most: half of it for large arrays, half for the
// rest.
void keep_memory(const Placement& placement) {
  const std::int64_t half = detail::node_memory() / (16 * placement.node_size);
  detail::keep_freed_memory(half);
  detail::kept_views().set_limit(half);
  // Views must not outlive Kokkos, which may end before Runtime where that did not begin it.
  Kokkos::push_finalize_hook(stop_keeping_views);
}

}  // namespace

int choose_device(int node_rank, int node_size, int devices, bool allow_sharing) {
  if (devices <= 0) return -1;
  if (node_size > devices && !allow_sharing) {
    throw RuntimeError(std::to_string(node_size) + " ranks on a node with " +
                           std::to_string(devices) + (devices == 1 ? " device" : " devices"),
                       "start at most one rank per device, or allow sharing "
                       "(--allow-device-sharing, RuntimeOptions::allow_device_sharing)");
  }
  return node_rank % devices;
}

int choose_threads(int cores, int sharers) { return std::max(1, cores / std::max(1, sharers)); }

Runtime::Runtime(int& argc, char** argv, const RuntimeOptions& options) {
  int initialized = 0;
  check_mpi(MPI_Initialized(&initialized), "MPI_Initialized");
  if (initialized == 0) {
    begin_mpi(argc, argv);
    began_mpi_ = true;
  }
  comm_ = std::make_unique<Communicator>(MPI_COMM_WORLD);
  const auto begin = [&] {
    placement_ = locate(*comm_);
    if (!Kokkos::is_initialized()) {
      begin_kokkos(argc, argv, options, placement_);
      began_kokkos_ = true;
    }
    placement_.threads = Kokkos::DefaultHostExecutionSpace().concurrency();
    placement_.backend = Kokkos::DefaultExecutionSpace::name();
    keep_memory(placement_);
  };
  try {
    begin();
  } catch (...) {
    // Without Kokkos nothing can go on. Other ranks may wait: then the job ends here.
    if (comm_->size() > 1) detail::report_failure(*comm_);
    comm_.reset();
    if (began_mpi_) MPI_Finalize();
    throw;
  }
}

Runtime::~Runtime() {
  stop_keeping_views();
  if (began_kokkos_) Kokkos::finalize();
  comm_.reset();
  if (began_mpi_) MPI_Finalize();
}

void Runtime::release_memory() const {
  detail::kept_views().clear();
  detail::return_freed_memory();
}

namespace detail {

namespace {

void print_error(const std::string& message, const std::string& where) {
  std::fputs(error_text(message, where, use_colours(STDERR_FILENO)).c_str(), stderr);
}

std::string rank_text(int rank, const Communicator& comm) {
  return "[rank " + std::to_string(rank) + "/" + std::to_string(comm.size()) + "]";
}

[[noreturn]] void abort_job(const Communicator& comm, const Failure& failure) {
  print_error(failure.message, rank_text(comm.rank(), comm));
  std::fflush(stderr);
  std::fflush(stdout);
  MPI_Abort(comm.get(), static_cast<int>(failure.code));
  std::abort();
}

}  // namespace

int report_failure(const Communicator& comm) {
  const Failure failure = current_failure();
  try {
    throw;
  } catch (const Error& error) {
    if (!error.agreed()) {
      if (comm.size() > 1) abort_job(comm, failure);
    } else if (error.rank() > 0) {
      // Which rank it was tells people which node to look at.
      if (comm.is_root()) {
        print_error(error.what(), rank_text(error.rank(), comm));
      }
      return static_cast<int>(failure.code);
    }
  } catch (...) {
    if (comm.size() > 1) abort_job(comm, failure);
  }
  if (comm.is_root()) print_error(failure.message, "");
  return static_cast<int>(failure.code);
}

}  // namespace detail

}  // namespace kmap
