#include "collect/axis_places.hpp"
#include "collect/check_call.hpp"
#include "collect/exchange.hpp"
#include "collect/reduce_kernels.hpp"
#include "collect/strided_copy.hpp"

#include "kmap/detail/collective_session.hpp"
#include "kmap/dtype.hpp"
#include "kmap/shape.hpp"

#include <numeric>
#include <utility>

namespace kmap::detail {

namespace {

template <class Space>
Bytes<Space> allocate(std::size_t bytes) {
  return Bytes<Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:collect"), bytes);
}

std::vector<std::int64_t> counting(std::int64_t n, std::int64_t step) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * step;
  return values;
}

/// Row-major strides, the last dimension's `last`.
std::vector<std::int64_t> row_strides(const std::vector<std::int64_t>& extents,
                                      std::int64_t last = 1) {
  std::vector<std::int64_t> strides(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = last;
    last *= extents[d];
  }
  return strides;
}

/// What every way of combining needs.
struct Task {
  const CheckedCall& checked;
  const AxisPlaces& places;
  const OperandArray& operand;

  const CollectiveCall& call() const { return checked.call; }
  std::size_t element_size() const { return size_of(call().dtype); }
  std::int64_t core_size() const { return call().size(); }
  std::int64_t other_count() const { return places.other_count(); }

  /// The other levels and then the dimensions of the operand, to be written row-major.
  std::vector<CopyDim> operand_dims() const {
    std::vector<CopyDim> dims;
    for (const LevelPart& other : places.others()) dims.push_back({other.extent, other.stride, 0});
    for (int d = 0; d < call().rank; ++d) {
      dims.push_back({call().extents[d], operand.core_strides[d], 0});
    }
    set_out(dims);
    return dims;
  }

  static void set_out(std::vector<CopyDim>& dims) {
    std::int64_t stride = 1;
    for (std::size_t d = dims.size(); d-- > 0;) {
      dims[d].out = stride;
      stride *= dims[d].extent;
    }
  }

  /// A result with `size` elements per example of the other levels, which lie row-major.
  CollectiveResult result(const void* data, std::int64_t size) const {
    CollectiveResult result;
    result.data = data;
    std::int64_t stride = size;
    for (auto other = places.others().rbegin(); other != places.others().rend(); ++other) {
      result.strides[other->level] = stride;
      result.start -= other->first * stride;
      stride *= other->extent;
    }
    return result;
  }

  void set_core(CollectiveResult& result, const ResultShape& shape,
                const std::vector<std::int64_t>& strides) const {
    for (int d = 0; d < shape.rank; ++d) {
      result.extents[d] = shape.extents[d];
      result.core_strides[d] = strides[static_cast<std::size_t>(d)];
    }
  }

  /// Lets `result` look up a further offset by place.
  template <class Space>
  void set_table(CollectiveResult& result, const std::vector<std::int64_t>& table,
                 std::vector<Bytes<Space>>& storage) const {
    const auto bytes = allocate<Space>(table.size() * sizeof(std::int64_t));
    auto* words = reinterpret_cast<std::int64_t*>(bytes.data());
    using Target = Kokkos::View<std::int64_t*, Space, Kokkos::MemoryUnmanaged>;
    using Source = Kokkos::View<const std::int64_t*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
    Kokkos::deep_copy(Target(words, table.size()), Source(table.data(), table.size()));
    result.table = words;
    for (const LevelPart& axis : places.axes()) result.weights[axis.level] = axis.weight;
    storage.push_back(bytes);
  }
};

// ---- Between ranks

/// Sends each rank its entries, `bytes` long each, which lie one after the other in `send`; returns
/// those received, in the order of ranks. Collective.
template <class Space>
Bytes<Space> exchange_entries(const Communicator& comm, const Bytes<Space>& send,
                              const std::vector<std::int64_t>& sent,
                              const std::vector<std::int64_t>& received, std::size_t bytes) {
  const auto in_bytes = [&](const std::vector<std::int64_t>& counts) {
    std::vector<std::size_t> sizes;
    for (const std::int64_t count : counts)
      sizes.push_back(static_cast<std::size_t>(count) * bytes);
    return sizes;
  };
  const std::vector<std::size_t> sizes = in_bytes(received);
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const auto receive = allocate<Space>(total);
  const auto send_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), send);
  const auto receive_host = Kokkos::create_mirror_view(Kokkos::HostSpace(), receive);
  exchange(comm, send_host.data(), in_bytes(sent), receive_host.data(), sizes);
  Kokkos::deep_copy(receive, receive_host);
  return receive;
}

