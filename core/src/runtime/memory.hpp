#pragma once
// How much memory the processes of this node may use together.

#include "runtime/environment.hpp"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace kmap::detail {

// Bytes of this node.
struct NodeMemory {
  std::int64_t physical = 0;
  std::optional<std::int64_t> group;  // the limit of this process's control groups
  std::optional<std::int64_t> slurm;  // what the job asked of Slurm

  // The smallest of them.
  std::int64_t usable() const;
};

NodeMemory find_node_memory();

// find_node_memory().usable().
std::int64_t node_memory();

// The smallest limit of the control groups that `groups` (/proc/self/cgroup) names and of those
// around them, versions 1 and 2, mounted under `root` (/sys/fs/cgroup); nothing if none is limited.
std::optional<std::int64_t> group_memory(const std::filesystem::path& groups,
                                         const std::filesystem::path& root);

// SLURM_MEM_PER_NODE, or SLURM_MEM_PER_CPU times SLURM_CPUS_ON_NODE; both are in MiB, and 0 stands
// for all that there is.
std::optional<std::int64_t> slurm_memory(const GetVariable& get);

}  // namespace kmap::detail
