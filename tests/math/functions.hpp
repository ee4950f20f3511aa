#pragma once
// The functions of kmap/math.hpp, compiled for one processor into a library that tests load.

#include <cstddef>
#include <span>

namespace kmap::test {

template <class T>
struct Unary {
  const char* name;
  /// y[i] = f(x[i]), in a loop as a map of f runs it.
  void (*many)(const T* x, T* y, std::size_t n);
  /// f(x), called alone.
  T (*one)(T x);
};

template <class T>
struct Binary {
  const char* name;
  void (*many)(const T* x, const T* y, T* z, std::size_t n);
  T (*one)(T x, T y);
};

struct Functions {
  std::span<const Unary<float>> unary_f4;
  std::span<const Unary<double>> unary_f8;
  std::span<const Binary<float>> binary_f4;
  std::span<const Binary<double>> binary_f8;

  template <class T>
  auto unary() const {
    if constexpr (sizeof(T) == 4) {
      return unary_f4;
    } else {
      return unary_f8;
    }
  }
  template <class T>
  auto binary() const {
    if constexpr (sizeof(T) == 4) {
      return binary_f4;
    } else {
      return binary_f8;
    }
  }
};

}  // namespace kmap::test

/// What a library of functions.cpp has.
extern "C" [[gnu::visibility("default")]] void kmap_test_functions(
    kmap::test::Functions& functions);
