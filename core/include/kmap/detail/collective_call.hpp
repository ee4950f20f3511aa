#pragma once
// From a collective's operand and options, inside a mapped function, to a CollectiveCall and back.

#include "kmap/axis_groups.hpp"
#include "kmap/computed.hpp"
#include "kmap/context.hpp"
#include "kmap/detail/replay.hpp"
#include "kmap/detail/structure.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap {

struct GatherAxis;
struct ScatterDimension;

/// Option of all_gather, psum_scatter and all_to_all: join along an existing dimension.
/// (An enumerator, since device code knows no variables of the host.)
enum Tiled { tiled };

namespace detail {

struct SplitConcat {
  int split;
  int concat;
};
struct Source {
  std::int64_t index;
};

// ---- Types

constexpr bool sums(CollectiveKind kind) {
  return kind == CollectiveKind::psum || kind == CollectiveKind::pmean ||
         kind == CollectiveKind::psum_scatter;
}

/// The type in which operands are recorded: halves as float, which results then are too.
template <CollectiveKind Kind, class T>
using RecordedType =
    std::conditional_t<is_half<T>, float,
                       std::conditional_t<sums(Kind) && std::is_same_v<T, bool>, std::int32_t, T>>;

/// The type of a mean: integers of up to 32 bits give float, longer ones double (as jax.lax.pmean
/// with 64-bit types enabled).
template <class T>
using MeanType =
    std::conditional_t<!std::is_integral_v<T>, T, std::conditional_t<sizeof(T) < 8, float, double>>;

template <CollectiveKind Kind, class T>
using CollectedType = std::conditional_t<Kind == CollectiveKind::pmean && !is_half<T>, MeanType<T>,
                                         RecordedType<Kind, T>>;

// ---- Operands: each can be copied row-major, and looked at as an Example.

template <class E, class T>
struct ValueOperand {
  using value_type = E;
  static constexpr int rank = 0;
  T value;
  KOKKOS_FUNCTION static constexpr std::int64_t size() { return 1; }
  KOKKOS_FUNCTION static constexpr std::int64_t extent(int) { return 1; }
  KOKKOS_FUNCTION E first() const { return static_cast<E>(value); }
  KOKKOS_FUNCTION void copy_to(E* to) const { *to = static_cast<E>(value); }
};

template <class E, class T, int... N>
struct VecOperand {
  using value_type = E;
  static constexpr int rank = sizeof...(N);
  const vec<T, N...>& value;
  KOKKOS_FUNCTION static constexpr std::int64_t size() { return vec<T, N...>::size; }
  KOKKOS_FUNCTION static constexpr std::int64_t extent(int d) {
    const std::int64_t extents[] = {N...};
    return extents[d];
  }
  KOKKOS_FUNCTION E first() const { return static_cast<E>(value.values[0]); }
  KOKKOS_FUNCTION void copy_to(E* to) const {
    for (int i = 0; i < vec<T, N...>::size; ++i) to[i] = static_cast<E>(value.values[i]);
  }
  KOKKOS_FUNCTION Example<const T, rank> view() const {
    Extents<rank> extents;
    Extents<rank> strides;
    std::int64_t stride = 1;
    for (int d = rank - 1; d >= 0; --d) {
      extents[d] = extent(d);
      strides[d] = stride;
      stride *= extents[d];
    }
    return {value.values, extents, strides};
  }
};

template <class E, class View>
struct RowWriter {
  const View& from;
  E*& to;
  template <class... I>
  KOKKOS_FUNCTION constexpr void operator()(I... index) const {
    *to++ = static_cast<E>(from(index...));
  }
};

template <class E, class T, int Rank>
struct ExampleOperand {
  using value_type = E;
  static constexpr int rank = Rank;
  const Example<T, Rank>& value;
  KOKKOS_FUNCTION std::int64_t size() const { return value.size(); }
  KOKKOS_FUNCTION std::int64_t extent(int d) const { return value.extent(d); }
  KOKKOS_FUNCTION E first() const { return static_cast<E>(*value.data()); }
  KOKKOS_FUNCTION void copy_to(E* to) const {
    Extents<Rank> extents;
    for (int d = 0; d < Rank; ++d) extents[d] = value.extent(d);
    for_each_index<Rank>(extents, RowWriter<E, Example<T, Rank>>{value, to});
  }
  KOKKOS_FUNCTION Example<const std::remove_const_t<T>, Rank> view() const { return value; }
};

template <class E, class T, int Rank, class F>
struct ComputedOperand {
  using value_type = E;
  static constexpr int rank = Rank;
  const Computed<T, Rank, F>& value;
  KOKKOS_FUNCTION std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < Rank; ++d) n *= extent(d);
    return n;
  }
  KOKKOS_FUNCTION std::int64_t extent(int d) const { return value.extents()[d]; }
  // What stands in for a result: no element is computed for that.
  KOKKOS_FUNCTION E first() const { return static_cast<E>(1); }
  KOKKOS_FUNCTION void copy_to(E* to) const {
    for_each_index<Rank>(value.extents(), RowWriter<E, Computed<T, Rank, F>>{value, to});
  }
};

