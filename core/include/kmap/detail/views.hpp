#pragma once
// Views and their shapes at run time.

#include "kmap/detail/host_memory.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

namespace kmap::detail {

/// T, T*, T**, …: Kokkos' way to say the rank of a View.
template <class T, int Rank>
struct DataType {
  using type = typename DataType<T, Rank - 1>::type*;
};
template <class T>
struct DataType<T, 0> {
  using type = T;
};

template <class View>
Shape shape_of(const View& view) {
  Shape shape;
  for (std::size_t d = 0; d < View::rank(); ++d) {
    shape.push_back(static_cast<std::int64_t>(view.extent(d)));
  }
  return shape;
}

/// A fresh View of that shape, uninitialised.
template <class View>
View make_view(const std::string& label, const Shape& shape) {
  typename View::array_layout layout;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    layout.dimension[d] = static_cast<std::size_t>(shape[d]);
  }
  const View view(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), layout);
  if constexpr (std::is_same_v<typename View::memory_space, Kokkos::HostSpace>) {
    prefer_huge_pages(view.data(), view.span() * sizeof(typename View::value_type));
  }
  return view;
}

}  // namespace kmap::detail
