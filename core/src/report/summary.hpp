#pragma once
// What a run did and how long it took.

#include "config/job_config.hpp"
#include "plan/plan.hpp"
#include "run/run_plan.hpp"

#include "kmap/communicator.hpp"

#include <string>

namespace kmap::report {

struct Spread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

// Seconds by stage over all ranks.
struct RunTimes {
  double total = 0;  // from the start of the run to the file under its final name
  Spread read;
  Spread map;
  Spread write;
  Spread wait;
};

// Collective.
RunTimes gather_times(const Communicator& comm, const run::RankTimes& mine, double total);

std::string summary_text(const config::JobConfig& job, const plan::Plan& plan,
                         const RunTimes& times);

}  // namespace kmap::report
