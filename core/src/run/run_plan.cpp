#include "run/run_plan.hpp"

#include "collect/memory.hpp"
#include "run/buffers.hpp"
#include "run/input_block.hpp"
#include "run/shared_value.hpp"

#include "kmap/detail/profiling.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace kmap::run {

namespace {

// Adds the seconds of a scope to a sum, and shows the scope to Kokkos Tools.
class Stage {
 public:
  Stage(const char* name, double& sum) : region_(name), sum_(sum), start_(Clock::now()) {}
  ~Stage() { sum_ += std::chrono::duration<double>(Clock::now() - start_).count(); }
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  detail::Region region_;
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
      arguments_.input_layouts.push_back(plan.input_layout(i));
    }
    for (const plan::OutputPlan& output : plan.outputs) {
      outputs_.emplace_back(output.row_bytes * plan.block_rows, staged);
      shared_.emplace_back(output);
    }
    for (const InputBlock& input : inputs_) arguments_.inputs.push_back(input.data());
    for (const StagedBuffer& buffer : outputs_) arguments_.outputs.push_back(buffer.device());
    arguments_.output_layouts.resize(outputs_.size());
    arguments_.params = plan.kernel.params.get();
    arguments_.levels = plan.job_levels();
    arguments_.seed = plan.seed;
  }

  // Inputs that go whole to every example: once per run.
  void read_replicated() {
    const auto is_replicated = [](const plan::InputPlan& input) { return input.replicated; };
    if (std::none_of(plan_.inputs.begin(), plan_.inputs.end(), is_replicated)) return;
    const Stage stage("kmap:read", times_.read);
    for (InputBlock& input : inputs_) input.read_whole();
  }

  // Nothing to do where these rows were the last ones read, as when all fit into one block.
  void read(Range rows) {
    if (has_read_ && rows == arguments_.rows) return;
    const Stage stage("kmap:read", times_.read);
    for (InputBlock& input : inputs_) input.read(rows);
    for (const InputBlock& input : inputs_) input.to_device();
    arguments_.rows = rows;
    for (std::size_t k = 0; k < outputs_.size(); ++k) {
      arguments_.output_layouts[k] = plan_.output_layout(k, rows.size());
    }
    has_read_ = true;
  }

  // The block that was read, for a run that keeps no outputs.
  template <class Run>
  void look(const Run& run) {
    const Stage stage("kmap:map", times_.map);
    run(arguments_);
  }

  // Maps the block that was read.
  template <class Run>
  void map(const Run& run) {
    const Stage stage("kmap:map", times_.map);
    run(arguments_);
    const std::int64_t rows = arguments_.rows.size();
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      const plan::OutputPlan& output = plan_.outputs[k];
      outputs_[k].to_host(output.row_bytes * rows);
      const auto* values = static_cast<const std::byte*>(outputs_[k].host());
      const std::int64_t bytes =
          plan_.output_elements(k, rows) * static_cast<std::int64_t>(size_of(output.type));
      require_alike(output, values, plan_.output_copies(k, rows), bytes);
      if (!output.row_axis()) shared_[k].take(values, bytes);
    }
  }

  void write(Range rows, io::OutputFile& file, const std::vector<int>& datasets) {
    timed_write(file, [&] {
      for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
        const plan::OutputPlan& output = plan_.outputs[k];
        const auto axis = output.row_axis();
        if (axis) file.write_slab(datasets[k], *axis, rows, output.type, outputs_[k].host());
      }
    });
    times_.rows += rows.size();
  }

  // Behind the last block: outputs without an axis of the batch, by rank 0. Collective.
  void write_shared(const Communicator& comm, io::OutputFile& file,
                    const std::vector<int>& datasets) {
    for (std::size_t k = 0; k < plan_.outputs.size(); ++k) {
      const plan::OutputPlan& output = plan_.outputs[k];
      if (output.row_axis()) continue;
      shared_[k].agree(comm);
      const std::int64_t all = output.shape.empty() ? 1 : output.shape.front();
      timed_write(file, [&] {
        file.write_slab(datasets[k], 0, {0, comm.is_root() ? all : 0}, output.type,
                        shared_[k].data());
      });
    }
  }

 private:
  template <class Write>
  void timed_write(const io::OutputFile& file, const Write& write) {
    const double waited_before = file.seconds_waited();
    {
      const Stage stage("kmap:write", times_.write);
      write();
    }
    const double waited = file.seconds_waited() - waited_before;
    times_.write -= waited;
    times_.wait += waited;
  }

  const plan::Plan& plan_;
  RankTimes& times_;
  std::vector<InputBlock> inputs_;
  std::vector<StagedBuffer> outputs_;
  std::vector<SharedValue> shared_;  // of every output; used for those without an axis of the batch
  BlockArguments arguments_;
  bool has_read_ = false;
};

