#pragma once
// One draw as data: what goldens.h5 holds (see make_goldens.py).

#include "conformance/golden_groups.hpp"

#include "kmap/random.hpp"

#include <cstdint>
#include <cstring>
#include <string>
#include <variant>
#include <vector>

namespace kmap::test {

struct GoldenDraw {
  std::string id;
  std::string function;
  random::Key key;
  std::string type;
  std::vector<std::int64_t> shape;
  std::vector<std::string> parameters;
  std::vector<std::string> options;
  std::vector<CaseArray> x;
  CaseArray y;
  double tolerance = 0;

  double real(std::size_t i) const;
  std::int64_t integer(std::size_t i) const;
  // Integers above the greatest int64 are unsigned.
  std::variant<std::int64_t, std::uint64_t> bound(std::size_t i) const;
  bool has(const std::string& option) const;
  // Of the option axis=k.
  int axis() const;
};

std::vector<GoldenDraw> read_draws();

// A host View as data.
template <class View>
CaseArray array_from(const View& view, const std::string& type) {
  using T = typename View::non_const_value_type;
  CaseArray array{type, detail::shape_of(view), {}};
  array.bytes.resize(view.size() * sizeof(T));
  static_assert(std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>);
  if (view.size() > 0) std::memcpy(array.bytes.data(), view.data(), array.bytes.size());
  return array;
}

template <class T, int Rank>
using HostView =
    Kokkos::View<typename detail::DataType<T, Rank>::type, Kokkos::LayoutRight, Kokkos::HostSpace>;

template <class T, int Rank>
HostView<T, Rank> view_of(const CaseArray& array) {
  const auto view = detail::make_view<HostView<T, Rank>>("golden", array.shape);
  if (view.size() > 0) std::memcpy(view.data(), array.bytes.data(), array.bytes.size());
  return view;
}

// Calls f with an array that holds T, of rank 1 to 3, as a View.
template <class T, class F>
void with_array(const CaseArray& array, const F& f) {
  if (array.shape.size() == 1) f(view_of<T, 1>(array));
  if (array.shape.size() == 2) f(view_of<T, 2>(array));
  if (array.shape.size() == 3) f(view_of<T, 3>(array));
}

// Calls f with the extents as random::shape has them, of rank 0 to 4.
template <class F>
void with_shape(const std::vector<std::int64_t>& s, const F& f) {
  if (s.size() == 0) f(random::shape());
  if (s.size() == 1) f(random::shape(s[0]));
  if (s.size() == 2) f(random::shape(s[0], s[1]));
  if (s.size() == 3) f(random::shape(s[0], s[1], s[2]));
  if (s.size() == 4) f(random::shape(s[0], s[1], s[2], s[3]));
}

}  // namespace kmap::test
