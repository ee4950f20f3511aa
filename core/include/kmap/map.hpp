#pragma once
/// \file
/// map: as vmap over the leading axis, but some examples at a time (JAX's lax.map).
///
/// ```cpp
/// auto y = map(Heavy{}, x, batch_size(1000));
/// ```
/// A vmap does all examples at once; where a function needs much memory for each, as one of many
/// examples with results that are kept only to the next step, a batch bounds what is in use.

#include "kmap/detail/flatten.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/dist_array.hpp"
#include "kmap/vmap.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap {

/// How many examples map gives to vmap at once; 0 for all.
struct BatchSize {
  std::int64_t value;
};
constexpr BatchSize batch_size(std::int64_t n) { return {n}; }

namespace detail {

/// The common length of the leading axes.
template <class Names, class... Views>
std::int64_t leading_length(const Views&... views) {
  SmallList<SizeClaim, sizeof...(Views)> claims;
  int i = 0;
  (claims.push_back(
       {i++, 0, static_cast<std::int64_t>(views.extent(0)), dims_of(views).extent, &Names::name}),
   ...);
  return agree_on_size(claims, -1);
}

/// One map in batches: every batch is of the same types, also the only one, so that results cannot
/// depend on their size.
template <class Spec, class Layout, class... Views>
class BatchedMap {
  template <class View>
  using PartOf = decltype(part_of(std::declval<const View&>(), 0, Range{}));
  using Call = MapCall<Spec, PartOf<Views>...>;
  static_assert(Call::known_outputs > 0,
                "kmap: the function writes into `out` views, so their shapes must be given to "
                "vmap(f, outputs(out_shape<T>(…)…))");
  using Outputs = std::make_index_sequence<static_cast<std::size_t>(Call::known_outputs)>;

 public:
  BatchedMap(const Spec& spec, const Views&... views) : spec_(spec), views_(views...) {}

  auto run(std::int64_t length, std::int64_t batch) const {
    constexpr const char* label = Labels<decltype(Spec::f)>::map.text;
    const Region region(label);
    const auto outputs = allocate(call({0, length}), Outputs{});
    for (std::int64_t begin = 0; begin < length; begin += batch) {
      const Range range{begin, std::min(length, begin + batch)};
      std::apply(
          [&](const auto&... output) { call(range).run(label, part_of(output, 0, range)...); },
          outputs);
    }
    return rebuild<OutputForm<Call>>(outputs);
  }

 private:
  Call call(Range range) const {
    return std::apply([&](const auto&... view) { return Call(spec_, part_of(view, 0, range)...); },
                      views_);
  }

  template <std::size_t... K>
  static auto allocate(const Call& call, std::index_sequence<K...>) {
    return std::tuple{
        allocate_output<OutputView<Call, Layout, static_cast<int>(K)>, static_cast<int>(K)>(
            call)...};
  }

  Spec spec_;
  std::tuple<Views...> views_;
};

}  // namespace detail

/// Maps f over the leading axis of `xs`: one View, or a tuple or structure of Views of one length N
/// along it. f gets one argument, the example of xs in its structure. Runs over batches one after
/// another, each of which is a vmap; the last one may be shorter. Without a batch size, with 0 or
/// more than N it is one vmap. Results are those of vmap, bit for bit, whatever the batch size.
/// Throws ShapeError for a negative batch size and lengths that differ.
template <class F, class X>
auto map(const F& f, const X& xs, BatchSize batch = batch_size(0)) {
  if (batch.value < 0) {
    throw ShapeError("the batch size of map is " + std::to_string(batch.value),
                     "give a number of examples, or 0 for all at once");
  }
  return detail::with_leaves(
      detail::add_level(f),
      [&]<class Spec, class... Views>(const Spec& spec, const Views&... views) {
        static_assert((Kokkos::is_view_v<Views> && ...),
                      "kmap: map takes a Kokkos::View, or a tuple or structure of Views");
        static_assert(((Views::rank() > 0) && ...), "kmap: a scalar has no axis to map over");
        using Names = detail::ArgumentNames<std::remove_cvref_t<decltype(spec.f)>>;
        const std::int64_t length = detail::leading_length<Names>(views...);
        const std::int64_t size = batch.value == 0 ? length : std::min(batch.value, length);
        using Layout = typename detail::LayoutOf<Views...>::type;
        return detail::BatchedMap<Spec, Layout, Views...>(spec, views...)
            .run(length, std::max<std::int64_t>(size, 1));
      },
      xs);
}

}  // namespace kmap
