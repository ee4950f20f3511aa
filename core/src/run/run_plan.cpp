#include "run/run_plan.hpp"

#include "run/buffers.hpp"
#include "run/input_block.hpp"

#include <fmt/format.h>

#include <chrono>
#include <optional>
#include <string>

namespace kmap::run {

namespace {

// Adds the seconds of a scope to a sum.
class Timer {
 public:
  explicit Timer(double& sum) : sum_(sum), start_(Clock::now()) {}
  ~Timer() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double& sum_;
  Clock::time_point start_;
};

// The buffers of one rank and what happens in them for one block.
class BlockRunner {
 public:
  BlockRunner(const plan::Plan& plan, const std::vector<io::InputDataset>& inputs, RankTimes& times)
      : plan_(plan), times_(times) {
    const bool staged = plan.resources.staged;
    for (std::size_t i = 0; i < plan.inputs.size(); ++i) {
      const plan::InputPlan& input = plan.inputs[i];
      inputs_.emplace_back(input, inputs[i], plan.block_rows, staged);
      arguments_.input_cores.push_back(input.core);
      arguments_.replicated.push_back(input.replicated);
    }
    for (const plan::OutputPlan& output : plan.outputs) {
      outputs_.emplace_back(output.row_bytes * plan.block_rows, staged);
      arguments_.output_cores.push_back(output.core);
    }
    for (const InputBlock& input : inputs_) {
      arguments_.inputs.push_back(input.data());
      arguments_.row_strides.push_back(input.row_stride());
    }
    for (const StagedBuffer& buffer : outputs_) arguments_.outputs.push_back(buffer.device());
    arguments_.params = plan.kernel.params.get();
    arguments_.loops = count(plan.loops);
    arguments_.all_rows = plan.rows;
  }

  // Inputs that go whole to every example: once per run.
  void read_replicated() {
    const Timer timer(times_.read);
    for (InputBlock& input : inputs_) input.read_whole();
  }

  void read(Range rows) {
    const Timer timer(times_.read);
    for (InputBlock& input : inputs_) input.read(rows);
  }

  void map(Range rows) {
    const Timer timer(times_.map);
    for (const InputBlock& input : inputs_) input.to_device();
    arguments_.rows = rows.size();
    arguments_.first_row = rows.begin;
    plan_.instance->run(arguments_);
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      outputs_[k].to_host(plan_.outputs[k].row_bytes * rows.size());
    }
  }

  void write(Range rows, io::OutputFile& file, const std::vector<int>& datasets) {
    const double waited_before = file.seconds_waited();
    {
      const Timer timer(times_.write);
      for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
        file.write_rows(datasets[k], rows, plan_.outputs[k].type, outputs_[k].host());
      }
    }
    const double waited = file.seconds_waited() - waited_before;
    times_.write -= waited;
    times_.wait += waited;
    times_.rows += rows.size();
  }

 private:
  const plan::Plan& plan_;
  RankTimes& times_;
  std::vector<InputBlock> inputs_;
  std::vector<StagedBuffer> outputs_;
  BlockArguments arguments_;
};

// Where in the data an error arose, for errors that do not say it themselves.
std::string block_text(const plan::Plan& plan, std::int64_t step, Range rows) {
  return fmt::format("\n  in rows {} to {} of {}, block {} of {} of its rank", rows.begin, rows.end,
                     plan.rows, step + 1, plan.steps);
}

}  // namespace

bool is_staged(config::Staging staging) {
  return !kernels_reach_host || staging == config::Staging::always;
}

RankTimes run_plan(const Communicator& comm, const plan::Plan& plan,
                   const std::vector<io::InputDataset>& inputs, io::OutputFile& file,
                   const std::vector<int>& datasets, const AfterStep& after_step) {
  RankTimes times;
  if (plan.steps == 0) return times;
  BlockRunner runner = agreed(comm, [&] {
    BlockRunner made(plan, inputs, times);
    made.read_replicated();
    return made;
  });
  for (std::int64_t step = 0; step < plan.steps; ++step) {
    const Range rows = plan.block(comm.rank(), step);
    std::optional<detail::Failure> failure;
    try {
      if (rows.size() > 0) {
        runner.read(rows);
        runner.map(rows);
      }
    } catch (...) {
      failure = detail::current_failure();
      failure->message += block_text(plan, step, rows);
    }
    {
      const Timer timer(times.wait);
      detail::agree(comm, failure);
    }
    runner.write(rows, file, datasets);
    if (after_step) after_step(step + 1);
  }
  return times;
}

}  // namespace kmap::run
