#pragma once
// Cases with a collective, of examples of doubles.

#include "conformance/functors.hpp"

#include <type_traits>

namespace kmap::test {

// The collective of a case, chosen at run time; the ranks of operand and result are types.
struct Chooser {
  Op op;
  Over over;
  int axis;
  int split;
  int concat;
  bool tiled_form;
  bool grouped;
  std::int64_t source;
  AxisIndexGroups groups;
  Pairs pairs;
  Permutation permutation;
  Mismatch mismatch;

  explicit Chooser(const Case& c)
      : op(op_of(c)),
        over(over_of(c)),
        axis(c.axis),
        split(c.split),
        concat(c.concat),
        tiled_form(c.tiled),
        grouped(c.groups.has_value()),
        source(c.source),
        groups(c.groups.value_or(std::vector<std::vector<std::int64_t>>{})),
        pairs(c.pairs),
        permutation(c.permutation) {}

  // X is double or an Example<const double, R>.
  template <int R, int RO, int Levels, class C, class X>
  void run(C& c, const X& x, const Example<double, RO>& y) const {
    if constexpr (Levels == 1) {
      apply<R, RO, "i">(c, x, y);
    } else {
      switch (over) {
        case Over::i:
          return apply<R, RO, "i">(c, x, y);
        case Over::j:
          return apply<R, RO, "j">(c, x, y);
        case Over::ij:
          return apply<R, RO, "i", "j">(c, x, y);
        case Over::ji:
          return apply<R, RO, "j", "i">(c, x, y);
        case Over::none:
          return mismatch.set();
      }
    }
  }

 private:
  template <int R, int RO, kmap::detail::FixedString... Name, class C, class X>
  void apply(C& c, const X& x, const Example<double, RO>& y) const {
    if (grouped) {
      choose<R, RO, Name...>(c, x, y, groups);
    } else {
      choose<R, RO, Name...>(c, x, y);
    }
  }

  template <int R, int RO, kmap::detail::FixedString... Name, class C, class X, class... G>
  void choose(C& c, const X& x, const Example<double, RO>& y, const G&... g) const {
    if constexpr (RO == R) {
      same_rank<R, Name...>(c, x, y, g...);
    } else if constexpr (RO < R) {
      mismatch.put(psum_scatter<Name...>(c, x, scatter_dimension(axis), g...), y);
    } else {
      mismatch.put(all_gather<Name...>(c, x, kmap::axis(axis), g...), y);
    }
  }

  template <int R, kmap::detail::FixedString... Name, class C, class X, class... G>
  void same_rank(C& c, const X& x, const Example<double, R>& y, const G&... g) const {
    switch (op) {
      case Op::psum:
        return mismatch.put(psum<Name...>(c, x, g...), y);
      case Op::pmean:
        return mismatch.put(pmean<Name...>(c, x, g...), y);
      case Op::pmax:
        return mismatch.put(pmax<Name...>(c, x, g...), y);
      case Op::pmin:
        return mismatch.put(pmin<Name...>(c, x, g...), y);
      default:
        break;
    }
    if constexpr (R > 0) {
      switch (op) {
        case Op::psum_scatter:
          return mismatch.put(psum_scatter<Name...>(c, x, tiled, scatter_dimension(axis), g...), y);
        case Op::all_gather:
          return mismatch.put(all_gather<Name...>(c, x, kmap::axis(axis), tiled, g...), y);
        case Op::all_to_all:
          if (tiled_form) {
            return mismatch.put(all_to_all<Name...>(c, x, split, concat, tiled, g...), y);
          }
          return mismatch.put(all_to_all<Name...>(c, x, split, concat, g...), y);
        case Op::pswapaxes:
          return mismatch.put(pswapaxes<Name...>(c, x, axis, g...), y);
        default:
          break;
      }
    }
    if constexpr (sizeof...(G) == 0) {
      switch (op) {
        case Op::ppermute:
          return mismatch.put(ppermute<Name...>(c, x, pairs), y);
        case Op::ring:
          return mismatch.put(ppermute<Name...>(c, x, ring(source)), y);
        case Op::pshuffle:
          return mismatch.put(pshuffle<Name...>(c, x, permutation), y);
        case Op::pbroadcast:
          return mismatch.put(pbroadcast<Name...>(c, x, source), y);
        default:
          break;
      }
    }
    mismatch.set();
  }
};

// A function of examples of rank R, with results of rank RO.
template <int R, int RO, int Levels>
struct Collective {
  using X = std::conditional_t<R == 0, double, Example<const double, R>>;
  Chooser chooser;

  template <class C>
  void operator()(C& c, const X& x, const Example<double, RO>& y) const {
    chooser.run<R, RO, Levels>(c, x, y);
  }
};

// Of examples of rank 0 to 3: the map sees all as rank 3, and results as rank 4, with dimensions of
// size 1 at the end, since every other rank of a map takes a second to compile.
inline constexpr int padded_rank = 3;

template <int R, class T, int Rank>
Example<T, R> front_of(const Example<T, Rank>& x) {
  kmap::detail::Extents<R> extents;
  kmap::detail::Extents<R> strides;
  for (int d = 0; d < R; ++d) {
    extents[d] = x.extent(d);
    strides[d] = x.stride(d);
  }
  return {x.data(), extents, strides};
}

template <int Levels>
struct PaddedCollective {
  Chooser chooser;
  int rank;
  int out_rank;

