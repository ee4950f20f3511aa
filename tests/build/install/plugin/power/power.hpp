#pragma once
// A library of the user's own.

#include <Kokkos_Core.hpp>

template <class T>
KOKKOS_FUNCTION T third_power(T x) {
  return x * x * x;
}
