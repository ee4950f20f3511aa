#pragma once
// Parts that the mapped functions of the cases share. They run on the host.

#include "conformance/maps.hpp"

#include "kmap/collectives.hpp"

#include <cstdint>
#include <string>

namespace kmap::test {

inline kmap::detail::Extents<0> extents_of(double) { return {}; }
template <class T, int R>
kmap::detail::Extents<R> extents_of(const Example<T, R>& x) {
  kmap::detail::Extents<R> extents;
  for (int d = 0; d < R; ++d) extents[d] = x.extent(d);
  return extents;
}

// Collectives of a case, chosen at run time.
enum class Op {
  psum,
  pmean,
  pmax,
  pmin,
  psum_scatter,
  all_gather,
  all_to_all,
  pswapaxes,
  ppermute,
  ring,
  pshuffle,
  pbroadcast,
  axis_index,
  axis_size,
  none
};

inline Op op_of(const Case& c) {
  const char* const names[] = {"psum",       "pmean",      "pmax",       "pmin",     "psum_scatter",
                               "all_gather", "all_to_all", "pswapaxes",  "ppermute", "ring",
                               "pshuffle",   "pbroadcast", "axis_index", "axis_size"};
  for (int i = 0; i < static_cast<int>(Op::none); ++i) {
    if (c.op == names[i]) return static_cast<Op>(i);
  }
  return Op::none;
}

// The names over which it works.
enum class Over { i, j, ij, ji, none };

inline Over over_of(const Case& c) {
  std::string names;
  for (const std::string& name : c.names) names += name;
  if (names == "i") return Over::i;
  if (names == "j") return Over::j;
  if (names == "ij") return Over::ij;
  return names == "ji" ? Over::ji : Over::none;
}

// A result of another type or shape than the output's.
struct Mismatch {
  Kokkos::View<int, Kokkos::HostSpace> found{"mismatch"};

  void set() const { Kokkos::atomic_store(&found(), 1); }
  void check(const Case& c) const {
    if (found() != 0) throw std::logic_error("another type or shape than expected: " + c.id);
  }

  template <class R, class S, int RO>
  void put(const R& result, const Example<S, RO>& y) const {
    if constexpr (std::is_same_v<R, S> && RO == 0) {
      y() = result;
    } else if constexpr (std::is_same_v<R, Example<const S, RO>>) {
      for (int d = 0; d < RO; ++d) {
        if (result.extent(d) != y.extent(d)) {
          set();
          return;
        }
      }
      kmap::detail::for_each_index<RO>(extents_of(y), [&](auto... i) { y(i...) = result(i...); });
    } else {
      set();
    }
  }
};

}  // namespace kmap::test
