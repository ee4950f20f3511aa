#pragma once
// Views and their shapes at run time.

#include "kmap/detail/host_memory.hpp"
#include "kmap/detail/inside_map.hpp"
#include "kmap/detail/kept_views.hpp"
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

template <class View>
View allocate_view(const std::string& label, const Shape& shape) {
  typename View::array_layout layout;
  for (std::size_t d = 0; d < shape.size(); ++d) {
    layout.dimension[d] = static_cast<std::size_t>(shape[d]);
  }
  return View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), layout);
}

template <class View>
View make_large_host_view(const std::string& label, const Shape& shape, std::int64_t bytes) {
  if (const auto kept = kept_views().find<View>(label, shape)) return *kept;
  kept_views().make_room(bytes);
  const auto view = allocate_view<View>(label, shape);
  prefer_huge_pages(view.data(), static_cast<std::size_t>(bytes));
  kept_views().add(view, bytes);
  return view;
}

/// A fresh View of that shape, uninitialised. A large one on the host may be one that was made
/// before and that nobody holds any more (see KeptViews).
template <class View>
View make_view(const std::string& label, const Shape& shape) {
  if constexpr (std::is_same_v<typename View::memory_space, Kokkos::HostSpace>) {
    const auto bytes = count(shape) * static_cast<std::int64_t>(sizeof(typename View::value_type));
    // A mapped function must not wait for all work, which it is part of.
    if (bytes >= KeptViews::least && !InsideMap::here()) {
      return make_large_host_view<View>(label, shape, bytes);
    }
  }
  return allocate_view<View>(label, shape);
}

}  // namespace kmap::detail