template <CollectiveKind Kind, Element T>
KOKKOS_FUNCTION ValueOperand<RecordedType<Kind, T>, T> operand_of(const T& x) {
  return {x};
}
template <CollectiveKind Kind, class T, int... N>
KOKKOS_FUNCTION VecOperand<RecordedType<Kind, T>, T, N...> operand_of(const vec<T, N...>& x) {
  return {x};
}
template <CollectiveKind Kind, class T, int Rank>
KOKKOS_FUNCTION ExampleOperand<RecordedType<Kind, std::remove_const_t<T>>, T, Rank> operand_of(
    const Example<T, Rank>& x) {
  static_assert(Rank < max_core_rank, "kmap: an operand of a collective has at most 7 dimensions");
  return {x};
}

template <CollectiveKind Kind, class T, int Rank, class F>
KOKKOS_FUNCTION ComputedOperand<RecordedType<Kind, T>, T, Rank, F> operand_of(
    const Computed<T, Rank, F>& x) {
  static_assert(Rank < max_core_rank, "kmap: an operand of a collective has at most 7 dimensions");
  return {x};
}

template <class X>
struct OperandElement {
  using type = X;
};
template <class T, int... N>
struct OperandElement<vec<T, N...>> {
  using type = T;
};
template <class T, int R>
struct OperandElement<Example<T, R>> {
  using type = std::remove_const_t<T>;
};
template <class T, int R, class F>
struct OperandElement<Computed<T, R, F>> {
  using type = T;
};

/// A function object that makes an operand when that is needed. (An Example of rank 0 can be called
/// without arguments too.)
template <class X>
concept Maker = std::is_invocable_v<const X&> && !IsExample<X>::value;
template <Maker X>
using Made = std::remove_cvref_t<std::invoke_result_t<const X&>>;

// ---- Options

template <class O>
struct IsTiled : std::is_same<O, Tiled> {};

KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, const AxisIndexGroups& groups) {
  call.table = groups.table();
  call.group_size = groups.size();
}
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, Tiled) { call.tiled = true; }
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, SplitConcat axes) {
  call.dim = axes.split;
  call.other_dim = axes.concat;
}
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, Source source) {
  call.number = source.index;
}
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, Ring ring) {
  call.number = ring.shift;
}
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, const Pairs& pairs) {
  call.table = pairs.table();
}
KOKKOS_INLINE_FUNCTION void set_option(CollectiveCall& call, const Permutation& order) {
  call.table = order.table();
}
template <class O>
  requires(std::is_same_v<O, GatherAxis> || std::is_same_v<O, ScatterDimension>)
KOKKOS_FUNCTION void set_option(CollectiveCall& call, const O& option) {
  call.dim = option.value;
}

template <CollectiveKind Kind, class O>
constexpr bool allows() {
  constexpr bool reduces = Kind == CollectiveKind::psum || Kind == CollectiveKind::pmean ||
                           Kind == CollectiveKind::pmax || Kind == CollectiveKind::pmin;
  if constexpr (std::is_same_v<O, AxisIndexGroups>) return reduces || !keeps_shape(Kind);
  if constexpr (std::is_same_v<O, Tiled>) return !keeps_shape(Kind);
  if constexpr (std::is_same_v<O, GatherAxis>) return Kind == CollectiveKind::all_gather;
  if constexpr (std::is_same_v<O, ScatterDimension>) return Kind == CollectiveKind::psum_scatter;
  if constexpr (std::is_same_v<O, SplitConcat>) return Kind == CollectiveKind::all_to_all;
  if constexpr (std::is_same_v<O, Source>) return Kind == CollectiveKind::pbroadcast;
  if constexpr (std::is_same_v<O, Ring> || std::is_same_v<O, Pairs>) {
    return Kind == CollectiveKind::ppermute;
  }
  if constexpr (std::is_same_v<O, Permutation>) return Kind == CollectiveKind::pshuffle;
  return false;
}

