#include "collect/move.hpp"

#include <algorithm>

namespace kmap::detail {

namespace {

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

  /// The place that piece p of a receiver comes from, or -1: zeros.
  std::int64_t source(std::int64_t receiver, std::int64_t p) const {
    switch (task_.call().kind) {
      case CollectiveKind::pbroadcast:
        return task_.call().number;
      case CollectiveKind::ppermute:
      case CollectiveKind::pshuffle:
        return task_.checked.sources[static_cast<std::size_t>(receiver)];
      case CollectiveKind::all_gather:
        return task_.checked.member(static_cast<std::size_t>(receiver), p);
      default:
        return task_.checked.member(group_of(receiver), p);
    }
  }

  /// Which part of each operand a receiver gets.
  std::int64_t chunk(std::int64_t receiver) const {
    if (task_.call().kind != CollectiveKind::all_to_all) return 0;
    return position_.empty() ? receiver : position_[static_cast<std::size_t>(receiver)];
  }

 private:
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
      in_offsets.reserve(mine.size() * static_cast<std::size_t>(pieces_));
      for (const std::int64_t id : mine) {
        for (std::int64_t p = 0; p < pieces_; ++p) {
          const std::int64_t source = plan_.source(id, p);
          in_offsets.push_back(source < 0 ? -1 : piece_offset(source, plan_.chunk(id)));
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
      for (std::int64_t p = 0; p < pieces_; ++p) {
        const std::int64_t source = plan_.source(id, p);
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
        for (std::int64_t p = 0; p < pieces_; ++p) {
          const std::int64_t source = plan_.source(id, p);
          if (source < 0 || !places_.is_here(source)) continue;
          outgoing.push_back(piece_offset(source, plan_.chunk(id)));
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
    for (std::int64_t p = 0; p < pieces_; ++p) {
      const std::int64_t source = plan_.source(0, p);
      if (places_.is_here(source)) offsets.push_back(piece_offset(source, 0));
    }
    return offsets;
  }

  std::vector<std::int64_t> everyones_counts() const {
    std::vector<std::int64_t> counts(static_cast<std::size_t>(places_.ranks()), 0);
    for (std::int64_t p = 0; p < pieces_; ++p) {
      ++counts[static_cast<std::size_t>(places_.owner(plan_.source(0, p)))];
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

}  // namespace

template <class Space>
CollectiveResult moved(const Task& task, std::vector<Bytes<Space>>& storage) {
  return Mover<Space>(task).run(storage);
}

template CollectiveResult moved<Kokkos::HostSpace>(const Task&,
                                                   std::vector<Bytes<Kokkos::HostSpace>>&);

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
using DeviceSpace = Kokkos::DefaultExecutionSpace::memory_space;
template CollectiveResult moved<DeviceSpace>(const Task&, std::vector<Bytes<DeviceSpace>>&);
#endif

}  // namespace kmap::detail
