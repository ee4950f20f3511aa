#pragma once
/// \file
/// Arrays distributed along one axis over the ranks of a communicator: what pmap takes and gives.

#include "kmap/communicator.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/structure.hpp"
#include "kmap/detail/views.hpp"
#include "kmap/dtype.hpp"
#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <utility>

namespace kmap {

namespace detail {

/// The shape of one rank's part of an array that is distributed along `axis`.
inline Shape part_shape(Shape shape, int axis, int ranks, int rank) {
  std::int64_t& extent = shape[static_cast<std::size_t>(axis)];
  extent = shard_of(extent, ranks, rank).size();
  return shape;
}

}  // namespace detail

/// An array of rank `Rank` whose axis `axis()` is split into contiguous shards, one per rank in
/// rank order, sizes differing by at most one (more ranks than rows: the last ones are empty). The
/// shard is a row-major View in `Space`. Copies share the data, as copies of a View do.
template <Element T, int Rank, class Space = Kokkos::DefaultExecutionSpace::memory_space>
class DistArray {
  static_assert(Rank >= 1 && Rank <= 8, "kmap: a distributed array has 1 to 8 dimensions");

 public:
  using value_type = T;
  using memory_space = Space;
  using local_type =
      Kokkos::View<typename detail::DataType<T, Rank>::type, Kokkos::LayoutRight, Space>;
  static constexpr int rank() { return Rank; }

  /// Makes each rank's shard, uninitialised. `shape` is global and the same on all ranks; `comm`
  /// must outlive the array and its copies. No communication.
  DistArray(const Communicator& comm, const Shape& shape, int axis = 0)
      : comm_(&comm), shape_(shape), axis_(axis) {
    shard_ = std::make_shared<Shard>(
        Shard{detail::make_view<local_type>("kmap:shard", checked_part(comm, shape, axis)), false});
  }
  /// The same of shards that are there already, one on each rank. No communication.
  DistArray(const Communicator& comm, const Shape& shape, int axis, const local_type& local)
      : comm_(&comm),
        shape_(shape),
        axis_(axis),
        shard_(std::make_shared<Shard>(Shard{local, false})) {
    const Shape part = checked_part(comm, shape, axis);
    if (detail::shape_of(local) != part) {
      throw ShapeError("a shard of shape " + to_string(detail::shape_of(local)) + " on rank " +
                           std::to_string(comm.rank()) + " cannot be a part of an array of shape " +
                           to_string(shape) + " distributed along axis " + std::to_string(axis),
                       "give a shard of shape " + to_string(part));
    }
  }

  const Communicator& comm() const { return *comm_; }
  /// Of the whole array.
  const Shape& shape() const { return shape_; }
  std::int64_t extent(int d) const { return shape_.at(static_cast<std::size_t>(d)); }
  /// The distributed axis.
  int axis() const { return axis_; }
  /// This rank's part of the distributed axis.
  Range shard() const { return shard_of(extent(axis_), comm_->size(), comm_->rank()); }
  /// This rank's part of the array, to be read and written in place. An Error once the array, or a
  /// copy of it, was donated.
  const local_type& local() const {
    if (shard_->donated) {
      throw Error(ExitCode::bad_data,
                  "the distributed array of shape " + to_string(shape_) +
                      " was donated to a map, which has used its memory",
                  "use the result of that map, or do not donate an array that is needed again");
    }
    return shard_->local;
  }
  /// Ends the use of the array and of its copies on this rank; what holds its shard keeps that.
  void give_away() const { *shard_ = Shard{local_type(), true}; }

 private:
  struct Shard {
    local_type local;
    bool donated;
  };

  static Shape checked_part(const Communicator& comm, const Shape& shape, int axis) {
    if (static_cast<int>(shape.size()) != Rank || axis < 0 || axis >= Rank) {
      throw ShapeError("a distributed array of rank " + std::to_string(Rank) +
                       " cannot have shape " + to_string(shape) + " and distributed axis " +
                       std::to_string(axis));
    }
    return detail::part_shape(shape, axis, comm.size(), comm.rank());
  }

