#pragma once
/// \file
/// Collectives over named axes, with the meaning of jax.lax: inside a function that vmap or pmap
/// maps (its first argument is the context `c`), or between maps on whole arrays.
///
/// ```cpp
/// struct Center {
///   template <class C>
///   KOKKOS_FUNCTION double operator()(C& c, double x) const { return x - pmean<"i">(c, x); }
/// };
/// vmap(Center{}, axis_name<"i">)(x);     // or pmap, over any number of ranks
/// ```
/// Several names mean the product of their axes, first name major: `psum<"i", "j">(c, x)`. n is the
/// number of examples on the axes. An operand is a value, a `vec`, an Example of at most 7
/// dimensions, `computed` (kmap/computed.hpp), or a std::tuple or structure of up to eight of
/// these, combined in one go. A function without arguments that returns an operand may stand for
/// it, `psum<"i">(c, [&] { return costly(x); })`: it is called only in the run that records the
/// operand, and where an unknown result needs its shape. All examples must call the same
/// collectives in the same order, with operands of the same type and extents.
///
/// How it works and what it costs: a function with k collectives is run k + 1 times over the data
/// (a tuple counts once), each run up to the next collective for the record; results stay in memory
/// meanwhile, and operands, except those that are reduced over the distributed axis: these are
/// taken as they come. Until a result is known the function goes on with its own operand instead
/// (ones, if that is not made or computed): divisors of integers, indices and loops that depend on
/// a result have to be safe for that, and such a loop needs a bound on its turns. `stands_in(c)`
/// tells that it does, so that it may return at once. Functions that write into `out` views must
/// not read there what they wrote in an earlier run, nor get inputs that share memory with them.
///
/// Sums are formed over a tree that depends on n alone: 1024 examples are one leaf, in which
/// example j adds to lane j mod 32 and the lanes are added in halves; leaves are added in pairs. So
/// results have the same bits at any number of ranks, threads and blocks.
///
/// Errors are ShapeErrors, the same on all ranks; an axis name that no enclosing map binds is a
/// compile error that lists the bound ones.

#include "kmap/axis_groups.hpp"
#include "kmap/context.hpp"
#include "kmap/detail/collective_arrays.hpp"
#include "kmap/detail/collective_call.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace kmap {

/// Option of all_gather: where the gathered axis lands (default 0); negative counts from the end of
/// the result, with `tiled` of the operand.
struct GatherAxis {
  int value;
};
KOKKOS_FUNCTION constexpr GatherAxis axis(int value) { return {value}; }

/// Option of psum_scatter: the dimension of the operand that is handed out (default 0).
struct ScatterDimension {
  int value;
};
KOKKOS_FUNCTION constexpr ScatterDimension scatter_dimension(int value) { return {value}; }

// The options of the collectives below, in any order:
//   groups   an AxisIndexGroups: work within each group; n is then the size of the group
//   tiled    join along an existing dimension instead of adding or removing one

/// Sum over the axis, given to all. bool sums as int32.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto psum(Context<Names, Replay>& c, const X& x, const O&... options) {
  return detail::collect<detail::CollectiveKind::psum, detail::CharsOf<Name>...>(c, x, options...);
}

/// Sum divided by n. Of bool and integers the sum is formed in their type, as psum's, and the mean
/// is float, of 64-bit ones double.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto pmean(Context<Names, Replay>& c, const X& x, const O&... options) {
  return detail::collect<detail::CollectiveKind::pmean, detail::CharsOf<Name>...>(c, x, options...);
}

/// Greatest over the axis; NaN if any is. Not of complex numbers.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto pmax(Context<Names, Replay>& c, const X& x, const O&... options) {
  return detail::collect<detail::CollectiveKind::pmax, detail::CharsOf<Name>...>(c, x, options...);
}

/// Least over the axis; NaN if any is. Not of complex numbers.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto pmin(Context<Names, Replay>& c, const X& x, const O&... options) {
  return detail::collect<detail::CollectiveKind::pmin, detail::CharsOf<Name>...>(c, x, options...);
}

/// The sum over the axis, of which example i gets slice i along scatter_dimension(d): that
/// dimension has size n and vanishes, or with `tiled` a multiple of n and is divided by it.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto psum_scatter(Context<Names, Replay>& c, const X& x,
                                              const O&... options) {
  return detail::collect<detail::CollectiveKind::psum_scatter, detail::CharsOf<Name>...>(
      c, x, options...);
}

/// The operands of all, stacked at a new axis(a), or with `tiled` joined along dimension a.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto all_gather(Context<Names, Replay>& c, const X& x,
                                            const O&... options) {
  return detail::collect<detail::CollectiveKind::all_gather, detail::CharsOf<Name>...>(c, x,
                                                                                       options...);
}

