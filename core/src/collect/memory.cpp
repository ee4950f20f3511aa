#include "collect/memory.hpp"

#include "collect/axis_places.hpp"
#include "collect/leaves.hpp"
#include "collect/stream.hpp"
#include "collect/task.hpp"

#include "kmap/dtype.hpp"

#include <cstdint>

namespace kmap::detail {

namespace {

class Estimate {
 public:
  Estimate(const IterationSpace& space, const Communicator* comm, const CollectiveCall& call)
      : space_(space), call_(call), places_(space, comm, call, {}) {
    const auto element = static_cast<std::int64_t>(size_of(call.dtype));
    example_ = element;
    for (int d = 0; d < call.rank; ++d) example_ = times(example_, call.extents[d]);
    entry_ = times(example_, places_.other_count());
    all_ = times(example_, space.count());
  }

  CallMemory run() const {
    if (is_streamed(call_)) {
      return call_.kind == CollectiveKind::pbroadcast ? CallMemory{entry_, entry_, entry_}
                                                      : streamed_reduction();
    }
    return is_reduction(call_.kind) ? reduction() : move();
  }

 private:
  // An entry of the result, whose type may be another one: the mean of integers is floating-point.
  std::int64_t reduced_entry() const {
    const DTypeInfo& type = info(call_.dtype);
    const bool is_integer = type.kind == 'i' || type.kind == 'u';
    if (call_.kind != CollectiveKind::pmean || !is_integer) return entry_;
    const auto size = static_cast<std::int64_t>(type.size);
    return times(entry_ / size, size < 8 ? 4 : 8);
  }

  CallMemory streamed_reduction() const {
    const std::int64_t first = space_.offset[0] * places_.inner_count();
    const OwnLeaves leaves({first, first + space_.extents[0] * places_.inner_count()},
                           places_.count());
    CallMemory memory;
    memory.recording = times(leaves.owned() + leaves.head() + leaves.most_open(), entry_);
    memory.result = reduced_entry();
    memory.combining = plus(memory.recording, memory.result);
    if (places_.is_distributed()) {
      const std::int64_t sent = leaves.head() + leaves.tail();
      memory.combining = plus(memory.combining,
                              times(leaves_in(places_.count()) + sent + leaves.shared(), entry_));
    }
    return memory;
  }

  CallMemory reduction() const {
    const std::int64_t groups = call_.table == nullptr ? 1 : call_.table[1];
    CallMemory memory;
    memory.recording = all_;
    memory.result = times(groups, reduced_entry());
    const std::int64_t sums = times(leaves_in(places_.count()), entry_);
    memory.combining =
        plus(plus(all_, memory.result), times(places_.is_distributed() ? 2 : 1, sums));
    return memory;
  }

  CallMemory move() const {
    const bool joins_all =
        call_.kind == CollectiveKind::all_gather && call_.group_size == 0 && call_.table == nullptr;
    CallMemory memory;
    memory.recording = all_;
    memory.result = joins_all                                  ? times(places_.count(), entry_)
                    : call_.kind == CollectiveKind::pbroadcast ? entry_
                                                               : all_;
    memory.combining = plus(all_, memory.result);
    // What is sent, and what arrives before it is put in its place.
    if (places_.is_distributed()) {
      memory.combining = plus(memory.combining, plus(all_, memory.result));
    }
    return memory;
  }

  const IterationSpace& space_;
  const CollectiveCall& call_;
  AxisPlaces places_;
  std::int64_t example_ = 0;  // bytes of one operand
  std::int64_t entry_ = 0;    // of those at one place
  std::int64_t all_ = 0;      // of this rank's
};

}  // namespace

CallMemory memory_of(const IterationSpace& space, const Communicator* comm,
                     const CollectiveCall& call) {
  return Estimate(space, comm, call).run();
}

std::int64_t plus(std::int64_t a, std::int64_t b) { return a > INT64_MAX - b ? INT64_MAX : a + b; }

std::int64_t times(std::int64_t a, std::int64_t b) {
  return b != 0 && a > INT64_MAX / b ? INT64_MAX : a * b;
}

}  // namespace kmap::detail
