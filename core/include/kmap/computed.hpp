#pragma once
/// \file
/// An operand of a collective that lies nowhere: its elements are computed as they are asked for.

#include "kmap/dtype.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace kmap {

/// An array of T of rank `Rank`, of which F gives the element at each index. Made by `computed`.
template <Element T, int Rank, class F>
class Computed {
 public:
  KOKKOS_FUNCTION constexpr Computed(const detail::Extents<Rank>& extents, const F& f)
      : extents_(extents), f_(f) {}

  KOKKOS_FUNCTION constexpr const detail::Extents<Rank>& extents() const { return extents_; }
  template <std::integral... I>
    requires(sizeof...(I) == static_cast<std::size_t>(Rank))
  KOKKOS_FUNCTION constexpr T operator()(I... index) const {
    return static_cast<T>(f_(index...));
  }

 private:
  detail::Extents<Rank> extents_;
  F f_;
};

/// `psum<"i">(c, computed<double>({k, d + 1}, f))`: the operand has the extents (k, d + 1), up to
/// seven of them, and the elements f(i, j) of type T. f is called once for every element, in
/// row-major order, in the run that records the operand and in no other. The result is an Example.
template <Element T, std::size_t Rank, class F>
KOKKOS_FUNCTION constexpr auto computed(const std::int64_t (&extents)[Rank], const F& f) {
  detail::Extents<static_cast<int>(Rank)> all;
  for (std::size_t d = 0; d < Rank; ++d) all[static_cast<int>(d)] = extents[d];
  return Computed<T, static_cast<int>(Rank), F>(all, f);
}

}  // namespace kmap