/// Everyone's entries on every rank, in the order of ranks. Collective.
template <class Space>
Bytes<Space> gather_entries(const Communicator& comm, const Bytes<Space>& mine,
                            const std::vector<std::int64_t>& counts, std::size_t bytes) {
  std::vector<std::size_t> sizes;
  for (const std::int64_t count : counts) sizes.push_back(static_cast<std::size_t>(count) * bytes);
  const std::size_t total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
  const auto all = allocate<Space>(total);
  const auto mine_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), mine);
  const auto all_host = Kokkos::create_mirror_view(Kokkos::HostSpace(), all);
  gather_all(comm, mine_host.data(), sizes, all_host.data());
  Kokkos::deep_copy(all, all_host);
  return all;
}

// ---- Reductions

/// The leaves of the tree: consecutive members of one group.
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

  LeafPlan plan() const {
    LeafPlan plan;
    for (std::size_t g = 0; g < task_.checked.group_count(); ++g) {
      plan.first_of_group.push_back(plan.leaves.size());
      const std::int64_t size = task_.checked.group_size(g);
      for (std::int64_t begin = 0; begin < size; begin += leaf_size) {
        plan.leaves.push_back(entry(g, begin, std::min(leaf_size, size - begin)));
      }
    }
    return plan;
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
  LeafSummer(const Task& task, const LeafPlan& plan, const Combiner& combiner)
      : task_(task),
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
    // A rank's complete leaves come first, then those whose operands it collects.
    for (const bool complete : {true, false}) {
      for (std::size_t l = 0; l < plan_.leaves.size(); ++l) {
        const LeafPlan::Entry& leaf = plan_.leaves[l];
        if (leaf.complete != complete) continue;
        slots[l] = counts[static_cast<std::size_t>(leaf.owner)]++;
        if (leaf.owner != places_.rank()) continue;
        if (complete) {
          here.push_back(add_leaf(leaf, listed, members));
        } else {
          staged.push_back(l);
        }
      }
    }
    const auto mine = counts[static_cast<std::size_t>(places_.rank())];
    const auto sums = allocate<Space>(bytes(mine));
    combiner_.sum(task_.operand.data, sums.data(), here, members, places_.common_stride(),
                  task_.operand_dims());
    if (!places_.is_distributed()) return {sums, slots};
    sum_staged(staged, sums.data() + bytes(static_cast<std::int64_t>(here.size())));
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
          to_send[static_cast<std::size_t>(leaf.owner)].push_back(places_.offset(place));
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
    strided_copy<Space>(task_.element_size(), task_.operand.data, packed.data(), offsets,
                        counting(static_cast<std::int64_t>(offsets.size()), positions_),
                        CopyDims(task_.operand_dims()));
    const auto operands = exchange_entries<Space>(places_.comm(), packed, sent, received, bytes(1));
    std::vector<Leaf> leaves;
    std::int64_t first = 0;
    for (const std::size_t l : staged) {
      leaves.push_back({first, plan_.leaves[l].count});
      first += plan_.leaves[l].count;
    }
    combiner_.sum(operands.data(), out, leaves, arrival, 0, {{positions_, 1, 1}});
  }

  const Task& task_;
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

