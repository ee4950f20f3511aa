#include "run/run_plan.hpp"

#include "run/buffers.hpp"
#include "run/input_block.hpp"

#include <fmt/format.h>

#include <chrono>
#include <memory>
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

  // Nothing to do where these rows were the last ones read, as when all fit into one block.
  void read(Range rows) {
    if (has_read_ && rows == rows_read_) return;
    const Timer timer(times_.read);
    for (InputBlock& input : inputs_) input.read(rows);
    for (const InputBlock& input : inputs_) input.to_device();
    arguments_.rows = rows.size();
    arguments_.first_row = rows.begin;
    rows_read_ = rows;
    has_read_ = true;
  }

  // The block that was read, for a run that keeps no outputs.
  template <class Run>
  void look(const Run& run) {
    const Timer timer(times_.map);
    run(arguments_);
  }

  // Maps the block that was read.
  template <class Run>
  void map(const Run& run) {
    const Timer timer(times_.map);
    const Range rows = rows_read_;
    run(arguments_);
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
  bool has_read_ = false;
  Range rows_read_;
};

// Where in the data an error arose, for errors that do not say it themselves.
std::string block_text(const plan::Plan& plan, std::int64_t step, Range rows) {
  return fmt::format("\n  in rows {} to {} of {}, block {} of {} of its rank", rows.begin, rows.end,
                     plan.rows, step + 1, plan.steps);
}

// What one rank does in all its blocks. Work on a block may fail on one rank alone.
class ShardRunner {
 public:
  ShardRunner(const Communicator& comm, const plan::Plan& plan,
              const std::vector<io::InputDataset>& inputs, RankTimes& times)
      : comm_(comm), plan_(plan), inputs_(inputs), times_(times) {
    agreed(comm, [&] {
      make_runner();
      if (!plan.instance->replay) return;
      replay_ = plan.instance->replay(comm, plan.shard(comm.rank()), plan.rows, count(plan.loops));
    });
  }

  // Runs the kernel as often as it has collectives, to find their results. Collective.
  void replay() {
    if (!replay_) return;
    for (;;) {
      over_blocks(1, [&](const BlockArguments& block) { replay_->probe(block); });
      if (!replay_->found_collective()) break;
      make_room(replay_->operand_bytes() + replay_->result_bytes());
      agreed(comm_, [&] { replay_->allocate(); });
      over_blocks(plan_.steps, [&](const BlockArguments& block) { replay_->record(block); });
      replay_->combine();
    }
    make_room(replay_->result_bytes());
  }

  // Maps and writes all blocks. Collective.
  void run(io::OutputFile& file, const std::vector<int>& datasets, const AfterStep& after_step) {
    for (std::int64_t step = 0; step < plan_.steps; ++step) {
      agree(attempt(
          step, [&] { runner_->map([&](const BlockArguments& block) { run_kernel(block); }); }));
      runner_->write(plan_.block(comm_.rank(), step), file, datasets);
      if (after_step) after_step(plan_.rows_done(step + 1));
    }
  }

 private:
  void make_runner() {
    runner_.reset();  // two at a time would be more than the memory allowed
    runner_.emplace(plan_, inputs_, times_);
    runner_->read_replicated();
  }

  void run_kernel(const BlockArguments& block) const {
    if (replay_) {
      replay_->run(block);
    } else {
      plan_.instance->run(block);
    }
  }

  // Reads a block and works on it.
  template <class Work>
  std::optional<detail::Failure> attempt(std::int64_t step, const Work& work) {
    const Range rows = plan_.block(comm_.rank(), step);
    if (rows.size() == 0) return std::nullopt;
    try {
      runner_->read(rows);
      work();
    } catch (...) {
      auto failure = detail::current_failure();
      failure.message += block_text(plan_, step, rows);
      return failure;
    }
    return std::nullopt;
  }

  // Collective; ranks meet at its end only.
  template <class Work>
  void over_blocks(std::int64_t steps, const Work& work) {
    std::optional<detail::Failure> failure;
    for (std::int64_t step = 0; step < steps && !failure; ++step) {
      failure = attempt(step, [&] { runner_->look(work); });
    }
    agree(failure);
  }

  void agree(const std::optional<detail::Failure>& failure) {
    const Timer timer(times_.wait);
    detail::agree(comm_, failure);
  }

  // Cuts smaller blocks where the operands and results of collectives take `bytes` of the memory.
  // Collective.
  void make_room(std::int64_t bytes) {
    const std::int64_t kept = comm_.max(bytes);
    const std::int64_t before = plan_.block_rows;
    if (!plan_.cut_blocks(kept)) {
      throw Error::agreed_by_all(
          ExitCode::bad_config,
          fmt::format("run.memory: {} bytes are too few: a rank keeps {} bytes for a collective of "
                      "kernel {}, and needs {} besides\n  remedy: allow at least {} bytes (later "
                      "collectives may take more), or use "
                      "more ranks",
                      plan_.resources.memory, kept, plan_.kernel.info->name,
                      plan_.fixed_memory + plan_.row_memory,
                      kept + plan_.fixed_memory + plan_.row_memory),
          -1);
    }
    if (plan_.block_rows != before) agreed(comm_, [&] { make_runner(); });
  }

  const Communicator& comm_;
  plan::Plan plan_;
  const std::vector<io::InputDataset>& inputs_;
  RankTimes& times_;
  std::optional<BlockRunner> runner_;
  std::unique_ptr<KernelReplay> replay_;
};

}  // namespace

bool is_staged(config::Staging staging) {
  return !kernels_reach_host || staging == config::Staging::always;
}

RankTimes run_plan(const Communicator& comm, const plan::Plan& plan,
                   const std::vector<io::InputDataset>& inputs, io::OutputFile& file,
                   const std::vector<int>& datasets, const AfterStep& after_step) {
  RankTimes times;
  if (plan.steps == 0) return times;
  ShardRunner shard(comm, plan, inputs, times);
  shard.replay();
  shard.run(file, datasets, after_step);
  return times;
}

}  // namespace kmap::run
