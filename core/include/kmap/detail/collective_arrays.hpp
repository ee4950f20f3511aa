#pragma once
// Collectives between maps, on whole arrays: one example per index of the distributed axis.

#include "kmap/detail/collective_call.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/views.hpp"
#include "kmap/dist_array.hpp"
#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

namespace kmap {

namespace detail {

template <class A>
struct IsDistArray : std::false_type {};
template <class T, int R, class S>
struct IsDistArray<DistArray<T, R, S>> : std::true_type {};

template <class A>
concept WholeArray = Kokkos::is_view_v<A> || IsDistArray<A>::value;

/// A View or a DistArray seen as examples along one axis.
template <class A>
struct ExamplesOf {
  using T = typename A::non_const_value_type;
  using Space = typename A::memory_space;
  static constexpr int rank = static_cast<int>(A::rank());
  static const Communicator* comm(const A&) { return nullptr; }
  static int axis(const A&) { return 0; }
  static const A& local(const A& x) { return x; }
  static Shape shape(const A& x) { return shape_of(x); }
};
template <class E, int R, class S>
struct ExamplesOf<DistArray<E, R, S>> {
  using A = DistArray<E, R, S>;
  using T = E;
  using Space = S;
  static constexpr int rank = R;
  static const Communicator* comm(const A& x) { return &x.comm(); }
  static int axis(const A& x) { return x.axis(); }
  static const auto& local(const A& x) { return x.local(); }
  static Shape shape(const A& x) { return x.shape(); }
};

/// Writes the results of the examples here, in order, along axis `at` of `out`.
template <class S, int Rank>
struct CopyResults {
  CollectiveResult result;
  std::int64_t first;  // global index of the first example
  S* out;
  std::int64_t stride;  // of the axis
  Extents<Rank> extents;
  Extents<Rank> strides;

  struct Element {
    const Example<const S, Rank>& from;
    const Example<S, Rank>& to;
    template <class... I>
    KOKKOS_FUNCTION void operator()(I... index) const {
      to(index...) = from(index...);
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Extents<1> index = {{first + i}};
    S* target = out + i * stride;
    if constexpr (Rank == 0) {
      *target = read_result<S, 0>(result, index);
    } else {
      const auto from = read_result<S, Rank>(result, index);
      for_each_index<Rank>(extents, Element{from, Example<S, Rank>(target, extents, strides)});
    }
  }
};

/// `axis` < 0: one example alone, without an axis of its own.
template <class S, int Rank, class View>
void copy_results(const CollectiveResult& result, const View& out, int axis, std::int64_t first) {
  using Exec = typename View::execution_space;
  CopyResults<S, Rank> copy{result, first, out.data(), 0, {}, {}};
  std::int64_t examples = 1;
  int d = 0;
  for (int a = 0; a < static_cast<int>(View::rank()); ++a) {
    const auto extent = static_cast<std::int64_t>(out.extent(static_cast<std::size_t>(a)));
    const auto stride = static_cast<std::int64_t>(out.stride(static_cast<std::size_t>(a)));
    if (a == axis) {
      examples = extent;
      copy.stride = stride;
    } else {
      copy.extents[d] = extent;
      copy.strides[d++] = stride;
    }
  }
  Kokkos::parallel_for("kmap:collect:results",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, examples),
                       copy);
  Exec().fence("kmap:collect:results");
}

/// True if all examples get the same.
template <CollectiveKind Kind, class... O>
inline constexpr bool gives_one =
    (Kind == CollectiveKind::psum || Kind == CollectiveKind::pmean ||
     Kind == CollectiveKind::pmax || Kind == CollectiveKind::pmin ||
     Kind == CollectiveKind::all_gather || Kind == CollectiveKind::pbroadcast) &&
    !(std::is_same_v<O, AxisIndexGroups> || ...);

template <CollectiveKind Kind, class A>
class ArrayCollective {
  using Of = ExamplesOf<A>;
  using T = typename Of::T;
  using Space = typename Of::Space;
  static constexpr int core_rank = Of::rank - 1;
  using S = CollectedType<Kind, T>;
  static_assert(Of::rank > 0, "kmap: a collective on an array wants an axis with the examples");
  static_assert((Kind != CollectiveKind::pmax && Kind != CollectiveKind::pmin) ||
                    info(dtype_of<RecordedType<Kind, T>>).kind != 'c',
                "kmap: complex numbers have no order: pmax and pmin do not take them");