  const Communicator* comm_;
  Shape shape_;
  int axis_;
  std::shared_ptr<Shard> shard_;
};

namespace detail {

/// Bytes to one rank, in pieces that MPI's int counts can hold.
void send_bytes(const Communicator& comm, const void* data, std::size_t bytes, int to);
void receive_bytes(const Communicator& comm, void* data, std::size_t bytes, int from);

template <class T, int Rank>
using HostArray =
    Kokkos::View<typename DataType<T, Rank>::type, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// A row-major host View of that shape, uninitialised.
template <class T, int Rank>
HostArray<T, Rank> make_host_array(const Shape& shape) {
  return make_view<HostArray<T, Rank>>("kmap:host", shape);
}

/// A row-major copy on the host, of any view.
template <class View>
auto to_host(const View& view) {
  using T = typename View::non_const_value_type;
  constexpr int rank = static_cast<int>(View::rank());
  // The mirror keeps the layout (a device copy may not change it); the second copy makes it rows.
  const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  auto rows = make_host_array<T, rank>(shape_of(view));
  Kokkos::deep_copy(rows, mirror);
  return rows;
}

/// The part [range.begin, range.end) of one axis of a view, without a copy.
template <class View>
auto part_of(const View& view, int axis, Range range) {
  constexpr int rank = static_cast<int>(View::rank());
  Kokkos::LayoutStride layout;
  for (std::size_t d = 0; d < static_cast<std::size_t>(rank); ++d) {
    layout.dimension[d] = view.extent(d);
    layout.stride[d] = view.stride(d);
  }
  const auto a = static_cast<std::size_t>(axis);
  layout.dimension[a] = static_cast<std::size_t>(range.size());
  using Data = typename DataType<typename View::value_type, rank>::type;
  using Part = Kokkos::View<Data, Kokkos::LayoutStride, typename View::device_type,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  // An empty array has no element to point at.
  auto* first = view.size() == 0
                    ? view.data()
                    : view.data() + range.begin * static_cast<std::int64_t>(view.stride(a));
  return Part(first, layout);
}

template <class View>
auto scatter_array(const Communicator& comm, const View& x, int axis, int root) {
  using T = typename View::non_const_value_type;
  constexpr int rank = static_cast<int>(View::rank());
  static_assert(rank >= 1, "kmap: a scalar has no axis to distribute");
  const Region region("kmap:scatter");
  Shape shape = shape_of(x);
  comm.broadcast(shape.data(), shape.size() * sizeof(shape[0]), root);
  const DistArray<T, rank> result(comm, shape, axis);
  const auto whole = comm.rank() == root ? to_host(x) : HostArray<T, rank>();
  const auto a = static_cast<std::size_t>(axis);
  const auto make_part = [&](int r) {
    return make_host_array<T, rank>(part_shape(shape, axis, comm.size(), r));
  };
  const auto mine = make_part(comm.rank());
  if (comm.rank() != root) {
    receive_bytes(comm, mine.data(), mine.size() * sizeof(T), root);
  } else {
    for (int r = 0; r < comm.size(); ++r) {
      const auto part = r == root ? mine : make_part(r);
      Kokkos::deep_copy(part, part_of(whole, axis, shard_of(shape[a], comm.size(), r)));
      if (r != root) send_bytes(comm, part.data(), part.size() * sizeof(T), r);
    }
  }
  Kokkos::deep_copy(result.local(), mine);
  return result;
}

template <class T, int Rank, class Space>
auto gather_array(const DistArray<T, Rank, Space>& x, int root) {
  const Region region("kmap:gather");
  const Communicator& comm = x.comm();
  const auto mine = to_host(x.local());
  if (comm.rank() != root) {
    send_bytes(comm, mine.data(), mine.size() * sizeof(T), root);
    return make_host_array<T, Rank>(Shape(static_cast<std::size_t>(Rank), 0));
  }
  const auto whole = make_host_array<T, Rank>(x.shape());
  for (int r = 0; r < comm.size(); ++r) {
    const Range range = shard_of(x.extent(x.axis()), comm.size(), r);
    const auto part =
        r == root ? mine
                  : make_host_array<T, Rank>(part_shape(x.shape(), x.axis(), comm.size(), r));
    if (r != root) receive_bytes(comm, part.data(), part.size() * sizeof(T), r);
    Kokkos::deep_copy(part_of(whole, x.axis(), range), part);
  }
  return whole;
}

}  // namespace detail

/// Distributes `x` of rank `root`, a View or a structure of Views, along `axis`. On other ranks x
/// is not looked at (but has the same type). Collective over `comm`, which must outlive the result.
template <class X>
auto scatter(const Communicator& comm, const X& x, int axis = 0, int root = 0) {
  return detail::each_leaf(x, [&](const auto& array) {
    static_assert(Kokkos::is_view_v<std::remove_cvref_t<decltype(array)>>,
                  "kmap: scatter takes Kokkos::Views, and structures of them");
    return detail::scatter_array(comm, array, axis, root);
  });
}

/// The whole of `x`, a DistArray or a structure of them, on rank `root`: row-major Views on the
/// host; on other ranks Views of extents 0. Collective over the communicator of the arrays.
template <class X>
auto gather(const X& x, int root = 0) {
  return detail::each_leaf(x, [&](const auto& array) { return detail::gather_array(array, root); });
}

}  // namespace kmap
