#pragma once
// An output that is stored once for many examples: they all have to make the same.

#include "plan/plan.hpp"

#include "kmap/communicator.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace kmap::run {

// Throws a ShapeError unless `copies` values of `bytes` bytes, one behind the other, are alike.
void require_alike(const plan::OutputPlan& output, const std::byte* values, std::int64_t copies,
                   std::int64_t bytes);

// The one value of an output that has no axis of the batch.
class SharedValue {
 public:
  explicit SharedValue(const plan::OutputPlan& output) : output_(&output) {}

  // Takes over the value that a block has, or compares it with that of the blocks before.
  void take(const std::byte* value, std::int64_t bytes);

  // Compares the value with that of rank 0, which has one if any rank has. Collective.
  void agree(const Communicator& comm);

  const void* data() const { return value_.data(); }

 private:
  const plan::OutputPlan* output_;
  std::vector<std::byte> value_;
};

}  // namespace kmap::run