/// The result of each group, (groups, others, extents).
template <class Space>
Bytes<Space> reduce(const Task& task) {
  const LeafPlan plan = Reduction(task).plan();
  const std::int64_t positions = task.other_count() * task.core_size();
  const Combiner combiner = combiner_for<Space>(task.call().kind, task.call().dtype);
  const AllLeaves<Space> all = LeafSummer<Space>(task, plan, combiner).run();
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

/// psum, pmean, pmax, pmin: one result per group; psum_scatter: a slice of it.
template <class Space>
CollectiveResult reduced(const Task& task, std::vector<Bytes<Space>>& storage) {
  const CollectiveCall& call = task.call();
  const auto data = reduce<Space>(task);
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

// ---- Moves

/// What is put together for one receiver: a place, or a group.
struct Receiver {
  std::int64_t chunk = 0;             // which part of each operand it gets (all_to_all)
  std::vector<std::int64_t> sources;  // places in order; -1 stands for zeros
};

/// The receivers of every rank, in the order in which their results lie there.
class MovePlan {
 public:
  explicit MovePlan(const Task& task) : task_(task) {
    const CheckedCall& checked = task.checked;
    if (!checked.groups.empty()) {
      group_of_.resize(static_cast<std::size_t>(checked.places));
      position_.resize(group_of_.size());
      for (std::size_t g = 0; g < checked.groups.size(); ++g) {
        for (std::int64_t m = 0; m < checked.group_size(g); ++m) {
          const auto place = static_cast<std::size_t>(checked.member(g, m));
          group_of_[place] = g;
          position_[place] = m;
        }
      }
    }
  }

  bool per_group() const {
    const CollectiveKind kind = task_.call().kind;
    return kind == CollectiveKind::all_gather || kind == CollectiveKind::pbroadcast;
  }
  std::int64_t pieces() const {
    return task_.call().kind == CollectiveKind::all_gather ||
                   task_.call().kind == CollectiveKind::all_to_all
               ? task_.checked.size()
               : 1;
  }

  /// Receivers of a rank: groups with a place there, or its places.
  std::vector<std::int64_t> receivers_of(int rank) const {
    const std::vector<std::int64_t> places = task_.places.places_of(rank);
    if (!per_group()) return places;
    // What all get, a rank without places gets as well.
    if (group_of_.empty()) return {0};
    std::vector<char> wanted(task_.checked.groups.size(), 0);
    for (const std::int64_t place : places) wanted[group_of_[static_cast<std::size_t>(place)]] = 1;
    std::vector<std::int64_t> groups;
    for (std::size_t g = 0; g < wanted.size(); ++g) {
      if (wanted[g] != 0) groups.push_back(static_cast<std::int64_t>(g));
    }
    return groups;
  }

  std::size_t group_of(std::int64_t place) const {
    return group_of_.empty() ? 0 : group_of_[static_cast<std::size_t>(place)];
  }

  Receiver receiver(std::int64_t id) const {
    const CheckedCall& checked = task_.checked;
    switch (task_.call().kind) {
      case CollectiveKind::pbroadcast:
        return {0, {task_.call().number}};
      case CollectiveKind::ppermute:
      case CollectiveKind::pshuffle:
        return {0, {checked.sources[static_cast<std::size_t>(id)]}};
      case CollectiveKind::all_gather:
        return {0, members(static_cast<std::size_t>(id))};
      default:
        return {group_of_.empty() ? id : position_[static_cast<std::size_t>(id)],
                members(group_of(id))};
    }
  }

 private:
  std::vector<std::int64_t> members(std::size_t g) const {
    std::vector<std::int64_t> result;
    for (std::int64_t m = 0; m < task_.checked.group_size(g); ++m) {
      result.push_back(task_.checked.member(g, m));
    }
    return result;
  }

  const Task& task_;
  std::vector<std::size_t> group_of_;
  std::vector<std::int64_t> position_;
};

template <class Space>
class Mover {
 public:
  explicit Mover(const Task& task)
      : task_(task), places_(task.places), plan_(task), pieces_(plan_.pieces()) {
    chunk_ = {task.call().extents, task.call().extents + task.call().rank};
    const CollectiveCall& call = task.call();
    if (call.kind == CollectiveKind::all_to_all) {
      const auto split = static_cast<std::size_t>(call.dim);
      chunk_[split] = call.tiled ? chunk_[split] / std::max<std::int64_t>(pieces_, 1) : 1;
      chunk_stride_ = chunk_[split] * task.operand.core_strides[split];
    }
    entry_size_ = task.other_count();
    for (const std::int64_t extent : chunk_) entry_size_ *= extent;
  }

  CollectiveResult run(std::vector<Bytes<Space>>& storage) {
    const std::vector<std::int64_t> mine = plan_.receivers_of(places_.rank());
    const ResultShape shape = result_shape(task_.call(), pieces_);
    std::int64_t result_size = 1;
    for (int d = 0; d < shape.rank; ++d) result_size *= shape.extents[d];
    const std::int64_t receiver_size = result_size * task_.other_count();
    const auto data = allocate<Space>(static_cast<std::size_t>(receiver_size) * mine.size() *
                                      task_.element_size());
    storage.push_back(data);
    place_all(mine, receiver_size, result_size, data.data());
    CollectiveResult result = task_.result(data.data(), result_size);
    task_.set_core(result, shape, row_strides({shape.extents, shape.extents + shape.rank}));
    set_receiver_offsets(result, mine, receiver_size, storage);
    return result;
  }

 private:
  // Where the pieces come from: the operands here, or, with ranks, what has been exchanged.
  void place_all(const std::vector<std::int64_t>& mine, std::int64_t receiver_size,
                 std::int64_t result_size, void* out) {
    const bool staged = places_.is_distributed();
    Bytes<Space> arrived;
    std::vector<std::int64_t> in_offsets;
    if (staged) {
      arrived = fetch(mine, in_offsets);
    } else {
      for (const std::int64_t id : mine) {
        const Receiver receiver = plan_.receiver(id);
        for (const std::int64_t source : receiver.sources) {
          in_offsets.push_back(source < 0 ? -1 : piece_offset(source, receiver.chunk));
        }
      }
    }
    std::int64_t inner = 1;
    const std::vector<CopyDim> dims = placed_dims(staged, result_size, inner);
    std::vector<std::int64_t> out_offsets;
    out_offsets.reserve(in_offsets.size());
    for (std::size_t r = 0; r < mine.size(); ++r) {
      for (std::int64_t p = 0; p < pieces_; ++p) {
        out_offsets.push_back(static_cast<std::int64_t>(r) * receiver_size + p * inner);
      }
    }
    strided_copy<Space>(task_.element_size(), staged ? arrived.data() : task_.operand.data, out,
                        in_offsets, out_offsets, CopyDims(dims));
  }

  std::int64_t piece_offset(std::int64_t source, std::int64_t chunk) const {
    return places_.offset(source) + chunk * chunk_stride_;
  }

  /// The dimensions of a piece in its result: pieces follow each other at the dimension where they
  /// are stacked or joined, `inner` elements apart.
  std::vector<CopyDim> placed_dims(bool staged, std::int64_t result_size,
                                   std::int64_t& inner) const {
    std::vector<CopyDim> dims = piece_dims();
    if (staged) {
      Task::set_out(dims);
      for (CopyDim& dim : dims) dim.in = dim.out;
    }
    const std::size_t others = places_.others().size();
    // Without its split dimension, unless tiled, the chunk is stacked before this dimension.
    const CollectiveCall& call = task_.call();
    const bool splits = call.kind == CollectiveKind::all_to_all;
    std::size_t at = others;
    if (call.kind == CollectiveKind::all_gather) at += static_cast<std::size_t>(call.dim);
    if (splits && !call.tiled) {
      dims.erase(dims.begin() + static_cast<std::ptrdiff_t>(others) + call.dim);
    }
    if (splits) at += static_cast<std::size_t>(call.other_dim);
    inner = 1;
    for (std::size_t d = dims.size(); d-- > at;) {
      dims[d].out = inner;
      inner *= dims[d].extent;
    }
    std::int64_t stride = inner * pieces_;
    for (std::size_t d = at; d-- > others;) {
      dims[d].out = stride;
      stride *= dims[d].extent;
    }
    stride = result_size;
    for (std::size_t d = others; d-- > 0;) {
      dims[d].out = stride;
      stride *= dims[d].extent;
    }
    return dims;
  }

  /// The other levels and the dimensions of a piece, to be written row-major.
  std::vector<CopyDim> piece_dims() const {
    std::vector<CopyDim> dims = task_.operand_dims();
    for (std::size_t d = 0; d < chunk_.size(); ++d) {
      dims[places_.others().size() + d].extent = chunk_[d];
    }
    Task::set_out(dims);
    return dims;
  }

  // Brings the pieces for `mine` here; offsets of each, in the order of receivers and pieces.
  Bytes<Space> fetch(const std::vector<std::int64_t>& mine, std::vector<std::int64_t>& offsets) {
    const auto ranks = static_cast<std::size_t>(places_.ranks());
    std::vector<std::vector<std::size_t>> arriving(ranks);
    for (const std::int64_t id : mine) {
      for (const std::int64_t source : plan_.receiver(id).sources) {
        offsets.push_back(-1);
        if (source < 0) continue;
        arriving[static_cast<std::size_t>(places_.owner(source))].push_back(offsets.size() - 1);
      }
    }
    std::vector<std::int64_t> received;
    std::int64_t number = 0;
    for (const auto& numbers : arriving) {
      received.push_back(static_cast<std::int64_t>(numbers.size()));
      for (const std::size_t n : numbers) offsets[n] = number++ * entry_size_;
    }
    const std::size_t bytes = static_cast<std::size_t>(entry_size_) * task_.element_size();
    if (same_for_all()) {
      const auto packed = pack(own_sources());
      return gather_entries<Space>(places_.comm(), packed, everyones_counts(), bytes);
    }
    std::vector<std::int64_t> sent;
    std::vector<std::int64_t> outgoing;
    for (int r = 0; r < places_.ranks(); ++r) {
      const std::size_t before = outgoing.size();
      for (const std::int64_t id : plan_.receivers_of(r)) {
        const Receiver receiver = plan_.receiver(id);
        for (const std::int64_t source : receiver.sources) {
          if (source < 0 || !places_.is_here(source)) continue;
          outgoing.push_back(piece_offset(source, receiver.chunk));
        }
      }
      sent.push_back(static_cast<std::int64_t>(outgoing.size() - before));
    }
    return exchange_entries<Space>(places_.comm(), pack(outgoing), sent, received, bytes);
  }

  // Every rank wants the same pieces.
  bool same_for_all() const { return plan_.per_group() && task_.checked.groups.empty(); }

  std::vector<std::int64_t> own_sources() const {
    std::vector<std::int64_t> offsets;
    for (const std::int64_t source : plan_.receiver(0).sources) {
      if (places_.is_here(source)) offsets.push_back(piece_offset(source, 0));
    }
    return offsets;
  }

  std::vector<std::int64_t> everyones_counts() const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(places_.ranks()), 0);
    for (const std::int64_t source : plan_.receiver(0).sources) {
      ++counts[static_cast<std::size_t>(places_.owner(source))];
    }
    return counts;
  }

  Bytes<Space> pack(const std::vector<std::int64_t>& offsets) const {
    const auto entries = static_cast<std::int64_t>(offsets.size());
    const auto packed =
        allocate<Space>(static_cast<std::size_t>(entries * entry_size_) * task_.element_size());
    strided_copy<Space>(task_.element_size(), task_.operand.data, packed.data(), offsets,
                        counting(entries, entry_size_), CopyDims(piece_dims()));
    return packed;
  }

  void set_receiver_offsets(CollectiveResult& result, const std::vector<std::int64_t>& mine,
                            std::int64_t receiver_size, std::vector<Bytes<Space>>& storage) const {
    if (!plan_.per_group()) {
      const std::vector<std::int64_t> weights = places_.local_weights();
      for (std::size_t a = 0; a < weights.size(); ++a) {
        const LevelPart& axis = places_.axes()[a];
        result.strides[axis.level] = weights[a] * receiver_size;
        result.start -= axis.first * weights[a] * receiver_size;
      }
      return;
    }
    if (task_.checked.groups.empty()) return;
    std::vector<std::int64_t> slot(task_.checked.groups.size(), 0);
    for (std::size_t r = 0; r < mine.size(); ++r) {
      slot[static_cast<std::size_t>(mine[r])] = static_cast<std::int64_t>(r);
    }
    std::vector<std::int64_t> table(static_cast<std::size_t>(places_.count()));
    for (std::size_t place = 0; place < table.size(); ++place) {
      table[place] = slot[plan_.group_of(static_cast<std::int64_t>(place))] * receiver_size;
    }
    task_.set_table<Space>(result, table, storage);
  }

  const Task& task_;
  const AxisPlaces& places_;
  MovePlan plan_;
  std::int64_t pieces_;
  Shape chunk_;
  std::int64_t chunk_stride_ = 0;
  std::int64_t entry_size_ = 0;
};