// Where in the data an error arose, for errors that do not say it themselves.
std::string block_text(const plan::Plan& plan, std::int64_t step, Range rows) {
  return fmt::format("\n  in rows {} to {} of {}, block {} of {} of its rank", rows.begin, rows.end,
                     plan.rows, step + 1, plan.steps);
}

}  // namespace

// What one rank does in all its blocks. Work on a block may fail on one rank alone.
class ShardRunner {
 public:
  ShardRunner(const Communicator& comm, const plan::Plan& plan,
              const std::vector<io::InputDataset>& inputs, RankTimes& times)
      : comm_(comm), plan_(plan), inputs_(inputs), times_(times) {
    agreed(comm, [&] {
      make_runner();
      if (!plan.instance->replay || rows_are_apart()) return;
      const detail::Region region("kmap:collect");
      replay_ = plan.instance->replay(&comm, plan.job_levels(), plan.shard(comm.rank()));
    });
  }

  // Sees what the kernel will call, before any pass over the data. Collective.
  void look_ahead() {
    if (!plan_.instance->replay) return;
    const detail::Region region("kmap:collect");
    if (replay_) {
      find_collective();
    } else {
      try_one_row();
    }
  }

  // Runs the kernel as often as it has collectives, to find their results. Collective.
  void replay() {
    if (!replay_) return;
    const detail::Region region("kmap:collect");
    while (found_) {
      replay_->begin_recording(make_room(replay_->needs().front()));
      over_blocks(plan_.steps, [&](const BlockArguments& block) { replay_->record(block); });
      replay_->combine();
      find_collective();
    }
    keep_blocks([&] { plan_.cut_blocks(comm_.max(replay_->result_bytes())); });
  }

