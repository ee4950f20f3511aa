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

#include "kmap/detail/math/erf.hpp"
#include "kmap/detail/math/exp.hpp"
#include "kmap/detail/math/hyperbolic.hpp"
#include "kmap/detail/math/inverse_trigonometric.hpp"
#include "kmap/detail/math/log.hpp"
#include "kmap/detail/math/numbers.hpp"
#include "kmap/detail/math/pow.hpp"
#include "kmap/detail/math/root.hpp"
#include "kmap/detail/math/trigonometric.hpp"

#include <Kokkos_Core.hpp>

namespace kmap {

using Kokkos::abs;
using Kokkos::fma;
using Kokkos::isfinite;
using Kokkos::isinf;
using Kokkos::isnan;

/// The sine of x radians: 1.6 / 1.4 ULP. NaN for infinities.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto sin(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::sin_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::sin(static_cast<Real>(x));))
  } else {
    using Kokkos::sin;
    return sin(x);
  }
}

/// The cosine of x radians: 1.6 / 1.4 ULP. NaN for infinities.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto cos(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::cos_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::cos(static_cast<Real>(x));))
  } else {
    using Kokkos::cos;
    return cos(x);
  }
}

/// What sincos gives.
template <class T>
struct SinCos {
  T sin;
  T cos;
};

/// Both: `const auto [s, c] = kmap::sincos(x);`. The same bits as sin(x) and cos(x), in about the
/// time of one. (Calling these two is as fast where they are inlined.)
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto sincos(T x) noexcept {
  return SinCos<decltype(kmap::sin(x))>{kmap::sin(x), kmap::cos(x)};
}

/// The tangent of x radians: 1.2 / 1.1 ULP. NaN for infinities.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto tan(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::tan_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::tan(static_cast<Real>(x));))
  } else {
    using Kokkos::tan;
    return tan(x);
  }
}

/// The angle in [-pi/2, pi/2] whose sine is x: 0.8 / 0.7 ULP. NaN for |x| > 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto asin(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::asin_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::asin(static_cast<Real>(x));))
  } else {
    using Kokkos::asin;
    return asin(x);
  }
}

/// The angle in [0, pi] whose cosine is x: 0.8 / 0.7 ULP. NaN for |x| > 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto acos(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::acos_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::acos(static_cast<Real>(x));))
  } else {
    using Kokkos::acos;
    return acos(x);
  }
}

/// The angle in [-pi/2, pi/2] whose tangent is x: 1.0 / 0.9 ULP.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto atan(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::atan_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::atan(static_cast<Real>(x));))
  } else {
    using Kokkos::atan;
    return atan(x);
  }
}

/// The angle in [-pi, pi] of the point (x, y): 1.0 / 0.9 ULP. Zeros have signs: atan2(0.0, -0.0) is
/// pi.
template <class T, class U>
KOKKOS_FORCEINLINE_FUNCTION auto atan2(T y, U x) noexcept {
  if constexpr (detail::Number<T> && detail::Number<U>) {
    using Real = detail::RealOfBoth<T, U>;
    KOKKOS_IF_ON_HOST((return detail::atan2_of(static_cast<Real>(y), static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::atan2(static_cast<Real>(y), static_cast<Real>(x));))
  } else {
    using Kokkos::atan2;
    return atan2(y, x);
  }
}

/// The square root. Rounded correctly: 0.5 / 0.5 ULP. NaN for x < 0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto sqrt(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::sqrt_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::sqrt(static_cast<Real>(x));))
  } else {
    using Kokkos::sqrt;
    return sqrt(x);
  }
}

/// The cubic root: 0.6 / 0.6 ULP, so that cubes have exact ones.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto cbrt(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::cbrt_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::cbrt(static_cast<Real>(x));))
  } else {
    using Kokkos::cbrt;
    return cbrt(x);
  }
}

/// sqrt(x² + y²): 0.6 / 0.8 ULP, without overflow on the way. Infinite where x or y is, NaN or not.
template <class T, class U>
KOKKOS_FORCEINLINE_FUNCTION auto hypot(T x, U y) noexcept {
  if constexpr (detail::Number<T> && detail::Number<U>) {
    using Real = detail::RealOfBoth<T, U>;
    KOKKOS_IF_ON_HOST((return detail::hypot_of(static_cast<Real>(x), static_cast<Real>(y));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::hypot(static_cast<Real>(x), static_cast<Real>(y));))
  } else {
    using Kokkos::hypot;
    return hypot(x, y);
  }
}

