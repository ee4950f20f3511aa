#include "collect/stream.hpp"

#include "collect/combiner.hpp"
#include "collect/leaves.hpp"
#include "collect/reduce.hpp"
#include "collect/task.hpp"

#include <algorithm>

namespace kmap::detail {

namespace {

/// The operands of one run and where each lies.
struct Run {
  Run(const IterationSpace& whole, const CheckedCall& checked, Range rows, const void* operands)
      : space(part_of(whole, rows)),
        operand(recorded_array(space, checked.call, operands)),
        places(space, nullptr, checked.call, operand),
        task{checked, places, operand} {}
  Run(const Run&) = delete;  // its parts refer to each other
  Run& operator=(const Run&) = delete;

  static IterationSpace part_of(IterationSpace space, Range rows) {
    space.offset[0] += rows.begin;
    space.extents[0] = rows.size();
    return space;
  }

  IterationSpace space;
  OperandArray operand;
  AxisPlaces places;
  Task task;
};

template <class Space>
class StreamedReduction : public OperandStream<Space> {
 public:
  StreamedReduction(const IterationSpace& space, const Communicator* comm,
                    const CheckedCall& checked)
      : space_(space),
        checked_(checked),
        places_(space, comm, checked.call, {}),
        positions_(places_.other_count() * checked.call.size()),
        combiner_(combiner_for<Space>(checked.call.kind, checked.call.dtype)),
        leaves_(places_of({0, space.extents[0]}), places_.count()),
        sums_(allocate<Space>(bytes(leaves_.owned()))),
        kept_(allocate<Space>(bytes(leaves_.head() + leaves_.most_open()))) {}

  void absorb(Range rows, const void* operands) override {
    const Run run(space_, checked_, rows, operands);
    const Range part = places_of(rows);
    std::int64_t at = part.begin;
    const auto keep_until = [&](std::int64_t end, std::int64_t to) {
      keep(run, {at, end}, to);
      at = end;
    };
    if (at < leaves_.head_end) {
      keep_until(std::min(part.end, leaves_.head_end), at - leaves_.places.begin);
    }
    if (open_ > 0) {
      const std::int64_t end = std::min(part.end, leaves_.leaf_end(at));
      const std::int64_t before = open_;
      open_ += end - at;
      keep_until(end, leaves_.head() + before);
      if (at == leaves_.leaf_end(at - 1)) sum_open(at);
    }
    sum_complete(run, at, part.end);
    if (at < part.end) {
      open_ = part.end - at;
      keep_until(part.end, leaves_.head());
    }
  }

  CollectiveResult finish(std::vector<Bytes<Space>>& storage) override {
    const OperandArray none;
    const Task task{checked_, places_, none};
    const SummedLeaves<Space> summed = {sums_, kept_.data(), leaves_};
    return reduced<Space>(task, storage, &summed);
  }

 private:
  Range places_of(Range rows) const {
    const std::int64_t first = space_.offset[0];
    return {(first + rows.begin) * places_.inner_count(),
            (first + rows.end) * places_.inner_count()};
  }

  std::size_t bytes(std::int64_t entries) const {
    return static_cast<std::size_t>(entries * positions_) * size_of(checked_.call.dtype);
  }

  // Copies the operands of these places behind entry `to` of those that are kept.
  void keep(const Run& run, Range places, std::int64_t to) const {
    std::vector<std::int64_t> from;
    for (std::int64_t p = places.begin; p < places.end; ++p) {
      from.push_back(run.places.offset(run.places.place_in_order(p)));
    }
    strided_copy<Space>(size_of(checked_.call.dtype), run.operand.data, kept_.data() + bytes(to),
                        from, counting(places.size(), positions_),
                        CopyDims(run.task.operand_dims()));
  }

  std::byte* sum_at(std::int64_t place) const {
    return sums_.data() + bytes((place - leaves_.head_end) / leaf_size);
  }

  // The leaf that ends at `end`, of operands that were kept.
  void sum_open(std::int64_t end) {
    combiner_.sum(kept_.data() + bytes(leaves_.head()), sum_at(end - open_), {{0, open_}}, {},
                  positions_, {{positions_, 1, 1}});
    open_ = 0;
  }

