#pragma once
// The plan for people.

#include "config/job_config.hpp"
#include "io/output.hpp"
#include "plan/plan.hpp"

#include "kmap/runtime.hpp"

#include <string>

namespace kmap::report {

// What the job will do: inputs, mapped axis, ranks, blocks, memory, outputs. Several lines.
std::string plan_text(const config::JobConfig& job, const plan::Plan& plan,
                      const Placement& placement);

// What a dry run says besides: what one example of each input and output is, where the output will
// be, what is there already and how much room there is. Several lines.
std::string details_text(const config::JobConfig& job, const plan::Plan& plan,
                         const io::OutputState& output);

}  // namespace kmap::report