template <CollectiveKind Kind, int Rank, bool IsTiledCall>
constexpr int result_rank() {
  if constexpr (Kind == CollectiveKind::psum_scatter || Kind == CollectiveKind::all_to_all) {
    static_assert(Rank > 0,
                  "kmap: this collective divides a dimension of its operand, which has none");
  }
  if constexpr (IsTiledCall) {
    static_assert(Rank > 0, "kmap: tiled joins along a dimension of the operand, which has none");
  }
  if constexpr (Kind == CollectiveKind::psum_scatter && !IsTiledCall) return Rank - 1;
  if constexpr (Kind == CollectiveKind::all_gather && !IsTiledCall) return Rank + 1;
  return Rank;
}

// ---- The collective itself

template <class... Name>
inline constexpr bool names_differ = true;
template <class First, class... Rest>
inline constexpr bool names_differ<First, Rest...> =
    (!std::is_same_v<First, Rest> && ...) && names_differ<Rest...>;

template <class... Name, class C>
KOKKOS_FUNCTION void set_axes(const C& c, CollectiveCall& call) {
  static_assert(sizeof...(Name) > 0,
                "kmap: a collective wants the name of an axis, as in psum<\"i\">(c, x)");
  static_assert(names_differ<Name...>, "kmap: a collective names one axis twice");
  call.axis_count = 0;
  ((call.axes[call.axis_count++] = level_of<Name>(c)), ...);
}

template <CollectiveKind Kind, class X, class... O>
constexpr void check_operand() {
  static_assert((allows<Kind, O>() && ...), "kmap: this collective does not take such an option");
  using T = typename OperandElement<X>::type;
  static_assert(
      Element<T>,
      "kmap: a collective takes a bool, a number, a kmap::vec, an Example, computed(…), a "
      "std::tuple or structure of these, or a function that makes one of them");
  static_assert((Kind != CollectiveKind::pmax && Kind != CollectiveKind::pmin) ||
                    info(dtype_of<RecordedType<Kind, T>>).kind != 'c',
                "kmap: complex numbers have no order: pmax and pmin do not take them");
}

/// One operand. `joint`: operands of this collective from this one on.
template <CollectiveKind Kind, class... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto collect_one(Context<Names, Replay>& c, int joint, const X& x,
                                             const O&... options) {
  check_operand<Kind, X, O...>();
  using S = CollectedType<Kind, typename OperandElement<X>::type>;
  constexpr bool is_tiled = (IsTiled<O>::value || ...);
  const auto operand = operand_of<Kind>(x);
  using Operand = std::remove_const_t<decltype(operand)>;
  constexpr int rank = result_rank<Kind, Operand::rank, is_tiled>();
  CollectiveCall call;
  call.kind = Kind;
  call.dtype = dtype_of<typename Operand::value_type>;
  call.rank = Operand::rank;
  for (int d = 0; d < Operand::rank; ++d) call.extents[d] = operand.extent(d);
  set_axes<Name...>(c, call);
  (set_option(call, options), ...);
  const std::int64_t all = (std::int64_t{1} * ... * c.length[level_of<Name>(c)]);
  const std::int64_t n = call.group_size > 0 ? call.group_size : all;
  const auto result = c.replay.template take<Kind, S, rank>(call, operand, joint, n, c.index);
  if constexpr (IsVec<X>::value && keeps_shape(Kind)) {
    typename RebindVec<X, S>::type values{};
    S* to = values.values;
    Extents<rank> extents;
    for (int d = 0; d < rank; ++d) extents[d] = operand.extent(d);
    for_each_index<rank>(extents, RowWriter<S, std::remove_const_t<decltype(result)>>{result, to});
    return values;
  } else {
    return result;
  }
}

// ---- Operands that are made only where they are needed

/// Whether a stand-in for the result of an operand of type X needs nothing of the operand: a number
/// or a vec of ones does.
template <CollectiveKind Kind, class X, bool IsTiledCall>
constexpr bool stands_alone() {
  using Operand = decltype(operand_of<Kind>(std::declval<const X&>()));
  return (IsVec<X>::value && keeps_shape(Kind)) ||
         result_rank<Kind, Operand::rank, IsTiledCall>() == 0;
}
template <CollectiveKind Kind, bool IsTiledCall, class... X>
constexpr bool all_stand_alone(TypeList<X...>) {
  return (stands_alone<Kind, X, IsTiledCall>() && ...);
}

