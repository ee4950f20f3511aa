#pragma once
// Structures (JAX's pytrees): nested std::tuples, and aggregates S<M...> of users whose i-th member
// is of the i-th type. They are taken apart into leaves and put together from others.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

template <class... T>
struct TypeList {};

/// Fits any member, to find out that there is one more.
struct AnyValue {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor)
};

/// The members of an aggregate that has N, as a tuple of references.
template <std::size_t N, class S>
KOKKOS_FUNCTION constexpr auto members_of(S& s) {
  static_assert(N >= 1 && N <= 8);
  if constexpr (N == 1) {
    auto& [a] = s;
    return std::tie(a);
  } else if constexpr (N == 2) {
    auto& [a, b] = s;
    return std::tie(a, b);
  } else if constexpr (N == 3) {
    auto& [a, b, c] = s;
    return std::tie(a, b, c);
  } else if constexpr (N == 4) {
    auto& [a, b, c, d] = s;
    return std::tie(a, b, c, d);
  } else if constexpr (N == 5) {
    auto& [a, b, c, d, e] = s;
    return std::tie(a, b, c, d, e);
  } else if constexpr (N == 6) {
    auto& [a, b, c, d, e, f] = s;
    return std::tie(a, b, c, d, e, f);
  } else if constexpr (N == 7) {
    auto& [a, b, c, d, e, f, g] = s;
    return std::tie(a, b, c, d, e, f, g);
  } else {
    auto& [a, b, c, d, e, f, g, h] = s;
    return std::tie(a, b, c, d, e, f, g, h);
  }
}

template <class S, class... M>
concept AggregateOf = std::is_aggregate_v<S> && requires { S{std::declval<M>()...}; } &&
                      !requires { S{std::declval<M>()..., AnyValue{}}; };

/// Whether S has exactly the members M..., in this order.
template <class S, class... M>
constexpr bool has_members() {
  if constexpr (sizeof...(M) >= 1 && sizeof...(M) <= 8) {
    if constexpr (AggregateOf<S, M...>) {
      return std::is_same_v<decltype(members_of<sizeof...(M)>(std::declval<S&>())),
                            std::tuple<M&...>>;
    }
  }
  return false;
}

/// How a structure is made again with members of other types.
struct TupleKind {
  template <class... M>
  using type = std::tuple<M...>;
};
template <template <class...> class S>
struct AggregateKind {
  template <class... M>
  using type = S<M...>;
};

template <class T>
struct StructureTraits {
  static constexpr bool value = false;
};
template <class... M>
struct StructureTraits<std::tuple<M...>> {
  static constexpr bool value = true;
  using kind = TupleKind;
  using members = TypeList<M...>;
};
template <template <class...> class S, class... M>
  requires(has_members<S<M...>, M...>())
struct StructureTraits<S<M...>> {
  static constexpr bool value = true;
  using kind = AggregateKind<S>;
  using members = TypeList<M...>;
};

template <class T>
inline constexpr bool is_structure = StructureTraits<T>::value;

template <class List>
struct ListSize;
template <class... T>
struct ListSize<TypeList<T...>> {
  static constexpr std::size_t value = sizeof...(T);
};

template <class T>
inline constexpr std::size_t member_count = ListSize<typename StructureTraits<T>::members>::value;

/// Member I of a structure.
template <std::size_t I, class T>
KOKKOS_FUNCTION constexpr const auto& member_at(const T& structure) {
  if constexpr (std::is_same_v<typename StructureTraits<T>::kind, TupleKind>) {
    return std::get<I>(structure);
  } else {
    return std::get<I>(members_of<member_count<T>>(structure));
  }
}

template <class... Lists>
struct Joined;
template <>
struct Joined<> {
  using type = TypeList<>;
};
template <class... T>
struct Joined<TypeList<T...>> {
  using type = TypeList<T...>;
};
template <class... A, class... B, class... Rest>
struct Joined<TypeList<A...>, TypeList<B...>, Rest...> : Joined<TypeList<A..., B...>, Rest...> {};

/// The types of the leaves, in the order of the members.
template <class T>
struct LeafTypes {
  using type = TypeList<T>;
};
template <class List>
struct LeafTypesOfMembers;
template <class... M>
struct LeafTypesOfMembers<TypeList<M...>> : Joined<typename LeafTypes<M>::type...> {};
template <class T>
  requires(is_structure<T>)
struct LeafTypes<T> : LeafTypesOfMembers<typename StructureTraits<T>::members> {};

template <class T>
inline constexpr std::size_t leaf_count = ListSize<typename LeafTypes<T>::type>::value;

/// Leaf K of a structure; what is none is its own leaf. I: the member to look at first.
template <std::size_t K, std::size_t I = 0, class T>
KOKKOS_FUNCTION constexpr const auto& leaf_at(const T& x) {
  if constexpr (!is_structure<T>) {
    static_assert(K == 0);
    return x;
  } else {
    constexpr std::size_t here = leaf_count<std::remove_cvref_t<decltype(member_at<I>(x))>>;
    if constexpr (K < here) {
      return leaf_at<K>(member_at<I>(x));
    } else {
      return leaf_at<K - here, I + 1>(x);
    }
  }
}

// ---- Trees: the form of a structure, as a value without the arrays, that can go to a device.

/// An argument that goes to the function as it is.
template <class T>
class Fixed {
 public:
  explicit Fixed(const T& value) : value_(value) {}
  const T& value() const { return value_; }

