#pragma once
// The rows of one input that are in memory at one time, and how they get there.

#include "io/input.hpp"
#include "plan/plan.hpp"
#include "run/buffers.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kmap::run {

class InputBlock {
 public:
  // Room for `most_rows` rows. `plan` and `dataset` must outlive it.
  InputBlock(const plan::InputPlan& plan, const io::InputDataset& dataset, std::int64_t most_rows,
             bool staged);

  // Reads a replicated input, once per run.
  void read_whole();

  // Reads rows of the batch; does nothing for a replicated input.
  void read(Range rows);

  // Brings what was read last to where kernels work.
  void to_device() const { buffer_.to_device(read_bytes_); }

  // The first row, where kernels work.
  const void* data() const { return buffer_.device(); }

 private:
  void read_span(Range rows, void* out) const;
  void arrange(Range rows);

  const plan::InputPlan* plan_;
  const io::InputDataset* dataset_;
  StagedBuffer buffer_;
  std::vector<std::byte> span_;  // as the dataset has it, before it is arranged
  std::int64_t read_bytes_ = 0;
};

}  // namespace kmap::run
