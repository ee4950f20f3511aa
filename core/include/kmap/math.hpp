#pragma once
/// \file
/// Mathematical functions for kernels, on hosts and devices, under one name: `kmap::sin(x)`.

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
using Kokkos::sqrt;
using Kokkos::tan;
using Kokkos::tanh;

}  // namespace kmap
