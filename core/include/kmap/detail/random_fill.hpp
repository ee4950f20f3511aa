#pragma once
// Arrays of draws: element i, by row-major index whatever the layout, is draw(words_of(i)).

#include "kmap/detail/independent.hpp"
#include "kmap/detail/launch.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/threefry.hpp"
#include "kmap/detail/views.hpp"
#include "kmap/error.hpp"
#include "kmap/example.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>

namespace kmap::random::detail {

using kmap::detail::DataType;
using kmap::detail::Extents;
using kmap::detail::Labels;
using kmap::detail::LevelExtents;
using kmap::detail::Region;

/// How far apart neighbours along each dimension are.
struct Apart {
  LevelExtents batch;
};

/// The dimensions of an array, its strides in memory and the steps of the row-major index. As a map
/// does with its axes, they are sorted by stride and joined where that is one line: the last one is
/// a good inner loop.
struct Walk {
  static constexpr int outputs = 1;
  kmap::detail::IterationSpace space;
  std::tuple<Apart> ins;   // steps
  std::tuple<Apart> outs;  // strides

  template <class View>
  explicit Walk(const View& view) {
    std::int64_t step = static_cast<std::int64_t>(view.size());
    for (std::size_t d = 0; d < View::rank(); ++d) {
      const auto extent = static_cast<std::int64_t>(view.extent(d));
      step /= extent;
      if (extent == 1) continue;
      const int level = space.add(extent);
      std::get<0>(ins).batch[level] = step;
      std::get<0>(outs).batch[level] = static_cast<std::int64_t>(view.stride(d));
    }
    if (space.levels == 0) space.add(1);
    kmap::detail::simplify(*this);
  }

  int last() const { return space.levels - 1; }
  std::int64_t inner() const { return space.extents[last()]; }

  struct Place {
    std::int64_t offset = 0;
    std::int64_t index = 0;
  };
  /// Of place i in the first `levels` dimensions.
  KOKKOS_FUNCTION Place at(std::int64_t i, int levels) const {
    Place place;
    for (int level = levels - 1; level >= 0; --level) {
      const std::int64_t quotient = level == 0 ? 0 : i / space.extents[level];
      move(place, level, i - quotient * space.extents[level]);
      i = quotient;
    }
    return place;
  }
  KOKKOS_FUNCTION void move(Place& place, int level, std::int64_t steps) const {
    place.offset += steps * std::get<0>(outs).batch[level];
    place.index += steps * std::get<0>(ins).batch[level];
  }
};

/// Draws pieces of the inner loop, on a host.
template <class Draw, class T>
struct HostFill {
  static constexpr std::int64_t piece = 4096;

  Draw draw;
  T* data;
  Walk walk;
  std::int64_t pieces;  // per inner loop

  void operator()(std::int64_t i) const {
    const std::int64_t first = i % pieces * piece;
    const std::int64_t count = std::min(piece, walk.inner() - first);
    Walk::Place place = walk.at(i / pieces, walk.last());
    walk.move(place, walk.last(), first);
    const std::int64_t stride = std::get<0>(walk.outs).batch[walk.last()];
    const std::int64_t step = std::get<0>(walk.ins).batch[walk.last()];
    draw_from(data + place.offset, stride, place.index, step, count);
  }

  /// Elements index, index + step, … into memory at that stride.
  void draw_from(T* to, std::int64_t stride, std::int64_t index, std::int64_t step,
                 std::int64_t count) const {
    const Words words = words_of(static_cast<std::uint64_t>(index));
    const auto last = words.low + static_cast<std::uint32_t>(count - 1);
    if (stride == 1 && step == 1 && last >= words.low) {  // within one higher word
      draw_line(to, words, static_cast<std::uint32_t>(count));
    } else {
      draw_strided(to, stride, index, step, count);
    }
  }

 private:
  // In copies, which stay in registers: the compiler need not fear that data and draw overlap.
  void draw_line(T* to, Words words, std::uint32_t count) const {
    const Draw here = draw;
    KMAP_DETAIL_INDEPENDENT
    for (std::uint32_t j = 0; j < count; ++j) {
      to[j] = static_cast<T>(here(Words{words.high, words.low + j}));
    }
  }
  void draw_strided(T* to, std::int64_t stride, std::int64_t index, std::int64_t step,
                    std::int64_t count) const {
    const Draw here = draw;
    KMAP_DETAIL_INDEPENDENT
    for (std::int64_t j = 0; j < count; ++j) {
      to[j * stride] = static_cast<T>(here(words_of(static_cast<std::uint64_t>(index + j * step))));
    }
  }
};

/// Draws one element, on a device.
template <class Draw, class T>
struct DeviceFill {
  Draw draw;
  T* data;
  Walk walk;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    const Walk::Place place = walk.at(i, walk.space.levels);
    data[place.offset] = static_cast<T>(draw(words_of(static_cast<std::uint64_t>(place.index))));
  }
};

/// Fills an array, one element or more, of any layout and rank.
template <class Exec, class Draw, class T>
void fill_walk(T* data, const Walk& walk, const Draw& draw) {
  constexpr const char* label = Labels<Draw>::random.text;
  const Region region(label);
  const std::int64_t size = walk.space.count();
  if constexpr (kmap::detail::is_host<Exec>) {
    using Host = HostFill<Draw, T>;
    const std::int64_t pieces = (walk.inner() + Host::piece - 1) / Host::piece;
    const Host body{draw, data, walk, pieces};
    const std::int64_t items = size / walk.inner() * pieces;
    if (size <= Host::piece || Exec().concurrency() == 1) {  // a parallel region would cost more
      for (std::int64_t i = 0; i < items; ++i) body(i);
    } else {
      // Some draws take longer than others, and some threads get less of their core.
      using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                         Kokkos::IndexType<std::int64_t>>;
      Kokkos::parallel_for(label, Policy(0, items, Kokkos::ChunkSize(1)), body);
    }
  } else {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, size),
                         DeviceFill<Draw, T>{draw, data, walk});
  }
}

/// Fills a View of any layout, in its memory's execution space.
template <class View, class Draw>
void fill(const View& view, const Draw& draw) {
  if (view.size() > 0) {
    fill_walk<typename View::execution_space>(view.data(), Walk(view), draw);
  }
}

/// The shape that was asked for; a ShapeError if there is none such.
template <int Rank>
Shape shape_of(const Extents<Rank>& extents) {
  const Shape shape(extents.value, extents.value + Rank);
  if (std::any_of(shape.begin(), shape.end(), [](std::int64_t n) { return n < 0; })) {
    throw ShapeError("kmap: random: an array of shape " + to_string(shape),
                     "lengths are not negative");
  }
  return shape;
}

/// A fresh array of that shape.
template <class Exec = Kokkos::DefaultExecutionSpace, int Rank, class Draw>
auto fresh(const Extents<Rank>& extents, const Draw& draw) {
  using View = Kokkos::View<typename DataType<typename Draw::value_type, Rank>::type, Exec>;
  const auto view = kmap::detail::make_view<View>("kmap:random", shape_of(extents));
  fill(view, draw);
  return view;
}

}  // namespace kmap::random::detail