 private:
  T value_;
};

template <class A>
struct IsFixed : std::false_type {};
template <class T>
struct IsFixed<Fixed<T>> : std::true_type {};

// append_path appends the path of leaf number `leaf`, as "[1][0]", or returns false and has counted
// `leaf` down by the leaves in here.
struct LeafTree {
  static constexpr std::size_t leaves = 1;
  static bool append_path(std::string&, int& leaf) { return leaf-- == 0; }
};
template <class T>
struct FixedTree {
  static constexpr std::size_t leaves = 0;
  T value;
  static bool append_path(std::string&, int&) { return false; }
};
template <class Kind, class... Members>
struct NodeTree {
  static constexpr std::size_t leaves = (std::size_t{0} + ... + Members::leaves);
  std::tuple<Members...> members;

  static bool append_path(std::string& path, int& leaf) {
    int i = 0;
    return (append_member<Members>(path, leaf, i) || ...);
  }

 private:
  template <class Member>
  static bool append_member(std::string& path, int& leaf, int& i) {
    std::string below;
    const bool found = Member::append_path(below, leaf);
    if (found) path += "[" + std::to_string(i) + "]" + below;
    ++i;
    return found;
  }
};

template <class T>
inline constexpr bool is_fixed_tree = false;
template <class T>
inline constexpr bool is_fixed_tree<FixedTree<T>> = true;

template <class A>
auto tree_of(const A& argument) {
  if constexpr (IsFixed<A>::value) {
    return FixedTree<std::remove_cvref_t<decltype(argument.value())>>{argument.value()};
  } else if constexpr (is_structure<A>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      using Kind = typename StructureTraits<A>::kind;
      return NodeTree<Kind, decltype(tree_of(member_at<I>(argument)))...>{
          {tree_of(member_at<I>(argument))...}};
    }(std::make_index_sequence<member_count<A>>{});
  } else {
    return LeafTree{};
  }
}

/// The tree of results of type R, whose leaves are values.
template <class R>
struct TreeOf {
  using type = LeafTree;
};
template <class Kind, class List>
struct TreeOfMembers;
template <class Kind, class... M>
struct TreeOfMembers<Kind, TypeList<M...>> {
  using type = NodeTree<Kind, typename TreeOf<M>::type...>;
};
template <class R>
  requires(is_structure<R>)
struct TreeOf<R>
    : TreeOfMembers<typename StructureTraits<R>::kind, typename StructureTraits<R>::members> {};

/// References to the leaves of an argument, as a tuple; what is fixed is none.
template <class A>
auto leaves_of(const A& argument) {
  if constexpr (IsFixed<A>::value) {
    return std::tuple<>{};
  } else if constexpr (is_structure<A>) {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple_cat(leaves_of(member_at<I>(argument))...);
    }(std::make_index_sequence<member_count<A>>{});
  } else {
    return std::tie(argument);
  }
}

template <class... Members>
constexpr std::size_t count_leaves_before(std::size_t member) {
  std::size_t i = 0;
  std::size_t sum = 0;
  ((sum += i++ < member ? Members::leaves : 0), ...);
  return sum;
}
/// Leaves before member I.
template <std::size_t I, class... Members>
inline constexpr std::size_t leaves_before = count_leaves_before<Members...>(I);

/// Puts values in the place of leaves: those of the tuple `flat` from `First` on.
template <std::size_t First, class Flat>
KOKKOS_FUNCTION constexpr auto build(const LeafTree&, const Flat& flat) {
  return std::get<First>(flat);
}
template <std::size_t First, class Flat, class T>
KOKKOS_FUNCTION constexpr const T& build(const FixedTree<T>& tree, const Flat&) {
  return tree.value;
}
template <std::size_t First, class Flat, class Kind, class... Members>
KOKKOS_FUNCTION constexpr auto build(const NodeTree<Kind, Members...>& tree, const Flat& flat);

template <std::size_t First, class Flat, class Kind, class... Members, std::size_t... I>
KOKKOS_FUNCTION constexpr auto build_members(const NodeTree<Kind, Members...>& tree,
                                             const Flat& flat, std::index_sequence<I...>) {
  using Made = typename Kind::template type<std::remove_cvref_t<
      decltype(build<First + leaves_before<I, Members...>>(std::get<I>(tree.members), flat))>...>;
  return Made{build<First + leaves_before<I, Members...>>(std::get<I>(tree.members), flat)...};
}
template <std::size_t First, class Flat, class Kind, class... Members>
KOKKOS_FUNCTION constexpr auto build(const NodeTree<Kind, Members...>& tree, const Flat& flat) {
  return build_members<First>(tree, flat, std::index_sequence_for<Members...>{});
}

/// The structure of R with these values, one per leaf.
template <class R, class... Values>
auto rebuild(const std::tuple<Values...>& values) {
  return build<0>(typename TreeOf<R>::type{}, values);
}

/// The structure of x with action(leaf) in place of every leaf, done in their order.
template <class X, class Action>
auto each_leaf(const X& x, const Action& action) {
  if constexpr (!is_structure<X>) {
    return action(x);
  } else {
    return std::apply(
        [&](const auto&... leaf) {
          return rebuild<X>(std::tuple<decltype(action(leaf))...>{action(leaf)...});
        },
        leaves_of(x));
  }
}

}  // namespace kmap::detail
