#pragma once
// Which arguments kmap/math.hpp has functions of its own for.

#include <Kokkos_Core.hpp>

#include <concepts>
#include <type_traits>

namespace kmap::detail {

/// What kmap's own functions take: floats, doubles, and integers, which count as doubles.
template <class T>
concept Number = std::same_as<T, float> || std::same_as<T, double> || std::integral<T>;

template <Number T>
using RealOf = std::conditional_t<std::same_as<T, float>, float, double>;

template <Number T, Number U>
using RealOfBoth = decltype(RealOf<T>{} + RealOf<U>{});

}  // namespace kmap::detail
