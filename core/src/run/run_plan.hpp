#pragma once
// Read -> map -> collect -> write, over the blocks of a plan.

#include "io/input.hpp"
#include "io/output.hpp"
#include "plan/plan.hpp"

#include "kmap/communicator.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace kmap::run {

// Seconds of this rank by stage, and what went through it.
struct RankTimes {
  double read = 0;
  double map = 0;
  double write = 0;
  double wait = 0;  // for other ranks, in each block
  std::int64_t rows = 0;
};

// Whether blocks are copied to a device and back: always with a device that cannot reach the host's
// memory, otherwise if the config asks for it.
bool is_staged(config::Staging staging);

// Called on every rank when a step is done, with the number of rows that all ranks have done.
using AfterStep = std::function<void(std::int64_t)>;

class ShardRunner;

// A plan and what it takes to run it.
class Job {
 public:
  // Makes room for blocks. A kernel that takes a context is called for the first example, to see
  // which collectives it will call, and throws, before any pass over the data, if the ranks have
  // too little memory for them. All that is given has to outlive the job. Collective.
  Job(const Communicator& comm, const plan::Plan& plan,
      const std::vector<io::InputDataset>& inputs);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Runs the plan over its blocks and writes the outputs, whose numbers in `file` are `datasets`,
  // in the order of the plan. A failure on one rank becomes the same agreed error on all.
  // Collective.
  RankTimes run(io::OutputFile& file, const std::vector<int>& datasets,
                const AfterStep& after_step = {});

 private:
  RankTimes times_;
  std::unique_ptr<ShardRunner> shard_;  // null if there is nothing to do
};

}  // namespace kmap::run
