#include "collect/reduce.hpp"

#include "collect/reduce_kernels.hpp"

#include <algorithm>

namespace kmap::detail {

namespace {

/// The leaves of the tree, or its subtrees: consecutive members of one group.
struct LeafPlan {
  struct Entry {
    std::size_t group;
    std::int64_t begin;  // of its members
    std::int64_t count;
    int owner;      // the rank of its first member, which sums it
    bool complete;  // all members are there
  };
  std::vector<Entry> leaves;
  std::vector<std::size_t> first_of_group;
};

class Reduction {
 public:
  explicit Reduction(const Task& task) : task_(task), places_(task.places) {}

  /// With that many members in each but the last of a group.
  LeafPlan plan(std::int64_t members) const {
    LeafPlan plan;
    for (std::size_t g = 0; g < task_.checked.group_count(); ++g) {
      plan.first_of_group.push_back(plan.leaves.size());
      const std::int64_t size = task_.checked.group_size(g);
      if (g == 0) {
        plan.leaves.reserve(task_.checked.group_count() *
                            static_cast<std::size_t>((size + members - 1) / members));
      }
      for (std::int64_t begin = 0; begin < size; begin += members) {
        plan.leaves.push_back(entry(g, begin, std::min(members, size - begin)));
      }
    }
    return plan;
  }

  /// True if all members of one leaf are here, evenly spaced, whatever their number.
  bool is_even() const {
    return !places_.is_distributed() && task_.checked.groups.empty() &&
           places_.common_stride() != 0;
  }

  std::int64_t place(std::size_t group, std::int64_t member) const {
    return task_.checked.groups.empty() ? places_.place_in_order(member)
                                        : task_.checked.member(group, member);
  }

 private:
  LeafPlan::Entry entry(std::size_t g, std::int64_t begin, std::int64_t count) const {
    LeafPlan::Entry leaf{g, begin, count, 0, true};
    if (!places_.is_distributed()) return leaf;
    leaf.owner = places_.owner(place(g, begin));
    if (task_.checked.groups.empty()) {
      leaf.complete = places_.owner(place(g, begin + count - 1)) == leaf.owner;
    } else {
      for (std::int64_t m = begin; m < begin + count; ++m) {
        leaf.complete = leaf.complete && places_.owner(place(g, m)) == leaf.owner;
      }
    }
    return leaf;
  }

  const Task& task_;
  const AxisPlaces& places_;
};

/// The sums of all leaves on every rank, and where each leaf's lies.
template <class Space>
struct AllLeaves {
  Bytes<Space> sums;  // (slots, positions)
  std::vector<std::int64_t> slots;
};

template <class Space>
class LeafSummer {
 public:
  LeafSummer(const Task& task, const LeafPlan& plan, const Combiner& combiner,
             const SummedLeaves<Space>* summed)
      : task_(task),
        summed_(summed),
        combiner_(combiner),
        places_(task.places),
        plan_(plan),
        reduction_(task),
        positions_(task.other_count() * task.core_size()) {}

  AllLeaves<Space> run() {
    std::vector<Leaf> here;
    std::vector<std::int64_t> members;
    std::vector<std::int64_t> slots(plan_.leaves.size(), 0);
    std::vector<std::int64_t> counts(static_cast<std::size_t>(places_.ranks()), 0);
    std::vector<std::size_t> staged;
    const bool listed = !task_.checked.groups.empty() || places_.common_stride() == 0;
    here.reserve(plan_.leaves.size());
    // A rank's complete leaves come first, then those whose operands it collects.
    for (const bool complete : {true, false}) {
      for (std::size_t l = 0; l < plan_.leaves.size(); ++l) {
        const LeafPlan::Entry& leaf = plan_.leaves[l];
        if (leaf.complete != complete) continue;
        slots[l] = counts[static_cast<std::size_t>(leaf.owner)]++;
        if (leaf.owner != places_.rank()) continue;
        if (!complete) {
          staged.push_back(l);
        } else if (summed_ == nullptr) {
          here.push_back(add_leaf(leaf, listed, members));
        }
      }
    }
    const auto mine = counts[static_cast<std::size_t>(places_.rank())];
    const auto sums = summed_ != nullptr ? summed_->sums : allocate<Space>(bytes(mine));
    combiner_.sum(task_.operand.data, sums.data(), here, members, places_.common_stride(),
                  task_.operand_dims());
    if (!places_.is_distributed()) return {sums, slots};
    sum_staged(staged, sums.data() + bytes(mine - static_cast<std::int64_t>(staged.size())));
    std::int64_t before = 0;
    std::vector<std::int64_t> first;
    for (const std::int64_t count : counts) {
      first.push_back(before);
      before += count;
    }
    for (std::size_t l = 0; l < slots.size(); ++l) {
      slots[l] += first[static_cast<std::size_t>(plan_.leaves[l].owner)];
    }
    return {gather_entries<Space>(places_.comm(), sums, counts, bytes(1)), slots};
  }

