#pragma once
// From a case to vmap and pmap. Axes are values, but which arguments and outputs are mapped, and
// ranks, are types: signatures name what is compiled in.

#include "conformance/case.hpp"
#include "conformance/run_case.hpp"

#include "kmap/pmap.hpp"
#include "kmap/vmap.hpp"

#include <Kokkos_Core.hpp>

#include <cstring>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace kmap::test {

// Per level, outermost first, a bit for every argument (or output) that is mapped.
template <unsigned... Mask>
struct Masks {
  static constexpr std::size_t levels = sizeof...(Mask);
  static constexpr unsigned mask[] = {Mask...};
  template <int I>
  static constexpr int times_mapped = (0 + ... + static_cast<int>((Mask >> I) & 1u));
};

inline unsigned mask_of(const std::vector<std::optional<int>>& axes) {
  unsigned mask = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) mask |= (axes[i] ? 1u : 0u) << i;
  return mask;
}

// Rank of one example of argument (or output) k.
inline int core_rank(const Case& c, bool of_output, std::size_t k) {
  int rank = static_cast<int>((of_output ? c.y : c.x).at(k).shape.size());
  for (const MapLevel& level : c.levels) {
    if ((of_output ? level.out : level.in).at(k)) --rank;
  }
  return rank;
}

template <class Ins, class Outs>
bool masks_match(const Case& c) {
  if (c.levels.size() != Ins::levels) return false;
  for (std::size_t l = 0; l < Ins::levels; ++l) {
    if (mask_of(c.levels[l].in) != Ins::mask[l]) return false;
    if (mask_of(c.levels[l].out) != Outs::mask[l]) return false;
  }
  return true;
}

// The shape of output k of one example.
inline std::vector<std::int64_t> core_shape(const Case& c, std::size_t k) {
  std::vector<std::int64_t> shape = c.y.at(k).shape;
  for (const MapLevel& level : c.levels) {
    const std::optional<int> axis = level.out.at(k);
    if (!axis) continue;
    shape.erase(shape.begin() + (*axis < 0 ? *axis + static_cast<int>(shape.size()) : *axis));
  }
  return shape;
}

template <class T, int R>
OutShape<T, R> core_out_shape([[maybe_unused]] const Case& c, [[maybe_unused]] std::size_t k) {
  OutShape<T, R> result;
  if constexpr (R > 0) {
    const auto shape = core_shape(c, k);
    for (int d = 0; d < R; ++d) {
      result.extents[static_cast<std::size_t>(d)] = shape.at(static_cast<std::size_t>(d));
    }
  }
  return result;
}

// ---- Arguments, in any layout. The type of the View is that of a part of it, so that pmap and
// vmap share code.

template <class T, int R>
using StridedView =
    Kokkos::View<typename kmap::detail::DataType<T, R>::type, Kokkos::LayoutStride,
                 Kokkos::Device<Kokkos::DefaultHostExecutionSpace, Kokkos::HostSpace>,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// Strides in elements, and last the size of the memory.
std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape, CaseLayout layout);

template <class T, int R>
class Argument {
 public:
  Argument(const Case& c, std::size_t i) {
    const CaseArray& array = c.x.at(i);
    if (array.shape.size() != static_cast<std::size_t>(R) || array.type != name(dtype_of<T>)) {
      throw std::logic_error("an argument of another rank or type: " + c.id);
    }
    const auto strides =
        strides_of(array.shape, c.layouts.empty() ? CaseLayout::right : c.layouts.at(i));
    storage_ = Kokkos::View<T*, Kokkos::HostSpace>("x", static_cast<std::size_t>(strides.back()));
    Kokkos::LayoutStride layout;
    for (std::size_t d = 0; d < static_cast<std::size_t>(R); ++d) {
      layout.dimension[d] = static_cast<std::size_t>(array.shape[d]);
      layout.stride[d] = static_cast<std::size_t>(strides[d]);
    }
    view_ = StridedView<T, R>(storage_.data(), layout);
    const std::int64_t n = count_of(array.shape);
    for (std::int64_t e = 0; e < n; ++e) {
      std::int64_t rest = e;
      std::int64_t offset = 0;
      for (int d = R - 1; d >= 0; --d) {
        const auto at = static_cast<std::size_t>(d);
        offset += rest % array.shape[at] * strides[at];
        rest /= array.shape[at];
      }
      std::memcpy(storage_.data() + offset,
                  array.bytes.data() + static_cast<std::size_t>(e) * sizeof(T), sizeof(T));
    }
  }

