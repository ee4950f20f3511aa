#pragma once
// Polynomials, written out: a loop inside a function keeps the loop over examples from being
// vectorised.

#include "kmap/detail/math/bits.hpp"

#include <Kokkos_Core.hpp>

namespace kmap::detail {

/// first + x (second + x (…)): coefficients of rising degree, by Horner's rule.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T /*x*/, T last) {
  return last;
}
template <class T, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION T polynomial(T x, T first, Rest... rest) {
  return mul_add(polynomial(x, rest...), x, first);
}

/// Every second coefficient, from the first, as a polynomial in x2.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T even_terms(T /*x2*/, T last) {
  return last;
}
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T even_terms(T /*x2*/, T first, T /*odd*/) {
  return first;
}
template <class T, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION T even_terms(T x2, T first, T /*odd*/, Rest... rest) {
  return mul_add(even_terms(x2, rest...), x2, first);
}

/// The same polynomial as two of half the length in x2 = x², so that one need not wait for the
/// other.
template <class T, class... Rest>
KOKKOS_FORCEINLINE_FUNCTION T split_polynomial(T x, T x2, T first, Rest... rest) {
  return mul_add(even_terms(x2, rest...), x, even_terms(x2, first, rest...));
}

}  // namespace kmap::detail
