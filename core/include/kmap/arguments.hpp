#pragma once
/// \file
/// Ways to give an argument to vmap and pmap: `fixed(value)`.

#include "kmap/detail/structure.hpp"

namespace kmap {

/// An argument that f gets as it is, whole, for every example: any object that can be copied (to
/// the device, where f runs on one). JAX's static argument. Its entry in in_axes is none; where one
/// entry stands for all arguments it is left out.
template <class T>
detail::Fixed<T> fixed(const T& value) {
  return detail::Fixed<T>(value);
}

}  // namespace kmap