 public:
  template <class... O>
  explicit ArrayCollective(const A& x, const O&... options) : x_(x), shape_(Of::shape(x)) {
    static_assert((allows<Kind, O>() && ...), "kmap: this collective does not take such an option");
    const auto at = static_cast<std::size_t>(Of::axis(x));
    length_ = shape_[at];
    call_.kind = Kind;
    call_.dtype = dtype_of<RecordedType<Kind, T>>;
    call_.axis_count = 1;
    call_.axes[0] = 0;
    for (std::size_t d = 0; d < shape_.size(); ++d) {
      if (d != at) call_.extents[call_.rank++] = shape_[d];
    }
    (set_option(call_, options), ...);
    shard_ = {0, length_};
    if (const Communicator* comm = Of::comm(x)) {
      shard_ = shard_of(length_, comm->size(), comm->rank());
    }
  }

  template <bool GivesOne, int Rank>
  auto run() const {
    std::vector<Bytes<Space>> storage;
    const CollectiveResult result = combined(storage);
    const ResultShape one = result_shape(call_, call_.group_size > 0 ? call_.group_size : length_);
    Shape shape(one.extents, one.extents + Rank);
    if constexpr (GivesOne) {
      const auto out = make_view<RowMajor<Rank>>("kmap:output", shape);
      if (length_ == 0) {
        Kokkos::deep_copy(out, S{});
      } else {
        copy_results<S, Rank>(result, out, -1, 0);
      }
      return out;
    } else {
      const int axis = std::min(Of::axis(x_), Rank);
      shape.insert(shape.begin() + axis, length_);
      const auto out = make_output<Rank + 1>(shape, axis);
      if (length_ > 0) {
        copy_results<S, Rank>(result, ExamplesOf<std::remove_const_t<decltype(out)>>::local(out),
                              axis, shard_.begin);
      }
      return out;
    }
  }

 private:
  template <int Rank>
  using RowMajor = Kokkos::View<typename DataType<S, Rank>::type, Kokkos::LayoutRight, Space>;

  template <int Rank>
  auto make_output(const Shape& shape, int axis) const {
    if constexpr (IsDistArray<A>::value) {
      return DistArray<S, Rank, Space>(x_.comm(), shape, axis);
    } else {
      return make_view<RowMajor<Rank>>("kmap:output", shape);
    }
  }

  CollectiveResult combined(std::vector<Bytes<Space>>& storage) const {
    if (length_ == 0) {
      if (Kind == CollectiveKind::pmax || Kind == CollectiveKind::pmin ||
          Kind == CollectiveKind::pmean || Kind == CollectiveKind::pbroadcast) {
        throw ShapeError(std::string(name_of(Kind)) + " of an array of shape " + to_string(shape_) +
                             ": it has no example",
                         "give an array with at least one");
      }
      return {};
    }
    IterationSpace space;
    space.add(shard_.size(), shard_.begin, length_);
    const auto& local = Of::local(x_);
    if constexpr (std::is_same_v<RecordedType<Kind, T>, T>) {
      return combine_local(space, local, storage);
    } else {
      using Recorded = Kokkos::View<typename DataType<RecordedType<Kind, T>, Of::rank>::type,
                                    Kokkos::LayoutRight, Space>;
      const auto recorded = make_view<Recorded>("kmap:collect:operands", shape_of(local));
      Kokkos::deep_copy(recorded, local);
      return combine_local(space, recorded, storage);
    }
  }

  template <class Local>
  CollectiveResult combine_local(const IterationSpace& space, const Local& local,
                                 std::vector<Bytes<Space>>& storage) const {
    const auto at = static_cast<std::size_t>(Of::axis(x_));
    OperandArray operand;
    operand.data = local.data();
    int d = 0;
    for (std::size_t a = 0; a < Local::rank(); ++a) {
      const auto stride = static_cast<std::int64_t>(local.stride(a));
      if (a == at) {
        operand.level_strides[0] = stride;
      } else {
        operand.core_strides[d++] = stride;
      }
    }
    return combine<Space>(space, {std::to_string(at)}, Of::comm(x_), call_, operand, storage);
  }

  const A& x_;
  Shape shape_;
  std::int64_t length_ = 0;
  Range shard_;
  CollectiveCall call_;
};

template <CollectiveKind Kind, class A, class... O>
auto collect_array(const A& x, const O&... options) {
  constexpr bool is_tiled = (IsTiled<O>::value || ...);
  constexpr int rank = result_rank<Kind, ExamplesOf<A>::rank - 1, is_tiled>();
  const Region region("kmap:collect:", name_of(Kind));
  return ArrayCollective<Kind, A>(x, options...).template run<gives_one<Kind, O...>, rank>();
}

}  // namespace detail

}  // namespace kmap