  // Maps and writes all blocks. Collective.
  void run(io::OutputFile& file, const std::vector<int>& datasets, const AfterStep& after_step) {
    for (std::int64_t step = 0; step < plan_.steps; ++step) {
      agree(attempt(
          step, [&] { runner_->map([&](const BlockArguments& block) { run_kernel(block); }); }));
      runner_->write(plan_.block(comm_.rank(), step), file, datasets);
      if (after_step) after_step(plan_.rows_done(step + 1));
    }
    runner_->write_shared(comm_, file, datasets);
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
    } else if (rows_are_apart()) {
      run_apart(block);
    } else {
      plan_.instance->run(block);
    }
  }

  // Rows may call collectives that differ, as in loops that end sooner for some: then each is
  // replayed for itself, so that the blocks decide nothing.
  void run_apart(const BlockArguments& block) const {
    try {
      replay_alone(block)->run(block);
      return;
    } catch (const ShapeError&) {
      if (block.rows.size() == 1) throw;
    }
    for (std::int64_t row = block.rows.begin; row < block.rows.end; ++row) {
      const BlockArguments alone = row_of(block, row);
      replay_alone(alone)->run(alone);
    }
  }

  // One row of a block.
  BlockArguments row_of(BlockArguments block, std::int64_t row) const {
    const std::int64_t index = row - block.rows.begin;
    for (std::size_t i = 0; i < block.inputs.size(); ++i) {
      const std::int64_t elements = index * block.input_layouts[i].strides.front();
      block.inputs[i] = static_cast<const std::byte*>(block.inputs[i]) +
                        elements * static_cast<std::int64_t>(size_of(plan_.inputs[i].type));
    }
    for (std::size_t k = 0; k < block.outputs.size(); ++k) {
      const std::int64_t elements = index * block.output_layouts[k].strides.front();
      block.outputs[k] = static_cast<std::byte*>(block.outputs[k]) +
                         elements * static_cast<std::int64_t>(size_of(plan_.outputs[k].type));
    }
    block.rows = {row, row + 1};
    return block;
  }

  // Collectives over axes inside of a row: each block is replayed for itself.
  bool rows_are_apart() const {
    return plan_.instance->replay && plan_.job_levels().rows_are_apart();
  }

  // Finds the results of all collectives of these rows. `look` sees the replay before each.
  template <class Look>
  std::unique_ptr<KernelReplay> replay_alone(const BlockArguments& block, const Look& look) const {
    auto replay = plan_.instance->replay(nullptr, block.levels, block.rows);
    for (;;) {
      replay->probe(block);
      if (!replay->found_collective()) return replay;
      look(*replay);
      replay->begin_recording(INT64_MAX);
      replay->record(block);
      replay->combine();
    }
  }
  std::unique_ptr<KernelReplay> replay_alone(const BlockArguments& block) const {
    return replay_alone(block, [](const KernelReplay&) {});
  }

  // What the collectives of a row take, each row of a block takes. Collective.
  void try_one_row() {
    detail::CollectiveNeed worst;
    std::int64_t most = 0;
    over_blocks(1, [&](BlockArguments block) {
      block.rows.end = block.rows.begin + 1;
      replay_alone(block, [&](const KernelReplay& replay) {
        const detail::CollectiveNeed need = replay.needs().front();
        if (need.bytes(need.least_run) <= most) return;
        worst = need;
        most = need.bytes(need.least_run);
      });
    });
    const std::int64_t bytes = comm_.max(most);
    if (bytes == 0) return;
    if (!fits(bytes)) refuse(worst, bytes);
    plan_.row_memory += bytes;
    keep_blocks([&] { plan_.cut_blocks(); });
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
    const Stage stage("kmap:wait", times_.wait);
    detail::agree(comm_, failure);
  }

  // The next one whose result is not known, and whether there is memory for it and for those that
  // are expected behind it. Collective.
  void find_collective() {
    over_blocks(1, [&](const BlockArguments& block) { replay_->probe(block); });
    found_ = replay_->found_collective();
    const detail::CollectiveNeed* worst = nullptr;
    std::int64_t most = 0;
    const std::vector<detail::CollectiveNeed> needs = replay_->needs();
    for (const detail::CollectiveNeed& need : needs) {
      const std::int64_t bytes = comm_.max(need.bytes(need.least_run));
      if (worst == nullptr || bytes > most) {
        worst = &need;
        most = bytes;
      }
    }
    if (worst != nullptr && !fits(most)) refuse(*worst, most);
  }

  // Whether there is memory for so much beside a block of one row.
  bool fits(std::int64_t bytes) const {
    return bytes <= plan_.resources.memory - plan_.fixed_memory - plan_.row_memory;
  }

  [[noreturn]] void refuse(const detail::CollectiveNeed& need, std::int64_t bytes) const {
    const std::int64_t besides = plan_.fixed_memory + plan_.row_memory;
    throw Error::agreed_by_all(
        ExitCode::bad_config,
        fmt::format("run.memory: {} bytes are too few: collective {} of kernel {}, {}, needs {} "
                    "bytes on every rank, with what is kept for others, and a block of one row {} "
                    "besides\n  remedy: allow at least {} bytes",
                    plan_.resources.memory, need.number, plan_.kernel.info->name, need.call, bytes,
                    besides, detail::plus(bytes, besides)),
        -1);
  }

  // Cuts smaller blocks where operands and results of collectives take their part of the memory;
  // returns the bytes for the operands of one run, which are not to take more than the block that
  // they are of. There is memory for one row. Collective.
  std::int64_t make_room(const detail::CollectiveNeed& need) {
    std::int64_t run = comm_.max(need.run);
    const std::int64_t least = comm_.max(need.least_run);
    keep_blocks([&] {
      for (;; run = std::max(least, run / 2)) {
        const bool fits = plan_.cut_blocks(comm_.max(need.bytes(run)));
        const bool is_small = plan_.steps <= 1 || run <= plan_.block_rows * plan_.row_memory;
        if (run <= least || (fits && is_small)) return;
      }
    });
    return run;
  }

  // Makes the buffers again if `cut` changes the blocks.
  template <class Cut>
  void keep_blocks(const Cut& cut) {
    const std::int64_t before = plan_.block_rows;
    cut();
    if (plan_.block_rows != before) agreed(comm_, [&] { make_runner(); });
  }

  const Communicator& comm_;
  plan::Plan plan_;
  const std::vector<io::InputDataset>& inputs_;
  RankTimes& times_;
  std::optional<BlockRunner> runner_;
  std::unique_ptr<KernelReplay> replay_;
  bool found_ = false;  // a collective whose result is not known
};

bool is_staged(config::Staging staging) {
  return !kernels_reach_host || staging == config::Staging::always;
}

Job::Job(const Communicator& comm, const plan::Plan& plan,
         const std::vector<io::InputDataset>& inputs) {
  // Rows without examples call nothing.
  if (plan.steps == 0 || (plan.instance->replay && plan.examples() == 0)) return;
  shard_ = std::make_unique<ShardRunner>(comm, plan, inputs, times_);
  shard_->look_ahead();
}

Job::~Job() = default;

RankTimes Job::run(io::OutputFile& file, const std::vector<int>& datasets,
                   const AfterStep& after_step) {
  if (!shard_) return times_;
  shard_->replay();
  shard_->run(file, datasets, after_step);
  return times_;
}

}  // namespace kmap::run
