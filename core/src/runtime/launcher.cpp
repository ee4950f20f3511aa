#include "runtime/launcher.hpp"

#include <array>

namespace kmap::detail {

namespace {

// Open MPI's mpirun; Hydra, PALS and Slurm's PMI; MVAPICH2's; Hydra's, of the node.
constexpr std::array<const char*, 4> sizes = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE",
                                              "MV2_COMM_WORLD_SIZE", "MPI_LOCALNRANKS"};

Launch launch(const GetVariable& get, const std::string& variable, long long processes) {
  return {variable + "=" + get(variable).value_or(""), processes};
}

// In a step of srun, and not in the batch script or the interactive shell of the job, whose step
// numbers are the last of 32 bits.
bool in_srun_step(const GetVariable& get) {
  constexpr long long first_special = 0xfffffff0;
  std::optional<long long> step = count_variable(get, "SLURM_STEP_ID");
  if (!step) step = count_variable(get, "SLURM_STEPID");
  return step && *step < first_special && get("SLURM_PROCID");
}

}  // namespace

std::optional<Launch> find_launch(const GetVariable& get) {
  // The nearest launcher decides: mpirun inside a step of srun inherits the variables of the step.
  for (const char* name : sizes) {
    const std::optional<long long> size = count_variable(get, name);
    if (!size) continue;
    return *size > 1 ? std::optional(launch(get, name, *size)) : std::nullopt;
  }
  if (in_srun_step(get)) {
    for (const char* name : {"SLURM_STEP_NUM_TASKS", "SLURM_NTASKS"}) {
      const std::optional<long long> tasks = count_variable(get, name);
      if (!tasks) continue;
      return *tasks > 1 ? std::optional(launch(get, name, *tasks)) : std::nullopt;
    }
  }
  // PMIx tells its clients how many there are, but not the environment.
  const std::optional<long long> rank = count_variable(get, "PMIX_RANK");
  return rank && *rank > 0 ? std::optional(launch(get, "PMIX_RANK", *rank + 1)) : std::nullopt;
}

bool is_launched(const GetVariable& get) {
  return get("OMPI_COMM_WORLD_RANK") || get("PMI_RANK") || get("MV2_COMM_WORLD_RANK") ||
         in_srun_step(get);
}

WrongLaunch wrong_launch(const Launch& launch, const std::string& mpi) {
  return {"MPI says that this process is alone, rank 0 of 1, but " + launch.variable +
              " says that at least " + std::to_string(launch.processes) +
              " were started: the launcher is not that of kmap's MPI (" + mpi +
              "), and each process would do the whole job",
          "start kmap by the mpirun of the MPI that it was built with, or build it with the MPI of "
          "this launcher; under Slurm try srun --mpi=pmix (srun --mpi=list shows what there is)"};
}

}  // namespace kmap::detail