/// Example j gets slice j along split_axis of everyone's operand, stacked at concat_axis
/// (split_axis has size n and vanishes), or with `tiled` chunk j of n, joined along concat_axis.
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto all_to_all(Context<Names, Replay>& c, const X& x, int split_axis,
                                            int concat_axis, const O&... options) {
  return detail::collect<detail::CollectiveKind::all_to_all, detail::CharsOf<Name>...>(
      c, x, detail::SplitConcat{split_axis, concat_axis}, options...);
}

/// all_to_all(a, a).
template <detail::FixedString... Name, class Names, class Replay, class X, class... O>
KOKKOS_FORCEINLINE_FUNCTION auto pswapaxes(Context<Names, Replay>& c, const X& x, int a,
                                           const O&... options) {
  return all_to_all<Name...>(c, x, a, a, options...);
}

/// The operand of each source goes to its destination; who is nobody's destination gets zeros.
/// `pairs` is a Pairs or ring(shift).
template <detail::FixedString... Name, class Names, class Replay, class X, class P>
KOKKOS_FORCEINLINE_FUNCTION auto ppermute(Context<Names, Replay>& c, const X& x, const P& pairs) {
  return detail::collect<detail::CollectiveKind::ppermute, detail::CharsOf<Name>...>(c, x, pairs);
}

/// Example i gets the operand of order[i].
template <detail::FixedString... Name, class Names, class Replay, class X>
KOKKOS_FORCEINLINE_FUNCTION auto pshuffle(Context<Names, Replay>& c, const X& x,
                                          const Permutation& order) {
  return detail::collect<detail::CollectiveKind::pshuffle, detail::CharsOf<Name>...>(c, x, order);
}

/// The operand of example `source`, given to all.
template <detail::FixedString... Name, class Names, class Replay, class X>
KOKKOS_FORCEINLINE_FUNCTION auto pbroadcast(Context<Names, Replay>& c, const X& x,
                                            std::int64_t source) {
  return detail::collect<detail::CollectiveKind::pbroadcast, detail::CharsOf<Name>...>(
      c, x, detail::Source{source});
}

// ---- Between maps
//
// The same on a whole array: a DistArray, over its distributed axis, or a View, over its axis 0; an
// example is what stands at one index of that axis. What all examples get alike is returned once,
// as a View without the axis, on every rank; other results are arrays like x, distributed along the
// same axis where they have so many. Collective over the communicator of a DistArray; waits for
// work on x.

/// psum(x[, groups]); of no examples zeros.
template <detail::WholeArray A, class... O>
auto psum(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::psum>(x, options...);
}
/// pmean(x[, groups]).
template <detail::WholeArray A, class... O>
auto pmean(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::pmean>(x, options...);
}
/// pmax(x[, groups]).
template <detail::WholeArray A, class... O>
auto pmax(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::pmax>(x, options...);
}
/// pmin(x[, groups]).
template <detail::WholeArray A, class... O>
auto pmin(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::pmin>(x, options...);
}
/// psum_scatter(x[, scatter_dimension(d)][, tiled][, groups]).
template <detail::WholeArray A, class... O>
auto psum_scatter(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::psum_scatter>(x, options...);
}
/// all_gather(x[, axis(a)][, tiled][, groups]).
template <detail::WholeArray A, class... O>
auto all_gather(const A& x, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::all_gather>(x, options...);
}
/// all_to_all(x, split_axis, concat_axis[, tiled][, groups]).
template <detail::WholeArray A, class... O>
auto all_to_all(const A& x, int split_axis, int concat_axis, const O&... options) {
  return detail::collect_array<detail::CollectiveKind::all_to_all>(
      x, detail::SplitConcat{split_axis, concat_axis}, options...);
}
/// pswapaxes(x, a[, groups]).
template <detail::WholeArray A, class... O>
auto pswapaxes(const A& x, int a, const O&... options) {
  return all_to_all(x, a, a, options...);
}
/// ppermute(x, pairs), pairs a Pairs or ring(shift).
template <detail::WholeArray A, class P>
auto ppermute(const A& x, const P& pairs) {
  return detail::collect_array<detail::CollectiveKind::ppermute>(x, pairs);
}
/// pshuffle(x, order).
template <detail::WholeArray A>
auto pshuffle(const A& x, const Permutation& order) {
  return detail::collect_array<detail::CollectiveKind::pshuffle>(x, order);
}
/// pbroadcast(x, source).
template <detail::WholeArray A>
auto pbroadcast(const A& x, std::int64_t source) {
  return detail::collect_array<detail::CollectiveKind::pbroadcast>(x, detail::Source{source});
}

}  // namespace kmap