constexpr bool is_reduction(CollectiveKind kind) {
  return kind == CollectiveKind::psum || kind == CollectiveKind::pmean ||
         kind == CollectiveKind::pmax || kind == CollectiveKind::pmin ||
         kind == CollectiveKind::psum_scatter;
}

}  // namespace

template <class Space>
CollectiveResult combine(const IterationSpace& space, const std::vector<std::string>& names,
                         const Communicator* comm, const CollectiveCall& call,
                         const OperandArray& operand, std::vector<Bytes<Space>>& storage) {
  const AxisPlaces places(space, comm, call, operand);
  CheckedCall checked;
  together(comm, [&] { checked = check_call(call, names, places.count()); });
  const Task task{checked, places, operand};
  if (is_reduction(call.kind)) return reduced<Space>(task, storage);
  return Mover<Space>(task).run(storage);
}

template CollectiveResult combine<Kokkos::HostSpace>(const IterationSpace&,
                                                     const std::vector<std::string>&,
                                                     const Communicator*, const CollectiveCall&,
                                                     const OperandArray&,
                                                     std::vector<Bytes<Kokkos::HostSpace>>&);

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
using DeviceSpace = Kokkos::DefaultExecutionSpace::memory_space;
template CollectiveResult combine<DeviceSpace>(const IterationSpace&,
                                               const std::vector<std::string>&, const Communicator*,
                                               const CollectiveCall&, const OperandArray&,
                                               std::vector<Bytes<DeviceSpace>>&);
#endif

}  // namespace kmap::detail
