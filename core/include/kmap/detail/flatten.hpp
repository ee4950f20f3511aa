#pragma once
// A map over structures as a map over their leaves: the arguments and the entries of in_axes and
// out_axes are flattened, and the function gets the structures made again from the examples.

#include "kmap/axes.hpp"
#include "kmap/detail/bind.hpp"
#include "kmap/detail/call.hpp"
#include "kmap/detail/map_call.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/structure.hpp"

#include <Kokkos_Core.hpp>

#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

template <class F>
struct ScratchLevelOf {};
template <class F>
  requires requires { F::scratch_level; }
struct ScratchLevelOf<F> {
  static constexpr int scratch_level = F::scratch_level;
};

/// MapCall hands over the context, and nothing else, as an lvalue that is not const.
template <class... A>
inline constexpr bool starts_with_context = false;
template <class First, class... A>
inline constexpr bool starts_with_context<First&, A...> = !std::is_const_v<First>;

/// f as a function of leaves: context and team go through, each argument is built by its tree, what
/// follows (batched or `out` views of outputs) goes through.
template <class F, class... Trees>
class OfLeaves : public ScratchLevelOf<F> {
  static constexpr std::size_t leaves = (std::size_t{0} + ... + Trees::leaves);

  template <class... A>
  static constexpr std::size_t leading =
      (std::is_same_v<map_kind_of<F>, per_example> ? 0 : 1) + (starts_with_context<A...> ? 1 : 0);

  template <std::size_t I, std::size_t Leading, class Flat>
  KOKKOS_FUNCTION constexpr decltype(auto) argument(const Flat& flat) const {
    return build<Leading + leaves_before<I, Trees...>>(std::get<I>(trees_), flat);
  }

  // A call of f with these; no member `type` where it cannot be called so.
  template <class... X>
  struct CallWith : std::invoke_result<const F&, X...> {
    static constexpr bool is_noexcept = std::is_nothrow_invocable_v<const F&, X...> &&
                                        std::is_nothrow_copy_constructible_v<std::tuple<Trees...>>;
  };

  template <std::size_t Leading, class Flat, std::size_t... L, std::size_t... I, std::size_t... O>
  static auto call_with(std::index_sequence<L...>, std::index_sequence<I...>,
                        std::index_sequence<O...>) {
    return std::type_identity<
        CallWith<std::tuple_element_t<L, Flat>...,
                 decltype(std::declval<const OfLeaves&>().template argument<I, Leading>(
                     std::declval<const Flat&>()))...,
                 std::tuple_element_t<Leading + leaves + O, Flat>...>>{};
  }

  template <class... A>
  static auto call_with() {
    constexpr std::size_t lead = leading<A...>;
    if constexpr (sizeof...(A) < lead + leaves) {
      return std::type_identity<TypeList<>>{};
    } else {
      return call_with<lead, std::tuple<A...>>(
          std::make_index_sequence<lead>{}, std::index_sequence_for<Trees...>{},
          std::make_index_sequence<sizeof...(A) - lead - leaves>{});
    }
  }
  template <class... A>
  using Calling = typename decltype(call_with<A...>())::type;

  template <std::size_t Leading, class Flat, std::size_t... L, std::size_t... I, std::size_t... O>
  KOKKOS_FORCEINLINE_FUNCTION decltype(auto) call(const Flat& flat, std::index_sequence<L...>,
                                                  std::index_sequence<I...>,
                                                  std::index_sequence<O...>) const {
    return f_(static_cast<std::tuple_element_t<L, Flat>>(std::get<L>(flat))...,
              argument<I, Leading>(flat)...,
              static_cast<std::tuple_element_t<Leading + leaves + O, Flat>>(
                  std::get<Leading + leaves + O>(flat))...);
  }

 public:
  using map_kind = map_kind_of<F>;

  OfLeaves(const F& f, const std::tuple<Trees...>& trees) : f_(f), trees_(trees) {}

  template <class... A>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(A&&... a) const noexcept(Calling<A&&...>::is_noexcept)
      -> typename Calling<A&&...>::type {
    constexpr std::size_t lead = leading<A&&...>;
    return call<lead>(std::tuple<A&&...>(static_cast<A&&>(a)...), std::make_index_sequence<lead>{},
                      std::index_sequence_for<Trees...>{},
                      std::make_index_sequence<sizeof...(A) - lead - leaves>{});
  }