 private:
  std::size_t bytes(std::int64_t entries) const {
    return static_cast<std::size_t>(entries * positions_) * task_.element_size();
  }

  Leaf add_leaf(const LeafPlan::Entry& leaf, bool listed,
                std::vector<std::int64_t>& members) const {
    if (!listed) return {places_.offset(reduction_.place(leaf.group, leaf.begin)), leaf.count};
    const auto first = static_cast<std::int64_t>(members.size());
    for (std::int64_t m = leaf.begin; m < leaf.begin + leaf.count; ++m) {
      members.push_back(places_.offset(reduction_.place(leaf.group, m)));
    }
    return {first, leaf.count};
  }

  // Leaves whose members lie on several ranks: their owners get the operands.
  void sum_staged(const std::vector<std::size_t>& staged, void* out) const {
    const auto ranks = static_cast<std::size_t>(places_.ranks());
    std::vector<std::vector<std::int64_t>> to_send(ranks);   // offsets of my operands
    std::vector<std::vector<std::int64_t>> arriving(ranks);  // their numbers in my staged leaves
    std::int64_t number = 0;
    for (const LeafPlan::Entry& leaf : plan_.leaves) {
      if (leaf.complete) continue;
      for (std::int64_t m = leaf.begin; m < leaf.begin + leaf.count; ++m) {
        const std::int64_t place = reduction_.place(leaf.group, m);
        const int from = places_.owner(place);
        if (from == places_.rank()) {
          to_send[static_cast<std::size_t>(leaf.owner)].push_back(
              summed_ != nullptr ? kept_offset(m) : places_.offset(place));
        }
        if (leaf.owner == places_.rank()) {
          arriving[static_cast<std::size_t>(from)].push_back(number++);
        }
      }
    }
    std::vector<std::int64_t> offsets;
    std::vector<std::int64_t> sent;
    std::vector<std::int64_t> received;
    std::vector<std::int64_t> arrival(static_cast<std::size_t>(number));
    std::int64_t at = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      offsets.insert(offsets.end(), to_send[r].begin(), to_send[r].end());
      sent.push_back(static_cast<std::int64_t>(to_send[r].size()));
      received.push_back(static_cast<std::int64_t>(arriving[r].size()));
      for (const std::int64_t n : arriving[r])
        arrival[static_cast<std::size_t>(n)] = at++ * positions_;
    }
    const auto packed = allocate<Space>(bytes(static_cast<std::int64_t>(offsets.size())));
    const void* operands_here = summed_ != nullptr ? summed_->kept : task_.operand.data;
    const CopyDims dims(summed_ != nullptr ? std::vector<CopyDim>{{positions_, 1, 1}}
                                           : task_.operand_dims());
    strided_copy<Space>(task_.element_size(), operands_here, packed.data(), offsets,
                        counting(static_cast<std::int64_t>(offsets.size()), positions_), dims);
    const auto operands = exchange_entries<Space>(places_.comm(), packed, sent, received, bytes(1));
    std::vector<Leaf> leaves;
    std::int64_t first = 0;
    for (const std::size_t l : staged) {
      leaves.push_back({first, plan_.leaves[l].count});
      first += plan_.leaves[l].count;
    }
    combiner_.sum(operands.data(), out, leaves, arrival, 0, {{positions_, 1, 1}});
  }

  // Where the operand of a place of this rank, in a leaf that ranks share, was kept.
  std::int64_t kept_offset(std::int64_t place) const {
    const OwnLeaves& leaves = summed_->leaves;
    const std::int64_t entry = place < leaves.head_end ? place - leaves.places.begin
                                                       : leaves.head() + place - leaves.tail_begin;
    return entry * positions_;
  }

