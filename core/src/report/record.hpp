#pragma once
// What a run did and how long it took, on every rank.

#include "plan/plan.hpp"
#include "run/run_plan.hpp"

#include "kmap/communicator.hpp"
#include "kmap/runtime.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace kmap::report {

struct Spread {
  double least = 0;
  double mean = 0;
  double most = 0;
};

struct RankRecord {
  std::string host;
  int threads = 1;
  int device = -1;
  std::int64_t rows = 0;
  std::int64_t peak_memory = 0;  // bytes resident at most, of the whole process
  run::RankTimes times;

  // Seconds in which it did not wait.
  double busy() const { return times.read + times.map + times.write; }
};

struct RunRecord {
  double seconds = 0;             // from the start of the command to the output under its name
  std::vector<RankRecord> ranks;  // by rank

  Spread spread(double run::RankTimes::* stage) const;
  Spread peak_memory() const;
};

// All ranks' records, on rank 0; on the others an empty one. Collective.
RunRecord gather_record(const Communicator& comm, const Placement& placement,
                        const run::RankTimes& mine, double seconds);

// The rank that the others waited for, if one did much more than they, or -1.
int slow_rank(const RunRecord& record);

// Bytes of the inputs and of the outputs.
std::int64_t bytes_read(const plan::Plan& plan);
std::int64_t bytes_written(const plan::Plan& plan);

}  // namespace kmap::report