  // G is F: a name that is looked up only when this is used.
  template <std::size_t... I, class Flat, class G = F>
  auto scratch_of(std::index_sequence<I...>, const Flat& flat) const
      -> decltype(std::declval<const G&>().scratch_bytes(
          std::declval<const OfLeaves&>().template argument<I, 0>(flat)...)) {
    return f_.scratch_bytes(argument<I, 0>(flat)...);
  }
  /// As the function's own, which looks at examples in their structures.
  template <class... Examples>
    requires(sizeof...(Examples) == leaves)
  auto scratch_bytes(const Examples&... examples) const
      -> decltype(this->scratch_of(std::index_sequence_for<Trees...>{}, std::tie(examples...))) {
    return scratch_of(std::index_sequence_for<Trees...>{}, std::tie(examples...));
  }

 private:
  F f_;
  std::tuple<Trees...> trees_;
};

/// Leaves by their paths, as args[1][0]. Needs the types only.
template <class F, class... Trees>
struct ArgumentNames<OfLeaves<F, Trees...>> {
  static std::string name(int i) {
    std::string path;
    NodeTree<TupleKind, Trees...>::append_path(path, i);
    return "args" + path;
  }
};

template <class F, class... Trees>
struct Labels<OfLeaves<F, Trees...>> : Labels<F> {};

// ---- Entries of in_axes and out_axes

template <class E, class Tree>
inline constexpr bool is_prefix = false;
template <AxisEntry E>
inline constexpr bool is_prefix<E, LeafTree> = true;
template <AxisEntry E, class T>
inline constexpr bool is_prefix<E, FixedTree<T>> = true;
template <class E, class Kind, class... Members>
inline constexpr bool is_prefix<E, NodeTree<Kind, Members...>> = [] {
  if constexpr (!is_structure<E>) {
    return true;
  } else if constexpr (!std::is_same_v<typename StructureTraits<E>::kind, Kind> ||
                       member_count<E> != sizeof...(Members)) {
    return false;
  } else {
    return []<class... Entries>(TypeList<Entries...>) {
      return (is_prefix<Entries, Members> && ...);
    }(typename StructureTraits<E>::members{});
  }
}();

/// The entries of the leaves of one argument or output: an entry for a structure is that of all its
/// leaves (JAX's prefix rule).
template <class E, class Tree>
auto spread(const E& entry, const Tree&) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return store_axes((static_cast<void>(I), entry)...);
  }(std::make_index_sequence<Tree::leaves>{});
}
template <class E, class Kind, class... Members>
  requires(is_structure<E>)
auto spread(const E& entry, const NodeTree<Kind, Members...>& tree) {
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    return std::tuple_cat(spread(member_at<I>(entry), std::get<I>(tree.members))...);
  }(std::index_sequence_for<Members...>{});
}

template <int Argument, class Entry, class Tree>
struct InAxesOf {
  static_assert(is_prefix<Entry, Tree>,
                "kmap: an entry of in_axes does not match the structure of its argument, number "
                "`Argument` of this template: an entry is an axis, none, or of the same structure");
  static_assert(!is_fixed_tree<Tree> || std::is_same_v<Entry, None>,
                "kmap: a fixed argument, number `Argument` of this template, has no axis to map; "
                "pass none for it in in_axes");
};
template <class Entry, class Tree>
struct OutAxesOf {
  static_assert(is_prefix<Entry, Tree>,
                "kmap: out_axes does not match the structure of the outputs: an entry is an axis, "
                "none, or of the same structure; give one for all or one per output");
};

/// in_axes for the leaves of these arguments.
template <class... E, class... Trees>
auto flat_in_axes(const InAxes<E...>& axes, const std::tuple<Trees...>& trees) {
  constexpr bool one_for_all = sizeof...(E) == 1 && (!is_structure<E> && ...);
  if constexpr (one_for_all) {
    return axes;
  } else {
    constexpr int given = static_cast<int>(sizeof...(E));
    constexpr int arguments = static_cast<int>(sizeof...(Trees));
    static_cast<void>(InAxesCount<given, arguments>{});
    static_assert(given != 1 || arguments == 1,
                  "kmap: an entry of in_axes that is a structure is that of one argument; give one "
                  "entry per argument");
    if constexpr (given == arguments) {
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        (static_cast<void>(InAxesOf<static_cast<int>(I), E, Trees>{}), ...);
        return make_in_axes(
            std::tuple_cat(spread(std::get<I>(axes.entries), std::get<I>(trees))...));
      }(std::index_sequence_for<E...>{});
    } else {
      return in_axes(0);
    }
  }
}

