#pragma once
// The plan for people.

#include "config/job_config.hpp"
#include "plan/plan.hpp"

#include "kmap/runtime.hpp"

#include <string>

namespace kmap::report {

// What the job will do: inputs, mapped axis, ranks, blocks, memory, outputs. Several lines.
std::string plan_text(const config::JobConfig& job, const plan::Plan& plan,
                      const Placement& placement);

}  // namespace kmap::report