/// Of three, as Kokkos has it.
template <class T, class U, class V>
KOKKOS_FORCEINLINE_FUNCTION auto hypot(T x, U y, V z) noexcept {
  using Kokkos::hypot;
  return hypot(x, y, z);
}

/// e^x: 1.0 / 1.0 ULP. exp(0) is 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto exp(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::exp_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::exp(static_cast<Real>(x));))
  } else {
    using Kokkos::exp;
    return exp(x);
  }
}

/// 2^x: 1.5 / 1.5 ULP, and exact where x is an integer.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto exp2(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::exp2_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::exp2(static_cast<Real>(x));))
  } else {
    using Kokkos::exp2;
    return exp2(x);
  }
}

/// e^x - 1: 1.6 / 1.5 ULP, also where x is small.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto expm1(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::expm1_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::expm1(static_cast<Real>(x));))
  } else {
    using Kokkos::expm1;
    return expm1(x);
  }
}

/// The natural logarithm: 0.9 / 0.9 ULP. NaN for x < 0, -inf for ±0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto log(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::log_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::log(static_cast<Real>(x));))
  } else {
    using Kokkos::log;
    return log(x);
  }
}

/// The logarithm to base 2: 0.9 / 0.9 ULP, and exact for powers of 2. NaN for x < 0, -inf for ±0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto log2(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::log2_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::log2(static_cast<Real>(x));))
  } else {
    using Kokkos::log2;
    return log2(x);
  }
}

/// The logarithm to base 10: 0.8 / 0.8 ULP. NaN for x < 0, -inf for ±0.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto log10(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::log10_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::log10(static_cast<Real>(x));))
  } else {
    using Kokkos::log10;
    return log10(x);
  }
}

/// log(1 + x): 0.9 / 0.9 ULP, also where x is small. NaN for x < -1, -inf for -1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto log1p(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::log1p_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::log1p(static_cast<Real>(x));))
  } else {
    using Kokkos::log1p;
    return log1p(x);
  }
}

/// x^y: 1.5 / 1.5 ULP. NaN for x < 0 with y no integer; pow(x, ±0) and pow(1, y) are 1, also for
/// NaN.
template <class T, class U>
KOKKOS_FORCEINLINE_FUNCTION auto pow(T x, U y) noexcept {
  if constexpr (detail::Number<T> && detail::Number<U>) {
    using Real = detail::RealOfBoth<T, U>;
    KOKKOS_IF_ON_HOST((return detail::pow_of(static_cast<Real>(x), static_cast<Real>(y));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::pow(static_cast<Real>(x), static_cast<Real>(y));))
  } else {
    using Kokkos::pow;
    return pow(x, y);
  }
}

/// The hyperbolic sine: 1.3 / 1.0 ULP.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto sinh(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::sinh_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::sinh(static_cast<Real>(x));))
  } else {
    using Kokkos::sinh;
    return sinh(x);
  }
}

/// The hyperbolic cosine: 0.9 / 0.9 ULP.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto cosh(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::cosh_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::cosh(static_cast<Real>(x));))
  } else {
    using Kokkos::cosh;
    return cosh(x);
  }
}

/// The hyperbolic tangent: 1.5 / 1.5 ULP, and never beyond 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto tanh(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::tanh_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::tanh(static_cast<Real>(x));))
  } else {
    using Kokkos::tanh;
    return tanh(x);
  }
}

/// The error function, 2/√π ∫ e^-t² dt from 0 to x: 1.5 / 1.5 ULP, and never beyond 1.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto erf(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::erf_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::erf(static_cast<Real>(x));))
  } else {
    using Kokkos::erf;
    return erf(x);
  }
}

/// 1 - erf(x), with its digits where it is small: 1.8 / 1.7 ULP.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION auto erfc(T x) noexcept {
  if constexpr (detail::Number<T>) {
    using Real = detail::RealOf<T>;
    KOKKOS_IF_ON_HOST((return detail::erfc_of(static_cast<Real>(x));))
    KOKKOS_IF_ON_DEVICE((return Kokkos::erfc(static_cast<Real>(x));))
  } else {
    using Kokkos::erfc;
    return erfc(x);
  }
}

}  // namespace kmap

#include "kmap/detail/math/packs.hpp"
