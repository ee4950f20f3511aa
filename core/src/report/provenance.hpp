#pragma once
// Where an output came from, kept in its group /kmap.

#include "config/job_config.hpp"
#include "io/output.hpp"
#include "plan/plan.hpp"

#include "kmap/runtime.hpp"

#include <string>

namespace kmap::report {

// The config and everything known before the run: versions, kernel, parameters, ranks, inputs with
// sizes and times. Collective.
void write_provenance(io::OutputFile& file, const Runtime& runtime, const config::JobConfig& job,
                      const plan::Plan& plan);

// "2026-01-31T12:00:00Z".
std::string utc_now();

}  // namespace kmap::report