  const Task& task_;
  const SummedLeaves<Space>* summed_;
  const Combiner& combiner_;
  const AxisPlaces& places_;
  const LeafPlan& plan_;
  Reduction reduction_;
  std::int64_t positions_;
};

/// Adds the leaves of each group in pairs, neighbours first, into its first one.
template <class Space>
void add_leaves(const LeafPlan& plan, const AllLeaves<Space>& all, std::int64_t positions,
                const Combiner& combiner) {
  const auto end_of = [&](std::size_t g) {
    return g + 1 < plan.first_of_group.size() ? plan.first_of_group[g + 1] : plan.leaves.size();
  };
  for (std::size_t step = 1;; step *= 2) {
    std::vector<std::int64_t> to;
    std::vector<std::int64_t> from;
    to.reserve(plan.leaves.size() / 2 / step + plan.first_of_group.size());
    from.reserve(to.capacity());
    bool further = false;
    for (std::size_t g = 0; g < plan.first_of_group.size(); ++g) {
      const std::size_t begin = plan.first_of_group[g];
      const std::size_t count = end_of(g) - begin;
      further = further || 2 * step < count;
      for (std::size_t l = 0; l + step < count; l += 2 * step) {
        to.push_back(all.slots[begin + l]);
        from.push_back(all.slots[begin + l + step]);
      }
    }
    combiner.add(all.sums.data(), to, from, positions);
    if (!further) return;
  }
}

/// True if there are subtrees enough for all threads: lists of leaves take longer than their sums.
template <class Space>
bool sums_subtrees(const Task& task) {
  if constexpr (std::is_same_v<Space, Kokkos::HostSpace>) {
    const std::int64_t threads = Kokkos::DefaultHostExecutionSpace().concurrency();
    return task.checked.size() >= 32 * threads * subtree_leaves * leaf_size;
  } else {
    return false;
  }
}

/// The result of each group, (groups, others, extents).
template <class Space>
Bytes<Space> reduce(const Task& task, const SummedLeaves<Space>* summed) {
  const Reduction reduction(task);
  const bool by_subtrees = summed == nullptr && reduction.is_even() && sums_subtrees<Space>(task);
  const LeafPlan plan = reduction.plan(by_subtrees ? subtree_leaves * leaf_size : leaf_size);
  const std::int64_t positions = task.other_count() * task.core_size();
  const Combiner combiner = combiner_for<Space>(task.call().kind, task.call().dtype);
  const AllLeaves<Space> all = LeafSummer<Space>(task, plan, combiner, summed).run();
  add_leaves<Space>(plan, all, positions, combiner);
  const bool mean = task.call().kind == CollectiveKind::pmean;
  std::vector<std::int64_t> slots;
  std::vector<std::int64_t> sizes;
  for (std::size_t g = 0; g < plan.first_of_group.size(); ++g) {
    // An empty group has no leaf and no member that could ask for its result.
    const bool empty = task.checked.group_size(g) == 0;
    slots.push_back(empty ? 0 : all.slots[plan.first_of_group[g]]);
    sizes.push_back(mean ? task.checked.group_size(g) : 0);
  }
  const auto result =
      allocate<Space>(static_cast<std::size_t>(positions) * slots.size() * combiner.result_size);
  combiner.finish(all.sums.data(), result.data(), slots, sizes, positions);
  return result;
}

}  // namespace

template <class Space>
CollectiveResult reduced(const Task& task, std::vector<Bytes<Space>>& storage,
                         const SummedLeaves<Space>* summed) {
  const CollectiveCall& call = task.call();
  const auto data = reduce<Space>(task, summed);
  storage.push_back(data);
  CollectiveResult result = task.result(data.data(), task.core_size());
  std::vector<std::int64_t> strides = row_strides({call.extents, call.extents + call.rank});
  const bool scatters = call.kind == CollectiveKind::psum_scatter;
  const ResultShape shape = result_shape(call, task.checked.size());
  std::int64_t slice = 0;
  if (scatters) {
    const auto dim = static_cast<std::size_t>(call.dim);
    slice = strides[dim] * (call.tiled ? shape.extents[call.dim] : 1);
    if (!call.tiled) strides.erase(strides.begin() + call.dim);
  }
  task.set_core(result, shape, strides);
  if (task.checked.groups.empty()) {
    for (const LevelPart& axis : task.places.axes()) {
      result.strides[axis.level] = axis.weight * slice;
    }
    return result;
  }
  std::vector<std::int64_t> table(static_cast<std::size_t>(task.places.count()));
  const std::int64_t group_stride = task.other_count() * task.core_size();
  for (std::size_t g = 0; g < task.checked.groups.size(); ++g) {
    for (std::int64_t m = 0; m < task.checked.group_size(g); ++m) {
      table[static_cast<std::size_t>(task.checked.member(g, m))] =
          static_cast<std::int64_t>(g) * group_stride + m * slice;
    }
  }
  task.set_table<Space>(result, table, storage);
  return result;
}

template CollectiveResult reduced(const Task&, std::vector<Bytes<Kokkos::HostSpace>>&,
                                  const SummedLeaves<Kokkos::HostSpace>*);
template Combiner combiner_for<Kokkos::HostSpace>(CollectiveKind, DType);

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
using DeviceSpace = Kokkos::DefaultExecutionSpace::memory_space;
template CollectiveResult reduced(const Task&, std::vector<Bytes<DeviceSpace>>&,
                                  const SummedLeaves<DeviceSpace>*);
template Combiner combiner_for<DeviceSpace>(CollectiveKind, DType);
#endif

}  // namespace kmap::detail