  // The leaves that lie in the run, from `at` on, which is moved behind them.
  void sum_complete(const Run& run, std::int64_t& at, std::int64_t end) const {
    const std::int64_t first = at;
    std::vector<Leaf> leaves;
    std::vector<std::int64_t> members;
    while (at < end && leaves_.leaf_end(at) <= end) {
      const std::int64_t next = leaves_.leaf_end(at);
      if (run.places.common_stride() != 0) {
        leaves.push_back({run.places.offset(run.places.place_in_order(at)), next - at});
      } else {
        leaves.push_back({static_cast<std::int64_t>(members.size()), next - at});
        for (std::int64_t p = at; p < next; ++p) {
          members.push_back(run.places.offset(run.places.place_in_order(p)));
        }
      }
      at = next;
    }
    if (leaves.empty()) return;
    combiner_.sum(run.operand.data, sum_at(first), leaves, members, run.places.common_stride(),
                  run.task.operand_dims());
  }

  IterationSpace space_;
  CheckedCall checked_;
  AxisPlaces places_;
  std::int64_t positions_;
  Combiner combiner_;
  OwnLeaves leaves_;
  Bytes<Space> sums_;      // of complete leaves, and room for the one that ranks share
  Bytes<Space> kept_;      // operands: of the head, then of the unfinished leaf
  std::int64_t open_ = 0;  // operands of that
};

template <class Space>
class StreamedBroadcast : public OperandStream<Space> {
 public:
  StreamedBroadcast(const IterationSpace& space, const Communicator* comm,
                    const CheckedCall& checked)
      : space_(space),
        checked_(checked),
        places_(space, comm, checked.call, {}),
        kept_(
            allocate<Space>(static_cast<std::size_t>(places_.other_count() * checked.call.size()) *
                            size_of(checked.call.dtype))) {}

  void absorb(Range rows, const void* operands) override {
    const Run run(space_, checked_, rows, operands);
    if (!run.places.has(source())) return;
    strided_copy<Space>(size_of(checked_.call.dtype), operands, kept_.data(),
                        {run.places.offset(source())}, {0}, CopyDims(run.task.operand_dims()));
  }

  CollectiveResult finish(std::vector<Bytes<Space>>& storage) override {
    if (places_.is_distributed()) {
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), kept_);
      places_.comm().broadcast(host.data(), host.size(), places_.owner(source()));
      Kokkos::deep_copy(kept_, host);
    }
    storage.push_back(kept_);
    const OperandArray none;
    const Task task{checked_, places_, none};
    const CollectiveCall& call = checked_.call;
    CollectiveResult result = task.result(kept_.data(), call.size());
    task.set_core(result, result_shape(call, places_.count()),
                  row_strides({call.extents, call.extents + call.rank}));
    return result;
  }

 private:
  std::int64_t source() const { return checked_.call.number; }

  IterationSpace space_;
  CheckedCall checked_;
  AxisPlaces places_;
  Bytes<Space> kept_;
};

}  // namespace

bool is_streamed(const CollectiveCall& call) {
  if (call.table != nullptr) return false;
  if (call.kind != CollectiveKind::pbroadcast && !is_reduction(call.kind)) return false;
  return std::find(call.axes, call.axes + call.axis_count, 0) != call.axes + call.axis_count;
}

template <class Space>
std::unique_ptr<OperandStream<Space>> make_stream(const IterationSpace& space,
                                                  const Communicator* comm,
                                                  const CheckedCall& checked) {
  if (checked.call.kind == CollectiveKind::pbroadcast) {
    return std::make_unique<StreamedBroadcast<Space>>(space, comm, checked);
  }
  return std::make_unique<StreamedReduction<Space>>(space, comm, checked);
}

template std::unique_ptr<OperandStream<Kokkos::HostSpace>> make_stream(const IterationSpace&,
                                                                       const Communicator*,
                                                                       const CheckedCall&);

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
using DeviceSpace = Kokkos::DefaultExecutionSpace::memory_space;
template std::unique_ptr<OperandStream<DeviceSpace>> make_stream(const IterationSpace&,
                                                                 const Communicator*,
                                                                 const CheckedCall&);
#endif

}  // namespace kmap::detail
