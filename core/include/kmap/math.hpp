#pragma once
/// \file
/// Mathematical functions for kernels, on hosts and devices, under one name: `kmap::sin(x)`.
///
/// On hosts, floats and doubles have functions of kmap's own: inlined, and without branches, so
/// that loops over examples are vectorised. On devices, and for other arguments (long double,
/// complex, halves), they are Kokkos'. Integers count as doubles; of two types, the result has the
/// wider. None of them throws or sets errno.
///
/// A function has the same bits for the same argument wherever it is called in one program,
/// vectorised or not; another processor may give others, within the errors. These are stated in
/// units in the last place (ULP) of the result, for floats / for doubles, for all arguments. All
/// treat zeros, infinities and NaN as the C standard's annex F says, subnormals as other numbers.

#include "kmap/detail/math/numbers.hpp"
#include "kmap/detail/math/root.hpp"

#include <Kokkos_Core.hpp>

namespace kmap {

using Kokkos::abs;
using Kokkos::acos;
using Kokkos::asin;
using Kokkos::atan;
using Kokkos::atan2;
using Kokkos::cbrt;
using Kokkos::cos;
using Kokkos::cosh;
using Kokkos::erf;
using Kokkos::erfc;
using Kokkos::exp;
using Kokkos::exp2;
using Kokkos::expm1;
using Kokkos::fma;
using Kokkos::hypot;
using Kokkos::isfinite;
using Kokkos::isinf;
using Kokkos::isnan;
using Kokkos::log;
using Kokkos::log10;
using Kokkos::log1p;
using Kokkos::log2;
using Kokkos::pow;
using Kokkos::sin;
using Kokkos::sinh;
using Kokkos::tan;
using Kokkos::tanh;

/// The square root. Rounded correctly: 0.5 / 0.5 ULP. NaN for x < 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto sqrt(const T& x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::sqrt_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::sqrt(static_cast<Real>(x));))
  } else {
    using Kokkos::sqrt;
    return sqrt(x);
  }
}

}  // namespace kmap