/// out_axes for the leaves of a result of type R.
template <class R, class... E>
auto flat_out_axes(const OutAxes<E...>& axes) {
  using Tree = typename TreeOf<R>::type;
  if constexpr (sizeof...(E) == 1) {
    if constexpr ((!is_structure<E> && ...)) {
      return axes;
    } else {
      (static_cast<void>(OutAxesOf<E, Tree>{}), ...);
      return make_out_axes(spread(std::get<0>(axes.entries), Tree{}));
    }
  } else {
    static_cast<void>(OutAxesOf<std::tuple<E...>, Tree>{});
    return make_out_axes(spread(axes.entries, Tree{}));
  }
}

/// One level with other axes.
template <class In, class Out, auto Name, class OldIn, class OldOut>
Level<Name, In, Out> with_axes(const Level<Name, OldIn, OldOut>& level, const In& in,
                               const Out& out) {
  return {in, out, level.size, level.offset, level.length};
}

/// The same map of leaves, for arguments of these trees.
template <class F, class Exec, class OutSpec, bool All, class... L, class... Trees>
auto with_flat_arguments(const MapSpec<F, Exec, OutSpec, All, L...>& spec,
                         const std::tuple<Trees...>& trees) {
  const auto levels = std::apply(
      [&](const auto&... level) {
        return std::make_tuple(with_axes(level, flat_in_axes(level.in, trees), level.out)...);
      },
      spec.levels);
  return [&]<class... NewL>(const std::tuple<NewL...>& flat) {
    if constexpr ((std::is_same_v<Trees, LeafTree> && ...)) {
      return MapSpec<F, Exec, OutSpec, All, NewL...>{spec.f, spec.exec, spec.outputs, flat};
    } else {
      using G = OfLeaves<F, Trees...>;
      return MapSpec<G, Exec, OutSpec, All, NewL...>{G(spec.f, trees), spec.exec, spec.outputs,
                                                     flat};
    }
  }(levels);
}

/// The structure of a map's outputs, without the arrays: that of what f returns, or of the shapes
/// in outputs(…).
template <class Call>
auto output_form() {
  if constexpr (Call::returns) {
    return std::type_identity<typename Call::Result>{};
  } else if constexpr (Call::known_outputs == 1) {
    return std::type_identity<int>{};
  } else {
    return []<std::size_t... K>(std::index_sequence<K...>) {
      return std::type_identity<std::tuple<decltype(K)...>>{};
    }(std::make_index_sequence<static_cast<std::size_t>(Call::known_outputs)>{});
  }
}
template <class Call>
using OutputForm = typename decltype(output_form<Call>())::type;

/// The same map with out_axes for the leaves of results of the form R.
template <class R, class F, class Exec, class OutSpec, bool All, class... L>
decltype(auto) with_flat_outputs(const MapSpec<F, Exec, OutSpec, All, L...>& spec) {
  if constexpr ((std::is_same_v<decltype(flat_out_axes<R>(std::declval<const L&>().out)),
                                decltype(L::out)> &&
                 ...)) {
    return spec;  // a reference to what was given
  } else {
    const auto levels = std::apply(
        [](const auto&... level) {
          return std::make_tuple(with_axes(level, level.in, flat_out_axes<R>(level.out))...);
        },
        spec.levels);
    return [&]<class... NewL>(const std::tuple<NewL...>& flat) {
      return MapSpec<F, Exec, OutSpec, All, NewL...>{spec.f, spec.exec, spec.outputs, flat};
    }(levels);
  }
}

template <class A>
inline constexpr bool is_plain = !is_structure<A> && !IsFixed<A>::value;

template <class... E>
constexpr bool has_structure(const InAxes<E...>*) {
  return (is_structure<E> || ...);
}
template <class F, class Exec, class OutSpec, bool All, class... L>
constexpr bool has_structured_axes(const MapSpec<F, Exec, OutSpec, All, L...>*) {
  return (has_structure(static_cast<decltype(L::in)*>(nullptr)) || ...);
}

/// Calls action(spec, leaves…): with what was given if nothing of it is a structure.
template <class Spec, class Action, class... Args>
auto with_leaves(const Spec& spec, const Action& action, const Args&... args) {
  if constexpr ((is_plain<Args> && ...) && !has_structured_axes(static_cast<Spec*>(nullptr))) {
    return action(spec, args...);
  } else {
    const auto flat = with_flat_arguments(spec, std::make_tuple(tree_of(args)...));
    return std::apply([&](const auto&... leaf) { return action(flat, leaf...); },
                      std::tuple_cat(leaves_of(args)...));
  }
}

}  // namespace kmap::detail
