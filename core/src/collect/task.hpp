#pragma once
// What both ways of combining operands, reducing and moving them, need.

#include "collect/axis_places.hpp"
#include "collect/check_call.hpp"
#include "collect/exchange.hpp"
#include "collect/strided_copy.hpp"

#include "kmap/detail/collective_session.hpp"
#include "kmap/dtype.hpp"

#include <cstdint>
#include <numeric>
#include <vector>

namespace kmap::detail {

template <class Space>
Bytes<Space> allocate(std::size_t bytes) {
  return Bytes<Space>(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:collect"), bytes);
}

inline std::vector<std::int64_t> counting(std::int64_t n, std::int64_t step) {
  std::vector<std::int64_t> values(static_cast<std::size_t>(n));
  for (std::int64_t i = 0; i < n; ++i) values[static_cast<std::size_t>(i)] = i * step;
  return values;
}

/// Row-major strides, the last dimension's `last`.
inline std::vector<std::int64_t> row_strides(const std::vector<std::int64_t>& extents,
                                             std::int64_t last = 1) {
  std::vector<std::int64_t> strides(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = last;
    last *= extents[d];
  }
  return strides;
}

constexpr bool is_reduction(CollectiveKind kind) {
  return kind == CollectiveKind::psum || kind == CollectiveKind::pmean ||
         kind == CollectiveKind::pmax || kind == CollectiveKind::pmin ||
         kind == CollectiveKind::psum_scatter;
}

/// The strides of operands that lie row-major, example after example.
inline OperandArray recorded_array(const IterationSpace& space, const CollectiveCall& call,
                                   const void* data) {
  OperandArray array;
  array.data = data;
  std::int64_t stride = 1;
  for (int d = call.rank - 1; d >= 0; --d) {
    array.core_strides[d] = stride;
    stride *= call.extents[d];
  }
  for (int l = space.levels - 1; l >= 0; --l) {
    array.level_strides[l] = stride;
    stride *= space.extents[l];
  }
  return array;
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

}  // namespace kmap::detail
