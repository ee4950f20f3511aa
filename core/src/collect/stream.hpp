#pragma once
// Collectives over the distributed axis whose operands are taken as they come: reductions keep sums
// of leaves, pbroadcast the one operand.

#include "collect/check_call.hpp"

#include "kmap/communicator.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/replay.hpp"
#include "kmap/shape.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace kmap::detail {

/// Whether a call is one of these: over level 0, without groups.
bool is_streamed(const CollectiveCall& call);

template <class Space>
class OperandStream {
 public:
  virtual ~OperandStream() = default;
  /// Takes the operands of rows (indices of level 0 on this rank) that follow those taken before.
  /// They lie row-major: (rows, other levels, extents).
  virtual void absorb(Range rows, const void* operands) = 0;
  /// The result when all have been taken. Collective.
  virtual CollectiveResult finish(std::vector<Bytes<Space>>& storage) = 0;
};

/// `checked` is a call with is_streamed.
template <class Space>
std::unique_ptr<OperandStream<Space>> make_stream(const IterationSpace& space,
                                                  const Communicator* comm,
                                                  const CheckedCall& checked);

}  // namespace kmap::detail
