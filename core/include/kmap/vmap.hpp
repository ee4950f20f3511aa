#pragma once
/// \file
/// vmap: maps a function of one example over an axis of its arguments, with Kokkos.
///
/// ```cpp
/// auto y = vmap(Square{})(x);                        // y is allocated
/// vmap(Square{}).into(y)(x);                         // y is given
/// auto C = vmap(vmap(Dot{}, in_axes(none, 1)), in_axes(0, none))(A, B);   // a matrix product
/// ```
/// Arguments are Kokkos::Views of rank 1 to 8 of any layout, scalars with `none`, `fixed` and
/// `donate`d ones (kmap/arguments.hpp), and structures of these. f sees of each array the example
/// without its mapped axes: a value for rank 0, else an `Example`. It returns a scalar, a `vec`, an
/// Example or a structure of these, or writes into `out` views. Semantics are those of jax.vmap.
///
/// A structure (JAX's pytree) is a std::tuple, or an aggregate of a class template that has as many
/// members as template parameters, 1 to 8, member i being of type i; nested as you like:
/// ```cpp
/// template <class Position, class Mass> struct Particle { Position position; Mass mass; };
/// vmap(f)(Particle{x, m});                           // f sees a Particle<Example<…>, double>
/// vmap(f, in_axes(Particle{1, none}))(Particle{x, 2.0});
/// vmap(f, in_axes(0, std::tuple(1, 2)))(x, std::tuple{y, z});
/// ```
/// One entry of in_axes or out_axes stands for all of the structure in its place. Errors name the
/// leaves args[0], args[1][0], …; outputs are numbered leaf by leaf.
///
/// What the function is called with, by its kind (member type `map_kind`):
///
/// | kind                  | call                                      | policy                   |
/// |-----------------------|-------------------------------------------|--------------------------|
/// | per_example (default) | f([c,] x…[, out…])                        | RangePolicy              |
/// | per_team              | f([c,] team, x…[, out…])                  | TeamPolicy               |
/// | per_block             | f(exec, batched views…, batched outputs…) | f's own                  |
///
/// `c` is a context (kmap/context.hpp). Functions of scalars given more dimensions map over all of
/// them. Work on a device is asynchronous, as Kokkos' own; errors of shapes and axes are
/// ShapeErrors, thrown before any work.