  template <class C>
  void operator()(C& c, const Example<const double, padded_rank>& x,
                  const Example<double, padded_rank + 1>& y) const {
    if (rank == 0) with_rank<0>(c, *x.data(), y);
    if (rank == 1) with_rank<1>(c, front_of<1>(x), y);
    if (rank == 2) with_rank<2>(c, front_of<2>(x), y);
    if (rank == 3) with_rank<3>(c, front_of<3>(x), y);
  }

 private:
  template <int R, class C, class X, class Y>
  void with_rank(C& c, const X& x, const Y& y) const {
    if (out_rank == R) return chooser.run<R, R, Levels>(c, x, front_of<R>(y));
    if (out_rank == R + 1) return chooser.run<R, R + 1, Levels>(c, x, front_of<R + 1>(y));
    if constexpr (R > 0) {
      if (out_rank == R - 1) return chooser.run<R, R - 1, Levels>(c, x, front_of<R - 1>(y));
    }
    chooser.mismatch.set();
  }
};

// Of axis_index and axis_size. Both are outputs, for their types.
template <int Levels>
struct Place {
  Over over;

  template <class C>
  void operator()(C& c, double, const Example<std::int32_t, 0>& index,
                  const Example<std::int64_t, 0>& size) const {
    if constexpr (Levels == 1) {
      apply<"i">(c, index, size);
    } else {
      if (over == Over::i) apply<"i">(c, index, size);
      if (over == Over::j) apply<"j">(c, index, size);
      if (over == Over::ij) apply<"i", "j">(c, index, size);
      if (over == Over::ji) apply<"j", "i">(c, index, size);
    }
  }

 private:
  template <kmap::detail::FixedString... Name, class C>
  static void apply(C& c, const Example<std::int32_t, 0>& index,
                    const Example<std::int64_t, 0>& size) {
    static_assert(std::is_same_v<decltype(kmap::axis_index<Name...>(c)), std::int32_t>);
    static_assert(std::is_same_v<decltype(kmap::axis_size<Name...>(c)), std::int64_t>);
    index() = kmap::axis_index<Name...>(c);
    size() = kmap::axis_size<Name...>(c);
  }
};

struct CollectiveRun {
  const Case& c;
  const Communicator& comm;
  bool all_vmap;
  std::vector<CaseArray>& results;

  template <class Ins, class Outs, int R, int RO>
  bool collective() const {
    if (!masks_match<Ins, Outs>(c) || core_rank(c, false, 0) != R || core_rank(c, true, 0) != RO) {
      return false;
    }
    const Argument<double, R + Ins::template times_mapped<0>> x(c, 0);
    const Collective<R, RO, static_cast<int>(Ins::levels)> f{Chooser(c)};
    Maps<Ins, Outs, 1>::run(c, comm, all_vmap, f,
                            std::make_tuple(outputs(core_out_shape<double, RO>(c, 0))), results,
                            x.view());
    f.chooser.mismatch.check(c);
    return true;
  }

  // The same with the ranks as values.
  template <class Ins, class Outs>
  bool padded() const {
    if (!masks_match<Ins, Outs>(c)) return false;
    constexpr int in_rank = padded_rank + Ins::template times_mapped<0>;
    constexpr int out_rank = padded_rank + 1 + Outs::template times_mapped<0>;
    Case p = c;
    const PaddedCollective<static_cast<int>(Ins::levels)> f{Chooser(c), core_rank(c, false, 0),
                                                            core_rank(c, true, 0)};
    // Negative axes count from an end that padding moves.
    int ins = static_cast<int>(c.x[0].shape.size());
    int outs = static_cast<int>(c.y[0].shape.size());
    for (MapLevel& level : p.levels) {
      if (level.in[0]) {
        if (*level.in[0] < 0) *level.in[0] += ins;
        --ins;
      }
      if (level.out[0]) {
        if (*level.out[0] < 0) *level.out[0] += outs;
        --outs;
      }
    }
    p.x[0].shape.resize(in_rank, 1);
    p.y[0].shape.resize(out_rank, 1);
    const Argument<double, in_rank> x(p, 0);
    Maps<Ins, Outs, 1>::run(p, comm, all_vmap, f,
                            std::make_tuple(outputs(core_out_shape<double, padded_rank + 1>(p, 0))),
                            results, x.view());
    for (CaseArray& result : results) {
      if (result.shape == p.y[0].shape) result.shape = c.y[0].shape;
    }
    f.chooser.mismatch.check(c);
    return true;
  }

  // One of the outputs of `Place` is wanted; both have the same axes.
  template <class Ins>
  bool place() const {
    using Outs = std::conditional_t<Ins::levels == 1, Masks<1>, Masks<1, 1>>;
    using Both = std::conditional_t<Ins::levels == 1, Masks<3>, Masks<3, 3>>;
    if (!masks_match<Ins, Outs>(c)) return false;
    Case both = c;
    for (MapLevel& level : both.levels) level.out.push_back(level.out.front());
    const Argument<double, Ins::template times_mapped<0>> x(c, 0);
    const auto shapes =
        std::make_tuple(outputs(out_shape<std::int32_t>(), out_shape<std::int64_t>()));
    std::vector<CaseArray> index_and_size;
    Maps<Ins, Both, 2>::run(both, comm, all_vmap, Place<static_cast<int>(Ins::levels)>{over_of(c)},
                            shapes, index_and_size, x.view());
    if (!index_and_size.empty()) results = {index_and_size[c.op == "axis_index" ? 0 : 1]};
    return true;
  }
};

}  // namespace kmap::test