  const StridedView<T, R>& view() const { return view_; }

 private:
  Kokkos::View<T*, Kokkos::HostSpace> storage_;
  StridedView<T, R> view_;
};

// ---- Results

template <class View>
void keep_rows(const View& rows, std::vector<CaseArray>& results) {
  using T = typename View::non_const_value_type;
  CaseArray array{std::string(name(dtype_of<T>)), kmap::detail::shape_of(rows), {}};
  array.bytes.resize(rows.size() * sizeof(T));
  if (rows.size() > 0) std::memcpy(array.bytes.data(), rows.data(), array.bytes.size());
  results.push_back(std::move(array));
}

// Of a View, a distributed array (whole on rank 0 alone), or several of these.
template <class Result>
void keep(const Result& result, std::vector<CaseArray>& results) {
  if constexpr (Kokkos::is_view_v<Result>) {
    static_assert(std::is_same_v<typename Result::array_layout, Kokkos::LayoutRight>);
    keep_rows(result, results);
  } else if constexpr (requires { result.comm(); }) {
    const auto whole = gather(result);
    if (result.comm().is_root()) keep_rows(whole, results);
  } else {
    std::apply([&](const auto&... part) { (keep(part, results), ...); }, result);
  }
}

// ---- Maps

template <bool Mapped>
auto axis_entry(const std::optional<int>& axis) {
  if constexpr (Mapped) {
    return axis.value();
  } else {
    return none;
  }
}

template <unsigned Mask, std::size_t... I>
auto in_axes_of(const MapLevel& level, std::index_sequence<I...>) {
  return in_axes(axis_entry < ((Mask >> I) & 1u) != 0 > (level.in.at(I))...);
}
template <unsigned Mask, std::size_t... I>
auto out_axes_of(const MapLevel& level, std::index_sequence<I...>) {
  return out_axes(axis_entry < ((Mask >> I) & 1u) != 0 > (level.out.at(I))...);
}

// The maps of a case with these masks; `options` is a tuple of further ones.
template <class Ins, class Outs, int OutCount, bool WithPmap = true,
          kmap::detail::FixedString Second = "j">
struct Maps {
  template <class F, class Options, class... Views>
  static void run(const Case& c, [[maybe_unused]] const Communicator& comm, bool all_vmap,
                  const F& f, const Options& options, std::vector<CaseArray>& results,
                  const Views&... views) {
    constexpr std::size_t levels = Ins::levels;
    using InSequence = std::index_sequence_for<Views...>;
    using OutSequence = std::make_index_sequence<static_cast<std::size_t>(OutCount)>;
    const auto level = [&](auto l, const auto& map, const auto& g, const auto&... more) {
      constexpr std::size_t at = decltype(l)::value;
      return map(g, in_axes_of<Ins::mask[at]>(c.levels[at], InSequence{}),
                 out_axes_of<Outs::mask[at]>(c.levels[at], OutSequence{}),
                 axis_size(c.levels[at].size), more...);
    };
    const auto with_vmap = [](const auto&... o) { return vmap(o...); };
    [[maybe_unused]] const auto with_pmap = [](const auto&... o) { return pmap(o...); };
    const auto outermost = [&](const auto& g) {
      std::apply(
          [&](const auto&... o) {
            const auto first = std::integral_constant<std::size_t, 0>{};
            if (!c.levels[0].pmap || all_vmap) {
              keep(level(first, with_vmap, g, axis_name<"i">, o...)(views...), results);
            } else if constexpr (WithPmap) {
              keep(level(first, with_pmap, g, axis_name<"i">, over(comm), o...)(views...), results);
            } else {
              throw NoPmap("no pmap for " + c.id);
            }
          },
          options);
    };
    if constexpr (levels == 1) {
      outermost(f);
    } else if constexpr (levels == 2) {
      outermost(level(std::integral_constant<std::size_t, 1>{}, with_vmap, f, axis_name<Second>));
    } else {
      outermost(level(std::integral_constant<std::size_t, 1>{}, with_vmap,
                      level(std::integral_constant<std::size_t, 2>{}, with_vmap, f, axis_name<"k">),
                      axis_name<Second>));
    }
  }
};

}  // namespace kmap::test