#include "kmap/arguments.hpp"
#include "kmap/axes.hpp"
#include "kmap/context.hpp"
#include "kmap/detail/flatten.hpp"
#include "kmap/detail/map_call.hpp"
#include "kmap/detail/options.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/example.hpp"

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap {

namespace detail {

template <class Call, class Layout, int K>
using OutputView = Kokkos::View<typename DataType<typename Call::template Cell<K>::value_type,
                                                  Call::template out_rank<K>>::type,
                                Layout, typename Call::ExecSpace::memory_space>;

template <class View, int K, class Call>
View allocate_output(const Call& call) {
  return make_view<View>("kmap:output", call.template out_shape<K>());
}

template <class Leaf>
using ArrayOf = std::remove_cvref_t<decltype(array_of(std::declval<const Leaf&>()))>;

/// A map whose outputs are given.
template <class Spec, class... Outs>
class MapInto {
 public:
  MapInto(const Spec& spec, const Outs&... outs) : spec_(spec), outs_(outs...) {}

  template <class... Args>
  void operator()(const Args&... args) const {
    with_leaves(
        spec_, [&](const auto& spec, const auto&... leaves) { map_leaves(spec, leaves...); },
        args...);
  }

 private:
  template <class LeafSpec, class... Leaves>
  void map_leaves(const LeafSpec& spec, const Leaves&... leaves) const {
    constexpr const char* label = Labels<decltype(LeafSpec::f)>::vmap.text;
    const Region region(label);
    using Unplaced = MapCall<LeafSpec, ArrayOf<Leaves>...>;
    const auto& placed = with_flat_outputs<Result<Unplaced>>(spec);
    const Donations<Leaves...> donations(&ArgumentNames<decltype(LeafSpec::f)>::name, leaves...);
    const MapCall<std::remove_cvref_t<decltype(placed)>, ArrayOf<Leaves>...> call(
        placed, array_of(leaves)...);
    [[maybe_unused]] const auto held = donations.use_up();
    std::apply([&](const auto&... views) { call.run(label, views...); }, leaves_of(outs_));
  }

  // A function that writes says nothing of a structure, so that of the given outputs holds.
  template <class... O>
  static auto given(const std::tuple<O...>* outs) {
    if constexpr (sizeof...(O) == 1) {
      return (std::type_identity<O>{}, ...);
    } else {
      return std::type_identity<std::remove_cvref_t<decltype(*outs)>>{};
    }
  }
  template <class Call>
  using Result =
      typename std::conditional_t<Call::returns, std::type_identity<typename Call::Result>,
                                  decltype(given(
                                      static_cast<const std::tuple<Outs...>*>(nullptr)))>::type;

  Spec spec_;
  std::tuple<Outs...> outs_;
};

/// What vmap returns: a function of whole arrays.
template <class Spec>
class Mapped {
 public:
  explicit Mapped(Spec spec) : spec_(std::move(spec)) {}

  /// Maps; each argument is a View, a scalar (with none in in_axes), `fixed(value)`, or a structure
  /// of these. Returns fresh Views in the structure of what f returns: one View, or a std::tuple or
  /// structure of Views.
  template <class... Args>
  auto operator()(const Args&... args) const {
    return with_leaves(
        spec_, [](const auto& spec, const auto&... leaves) { return map_leaves(spec, leaves...); },
        args...);
  }

  /// The same map with its outputs given: Views of the right shapes, of any layout, one by one or
  /// in structures.
  template <class... Outs>
  auto into(const Outs&... outs) const {
    return MapInto<Spec, Outs...>(spec_, outs...);
  }

  const Spec& spec() const { return spec_; }

 private:
  template <class LeafSpec, class... Leaves>
  static auto map_leaves(const LeafSpec& spec, const Leaves&... leaves) {
    using Unplaced = MapCall<LeafSpec, ArrayOf<Leaves>...>;
    static_assert(Unplaced::known_outputs > 0,
                  "kmap: the function returns nothing when it is called with the examples of these "
                  "arguments: check their number and ranks, and that a context is taken as `C& c`. "
                  "If the function writes into `out` views, the outputs must be given by .into(y…) "
                  "or their shapes by outputs(out_shape<T>(…)…)");
    constexpr const char* label = Labels<decltype(LeafSpec::f)>::vmap.text;
    const Region region(label);
    const auto& placed = with_flat_outputs<OutputForm<Unplaced>>(spec);
    Donations<Leaves...> donations(&ArgumentNames<decltype(LeafSpec::f)>::name, leaves...);
    MapCall<std::remove_cvref_t<decltype(placed)>, ArrayOf<Leaves>...> call(placed,
                                                                            array_of(leaves)...);
    call.find_extents(nullptr, label);
    return run(label, call, placed, donations,
               std::make_index_sequence<static_cast<std::size_t>(Unplaced::known_outputs)>{});
  }

  template <class Call, class LeafSpec, class Gifts, std::size_t... K>
  static auto run(const char* label, const Call& call, const LeafSpec& spec, Gifts& donations,
                  std::index_sequence<K...>) {
    const auto views = std::tuple{output<static_cast<int>(K)>(call, spec, donations)...};
    [[maybe_unused]] const auto held = donations.use_up();
    call.run(label, std::get<K>(views)...);
    return rebuild<OutputForm<Call>>(views);
  }

  template <int K, class Call, class LeafSpec, class Gifts>
  static auto output(const Call& call, const LeafSpec& spec, Gifts& donations) {
    using View = OutputView<Call, typename Call::Layout, K>;
    auto taken = donations.template take<K, View>(call, spec);
    return taken ? *taken : allocate_output<View, K>(call);
  }

  Spec spec_;
};

/// f (or what a vmap has made of it) with one more level outside.
template <class F, class... O>
auto add_level(const F& f, const O&... options) {
  const auto level = level_of(options...);
  using L = std::remove_cv_t<decltype(level)>;
  const auto exec = pick_option<IsOn>(none, options...);
  const auto outs = pick_option<IsOutputs>(none, options...);
  using E = std::remove_cv_t<decltype(exec)>;
  using S = std::remove_cv_t<decltype(outs)>;
  constexpr bool all = option_count<IsElementwise, O...> > 0;
  return MapSpec<F, E, S, all, L>{f, exec, outs, std::make_tuple(level)};
}

template <class Outer, class Inner>
auto outer_or_inner(const Outer& outer, const Inner& inner) {
  if constexpr (std::is_same_v<Outer, None>) {
    return inner;
  } else {
    return outer;
  }
}

template <class F, class E, class S, bool All, class... L, class... O>
auto add_level(const Mapped<MapSpec<F, E, S, All, L...>>& inner, const O&... options) {
  const auto& spec = inner.spec();
  const auto level = level_of(options...);
  using Outer = std::remove_cv_t<decltype(level)>;
  const auto exec = outer_or_inner(pick_option<IsOn>(none, options...), spec.exec);
  const auto outs = outer_or_inner(pick_option<IsOutputs>(none, options...), spec.outputs);
  using NewE = std::remove_cv_t<decltype(exec)>;
  using NewS = std::remove_cv_t<decltype(outs)>;
  constexpr bool all = All || option_count<IsElementwise, O...> > 0;
  return MapSpec<F, NewE, NewS, all, Outer, L...>{
      spec.f, exec, outs, std::tuple_cat(std::make_tuple(level), spec.levels)};
}

}  // namespace detail

/// Maps f over an axis of its arguments. `f` is a functor with `KOKKOS_FUNCTION operator() const`,
/// or the result of another vmap (nesting). Options, in any order: in_axes (default 0), out_axes
/// (default 0), axis_name<"i">, axis_size(n), on(exec), outputs(out_shape<T>(…)…), elementwise.
/// Returns a function object of arrays; see kmap/vmap.hpp.
template <class F, class... Options>
auto vmap(const F& f, const Options&... options) {
  detail::check_function<F>();
  static_assert(detail::option_count<detail::IsOver, Options...> == 0,
                "kmap: over(comm) is an option of pmap");
  return detail::Mapped(detail::add_level(f, options...));
}

}  // namespace kmap