/// The result of an operand of type X that is not made, or where that is not known ones.
template <CollectiveKind Kind, class X, bool IsTiledCall, class Names, class Replay>
KOKKOS_FORCEINLINE_FUNCTION auto collect_one_unmade(Context<Names, Replay>& c) {
  check_operand<Kind, X>();
  using S = CollectedType<Kind, typename OperandElement<X>::type>;
  using Operand = decltype(operand_of<Kind>(std::declval<const X&>()));
  constexpr int rank = result_rank<Kind, Operand::rank, IsTiledCall>();
  if constexpr (IsVec<X>::value && keeps_shape(Kind)) {
    typename RebindVec<X, S>::type values;
    for (S& value : values.values) value = static_cast<S>(1);
    if (c.replay.knows_next()) {
      const auto result = c.replay.template read_next<S, rank>(c.index);
      S* to = values.values;
      Extents<rank> extents;
      for (int d = 0; d < rank; ++d) extents[d] = result.extent(d);
      for_each_index<rank>(extents,
                           RowWriter<S, std::remove_const_t<decltype(result)>>{result, to});
    } else {
      c.replay.skip_next();
    }
    return values;
  } else if constexpr (rank == 0) {
    if (c.replay.knows_next()) return c.replay.template read_next<S, 0>(c.index);
    c.replay.skip_next();
    return static_cast<S>(1);
  } else {
    return c.replay.template read_next<S, rank>(c.index);
  }
}

template <CollectiveKind Kind, class R, bool IsTiledCall, class C, class... X>
KOKKOS_FORCEINLINE_FUNCTION auto collect_unmade(C& c, TypeList<X...>) {
  const std::tuple<decltype(collect_one_unmade<Kind, X, IsTiledCall>(c))...> results{
      collect_one_unmade<Kind, X, IsTiledCall>(c)...};
  return build<0>(typename TreeOf<R>::type{}, results);
}

/// What `make` makes, or its result without. `collect` goes on with what was made.
template <CollectiveKind Kind, bool IsTiledCall, class C, Maker X, class Collect>
KOKKOS_FORCEINLINE_FUNCTION auto collect_made(C& c, const X& make, const Collect& collect) {
  using R = Made<X>;
  using Leaves = typename LeafTypes<R>::type;
  const bool unmade = c.replay.knows_next() ||
                      (all_stand_alone<Kind, IsTiledCall>(Leaves{}) && !c.replay.wants_operand());
  if (unmade) return collect_unmade<Kind, R, IsTiledCall>(c, Leaves{});
  return collect(make());
}

// ---- One or several

template <CollectiveKind Kind, class... Name, class C, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto collect_part(C& c, int joint, const X& x, const O&... options) {
  if constexpr (Maker<X>) {
    return collect_made<Kind, (IsTiled<O>::value || ...)>(c, x, [&](const auto& made) {
      return collect_one<Kind, Name...>(c, joint, made, options...);
    });
  } else {
    return collect_one<Kind, Name...>(c, joint, x, options...);
  }
}

template <CollectiveKind Kind, class... Name, class C, class X, std::size_t... I, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto collect_leaves(C& c, const X& x, std::index_sequence<I...>,
                                                const O&... options) {
  constexpr int count = static_cast<int>(sizeof...(I));
  static_assert(count > 0 && count <= max_joint,
                "kmap: a collective takes a std::tuple or structure of one to eight operands");
  // Braces: the parts are called in their order.
  const std::tuple<decltype(collect_part<Kind, Name...>(c, 1, leaf_at<I>(x), options...))...>
      results{collect_part<Kind, Name...>(c, count - static_cast<int>(I), leaf_at<I>(x),
                                          options...)...};
  return build<0>(typename TreeOf<X>::type{}, results);
}

template <CollectiveKind Kind, class... Name, class C, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto collect(C& c, const X& x, const O&... options) {
  if constexpr (Maker<X>) {
    return collect_made<Kind, (IsTiled<O>::value || ...)>(
        c, x, [&](const auto& made) { return collect<Kind, Name...>(c, made, options...); });
  } else if constexpr (is_structure<X>) {
    return collect_leaves<Kind, Name...>(c, x, std::make_index_sequence<leaf_count<X>>{},
                                         options...);
  } else {
    return collect_one<Kind, Name...>(c, 1, x, options...);
  }
}

}  // namespace detail

}  // namespace kmap
