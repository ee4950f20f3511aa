#pragma once
// What a run did, for people.

#include "config/job_config.hpp"
#include "plan/plan.hpp"
#include "report/record.hpp"

#include <string>

namespace kmap::report {

// Examples, bytes, throughput, seconds by stage over the ranks, memory, a rank that was slow, and
// the output. Several lines.
std::string summary_text(const config::JobConfig& job, const plan::Plan& plan,
                         const RunRecord& record);

}  // namespace kmap::report
