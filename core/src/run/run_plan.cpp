#include "run/run_plan.hpp"

#include "run/buffers.hpp"

#include <chrono>
#include <optional>

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
      : plan_(plan), inputs_(inputs), times_(times) {
    const bool staged = plan.resources.staged;
    for (const plan::InputPlan& input : plan.inputs) {
      const std::int64_t bytes =
          input.replicated ? input.whole_bytes : input.row_bytes * plan.block_rows;
      input_buffers_.emplace_back(bytes, staged);
      arguments_.input_cores.push_back(input.core);
      arguments_.replicated.push_back(input.replicated);
    }
    for (const plan::OutputPlan& output : plan.outputs) {
      output_buffers_.emplace_back(output.row_bytes * plan.block_rows, staged);
      arguments_.output_cores.push_back(output.core);
    }
    for (const StagedBuffer& buffer : input_buffers_) arguments_.inputs.push_back(buffer.device());
    for (const StagedBuffer& buffer : output_buffers_) {
      arguments_.outputs.push_back(buffer.device());
    }
    arguments_.params = plan.kernel.params.get();
    arguments_.loops = count(plan.loops);
    arguments_.all_rows = plan.rows;
  }

  // Inputs that go whole to every example: once per run.
  void read_replicated() {
    const Timer timer(times_.read);
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const plan::InputPlan& input = plan_.inputs[i];
      if (!input.replicated) continue;
      inputs_[i].read_all(input.type, input_buffers_[i].host());
      input_buffers_[i].to_device(input.whole_bytes);
    }
  }

  void read(Range rows) {
    const Timer timer(times_.read);
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      const plan::InputPlan& input = plan_.inputs[i];
      if (input.replicated) continue;
      const Range from = {input.rows.begin + rows.begin, input.rows.begin + rows.end};
      inputs_[i].read_rows(from, input.type, input_buffers_[i].host());
    }
  }

  void map(Range rows) {
    const Timer timer(times_.map);
    for (std::size_t i = 0; i < plan_.inputs.size(); ++i) {
      input_buffers_[i].to_device(plan_.inputs[i].row_bytes * rows.size());
    }
    arguments_.rows = rows.size();
    arguments_.first_row = rows.begin;
    plan_.instance->run(arguments_);
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      output_buffers_[k].to_host(plan_.outputs[k].row_bytes * rows.size());
    }
  }

  void write(Range rows, io::OutputFile& file, const std::vector<int>& datasets) {
    const Timer timer(times_.write);
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      file.write_rows(datasets[k], rows, plan_.outputs[k].type, output_buffers_[k].host());
    }
    times_.rows += rows.size();
  }

 private:
  const plan::Plan& plan_;
  const std::vector<io::InputDataset>& inputs_;
  RankTimes& times_;
  std::vector<StagedBuffer> input_buffers_;
  std::vector<StagedBuffer> output_buffers_;
  BlockArguments arguments_;
};

}  // namespace

bool is_staged(config::Staging staging) {
  return !kernels_reach_host || staging == config::Staging::always;
}

RankTimes run_plan(const Communicator& comm, const plan::Plan& plan,
                   const std::vector<io::InputDataset>& inputs, io::OutputFile& file,
                   const std::vector<int>& datasets) {
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
    }
    {
      const Timer timer(times.wait);
      detail::agree(comm, failure);
    }
    runner.write(rows, file, datasets);
  }
  return times;
}

}  // namespace kmap::run
