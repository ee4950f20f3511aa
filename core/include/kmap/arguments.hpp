#pragma once
/// \file
/// Ways to give an argument to vmap and pmap: `fixed(value)`, `donate(array)`.

#include "kmap/detail/donation.hpp"
#include "kmap/detail/structure.hpp"

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace kmap {

/// An argument that f gets as it is, whole, for every example: any object that can be copied (to
/// the device, where f runs on one). JAX's static argument. Its entry in in_axes is none; where one
/// entry stands for all arguments it is left out.
template <class T>
detail::Fixed<T> fixed(const T& value) {
  return detail::Fixed<T>(value);
}

/// An argument whose memory the map may use for an output: a DistArray, or a View that is an lvalue
/// (JAX's donation). The first output of the same element type, shape, mapped axes, memory space
/// and layout takes the memory over, if f is called once per example (no context, no team) and
/// returns numbers and vecs; otherwise the memory is released after the map. Results are the same
/// in every case. The array cannot be used after that: each use of a DistArray or of a copy of it
/// is an Error, the View is an empty one. (Other copies of the View see what the output holds.) The
/// same memory as another argument is an Error. Outputs that are given by .into(…) take no memory.
template <class X>
detail::Donated<X> donate(X& array) {
  static_assert(!Kokkos::is_view_v<X> || !std::is_const_v<X>,
                "kmap: a View that is donated becomes an empty one, so it must not be const");
  return detail::Donated<X>(array);
}

}  // namespace kmap
