#pragma once
// Where an output came from: kept in its group /kmap, and in the report of a run.

#include "config/job_config.hpp"
#include "io/output.hpp"
#include "plan/plan.hpp"

#include "kmap/runtime.hpp"

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace kmap::report {

using Fact = std::pair<std::string, std::variant<std::int64_t, double, std::string>>;

struct Provenance {
  std::vector<Fact> run;                                          // versions, ranks, device, time
  std::vector<Fact> params;                                       // of the kernel, defaults too
  std::vector<std::pair<std::string, std::vector<Fact>>> inputs;  // by name
};

// Everything known before the run, as rank 0 sees it, equal on all ranks. Collective.
Provenance collect_provenance(const Runtime& runtime, const plan::Plan& plan);

// Writes it and the config into /kmap. Collective.
void write_provenance(io::OutputFile& file, const Provenance& provenance,
                      const config::JobConfig& job);

// "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace kmap::report
