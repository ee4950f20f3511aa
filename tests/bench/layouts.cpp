// The same work with the mapped axis in every place, in both of Kokkos' layouts.

#include "bench.hpp"
#include "functions.hpp"

namespace kmap::bench {

namespace {

/// x with its axis 0 moved to place `axis`, in another layout.
template <class Layout, class T>
auto moved(const Array<T, 2>& x, int axis) {
  const auto n = x.extent(0);
  const auto m = x.extent(1);
  const Kokkos::View<T**, Layout, Kokkos::HostSpace> y(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "moved"), axis == 0 ? n : m,
      axis == 0 ? m : n);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < m; ++j) (axis == 0 ? y(i, j) : y(j, i)) = x(i, j);
  }
  return y;
}

template <class Layout, class T>
auto moved(const Array<T, 3>& x, int axis) {
  const std::size_t extents[] = {x.extent(0), x.extent(1), x.extent(2)};
  // Place d of the new array has axis order[d] of x.
  const std::size_t order[] = {axis == 0 ? 0U : 1U,
                               axis == 0   ? 1U
                               : axis == 1 ? 0U
                                           : 2U,
                               axis == 2 ? 0U : 2U};
  const Kokkos::View<T***, Layout, Kokkos::HostSpace> y(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "moved"), extents[order[0]],
      extents[order[1]], extents[order[2]]);
#pragma omp parallel for schedule(static)
  for (std::size_t i = 0; i < extents[0]; ++i) {
    for (std::size_t j = 0; j < extents[1]; ++j) {
      for (std::size_t k = 0; k < extents[2]; ++k) {
        (axis == 0 ? y(i, j, k) : axis == 1 ? y(j, i, k) : y(j, k, i)) = x(i, j, k);
      }
    }
  }
  return y;
}

template <class Layout, class T>
void add_rows(Variants& v, const std::string& layout, const Array<T, 2>& x, const Array<T, 1>& y) {
  for (const int axis : {0, 1}) {
    const auto z = moved<Layout, T>(x, axis);
    v.given(
        layout + std::to_string(axis), [=] { vmap(SumOfSquares{}, in_axes(axis)).into(y)(z); }, y);
  }
}

/// A matrix seen with its axis `axis` first.
template <class View>
auto examples_first(const View& y, std::size_t axis) {
  Kokkos::LayoutStride layout;
  for (const std::size_t d : {std::size_t{0}, std::size_t{1}}) {
    const std::size_t from = d == 0 ? axis : 1 - axis;
    layout.dimension[d] = y.extent(from);
    layout.stride[d] = y.stride(from);
  }
  using T = typename View::value_type;
  return Kokkos::View<T**, Kokkos::LayoutStride, Kokkos::HostSpace>(y.data(), layout);
}

// The vectors and results are moved as the matrices are, as far as they have places for that.
template <class Layout, class T>
void add_matvec(Variants& v, const std::string& layout, const Array<T, 3>& a,
                const Array<T, 2>& x) {
  for (const int axis : {0, 1, 2}) {
    const int last = axis == 0 ? 0 : 1;
    const auto moved_a = moved<Layout, T>(a, axis);
    const auto moved_x = moved<Layout, T>(x, last);
    const auto y = Kokkos::View<T**, Layout, Kokkos::HostSpace>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "y"), moved_x.extent(0), moved_x.extent(1));
    v.given(
        layout + std::to_string(axis),
        [=] { vmap(MatVec16{}, in_axes(axis, last), out_axes(last)).into(y)(moved_a, moved_x); },
        examples_first(y, static_cast<std::size_t>(last)));
  }
}

}  // namespace

template <class T>
Variants row_layouts(const Setting& setting) {
  const auto x = make_input<T, 2>({setting.size(0), setting.size(1)}, 1);
  const auto y = make_array<T, 1>({setting.size(0)});
  Variants v;
  add_rows<Kokkos::LayoutRight, T>(v, "right", x, y);
  add_rows<Kokkos::LayoutLeft, T>(v, "left", x, y);
  return v;
}

template <class T>
Variants matvec_layouts(const Setting& setting) {
  const auto a = make_input<T, 3>({setting.size(0), 16, 16}, 1);
  const auto x = make_input<T, 2>({setting.size(0), 16}, 1);
  Variants v;
  add_matvec<Kokkos::LayoutRight, T>(v, "right", a, x);
  add_matvec<Kokkos::LayoutLeft, T>(v, "left", a, x);
  return v;
}

template Variants row_layouts<float>(const Setting&);
template Variants row_layouts<double>(const Setting&);
template Variants matvec_layouts<float>(const Setting&);
template Variants matvec_layouts<double>(const Setting&);

}  // namespace kmap::bench
