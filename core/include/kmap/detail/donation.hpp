#pragma once
// Arguments that give their memory away: which output may take it, and when that changes nothing.

#include "kmap/detail/bind.hpp"
#include "kmap/detail/call.hpp"
#include "kmap/detail/map_call.hpp"
#include "kmap/detail/structure.hpp"
#include "kmap/error.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::detail {

/// A View or DistArray that a map may use up. X is const where the array knows itself that it was.
template <class X>
class Donated {
 public:
  explicit Donated(X& array) : array_(&array) {}

  X& array() const { return *array_; }

  /// This rank's memory of it.
  auto memory() const {
    if constexpr (Kokkos::is_view_v<X>) {
      return *array_;
    } else {
      return array_->local();
    }
  }

  void use_up() const {
    if constexpr (Kokkos::is_view_v<X>) {
      *array_ = X();
    } else {
      array_->give_away();
    }
  }

 private:
  X* array_;
};

template <class A>
struct IsDonated : std::false_type {};
template <class X>
struct IsDonated<Donated<X>> : std::true_type {};

/// The array behind an argument, donated or not.
template <class A>
const auto& array_of(const A& argument) {
  if constexpr (IsDonated<A>::value) {
    return argument.array();
  } else {
    return argument;
  }
}

/// Whether Call computes each example's outputs completely before it stores them, once, and as
/// values: only then may they be stored where the example's arguments lie. A function with a
/// context may be called again for an example, the members of a team do not end at the same time,
/// and a returned Example is read while outputs are stored.
template <class Call, class F>
constexpr bool stores_last() {
  if constexpr (Call::returns && Call::call_form == Form::returns &&
                std::is_same_v<map_kind_of<F>, per_example>) {
    return extents_known(typename LeafTypes<typename Call::Result>::type{});
  } else {
    return false;
  }
}

/// Whether the memory of a View of type From can become one of type To.
template <class From, class To>
constexpr bool is_same_memory =
    std::is_same_v<typename From::data_type, typename To::data_type> &&
    std::is_same_v<typename From::array_layout, typename To::array_layout> &&
    std::is_same_v<typename From::memory_space, typename To::memory_space> &&
    !From::memory_traits::is_unmanaged;

/// The axes that entry I of each level names, with the level; none is left out.
template <int I, class Entries>
void add_axis(PlacedLevels& axes, int level, const Entries& entries) {
  if constexpr (!entry_is_none<I, Entries>) axes.push_back({level, entry<I>(entries)});
}

/// Whether every example has argument I at the place where output K has it.
template <int I, int K, class Call, class F, class E, class S, bool All, class... L>
bool has_same_places(const MapSpec<F, E, S, All, L...>& spec) {
  constexpr int levels = sizeof...(L);
  PlacedLevels in;
  PlacedLevels out;
  std::apply(
      [&](const auto&... level) {
        int l = 0;
        ((add_axis<I>(in, l, level.in.entries), add_axis<K>(out, l, level.out.entries), ++l), ...);
      },
      spec.levels);
  if (in.size() != sizeof...(L) || out.size() != sizeof...(L)) return false;
  constexpr int core = Call::template Cell<K>::rank;
  return place_output(K, levels, Call::implicit_levels, core, in) ==
         place_output(K, levels, Call::implicit_levels, core, out);
}

/// The donated ones among the leaves of a map's arguments.
template <class... Leaves>
class Donations {
  static constexpr bool any = (IsDonated<Leaves>::value || ...);

 public:
  Donations(NameOf name_of, const Leaves&... leaves) : leaves_(leaves...) {
    if constexpr (any) refuse_aliases(name_of, std::index_sequence_for<Leaves...>{});
  }

  /// The memory of a donated argument for output K, of type View: the first one that fits and was
  /// not taken yet.
  template <int K, class View, class Call, class F, class E, class S, bool All, class... L>
  std::optional<View> take(const Call& call, const MapSpec<F, E, S, All, L...>& spec) {
    std::optional<View> found;
    if constexpr (any && stores_last<Call, F>()) {
      [&]<std::size_t... I>(std::index_sequence<I...>) {
        (take_from<static_cast<int>(I), K>(call, spec, found), ...);
      }(std::index_sequence_for<Leaves...>{});
    }
    return found;
  }

  /// Ends the use of the donated arrays. Returns what has to live until the map has run.
  auto use_up() const {
    return std::apply([](const auto&... leaf) { return std::tuple_cat(use_up_one(leaf)...); },
                      leaves_);
  }

 private:
  template <class Leaf>
  static auto use_up_one(const Leaf& leaf) {
    if constexpr (IsDonated<Leaf>::value) {
      auto memory = std::make_tuple(leaf.memory());
      leaf.use_up();
      return memory;
    } else {
      return std::tuple<>{};
    }
  }

  template <int I, int K, class Call, class Spec, class View>
  void take_from(const Call& call, const Spec& spec, std::optional<View>& found) {
    using Leaf = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<Leaves...>>;
    if constexpr (IsDonated<Leaf>::value) {
      const auto memory = std::get<static_cast<std::size_t>(I)>(leaves_).memory();
      if constexpr (is_same_memory<std::remove_const_t<decltype(memory)>, View>) {
        bool& taken = taken_[static_cast<std::size_t>(I)];
        if (found || taken || !memory.span_is_contiguous()) return;
        if (shape_of(memory) != call.template out_shape<K>()) return;
        if (!has_same_places<I, K, Call>(spec)) return;
        taken = true;
        found.emplace(memory);
      }
    }
  }

  template <class Leaf>
  static const void* address(const Leaf& leaf) {
    if constexpr (IsDonated<Leaf>::value) {
      return leaf.memory().data();
    } else if constexpr (Kokkos::is_view_v<Leaf>) {
      return leaf.data();
    } else if constexpr (requires { leaf.local().data(); }) {
      return leaf.local().data();
    } else {
      return nullptr;
    }
  }

  template <std::size_t... I>
  void refuse_aliases(NameOf name_of, std::index_sequence<I...>) const {
    const std::array<const void*, sizeof...(I)> at = {address(std::get<I>(leaves_))...};
    constexpr std::array<bool, sizeof...(I)> is_donated = {IsDonated<Leaves>::value...};
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = 0; j < at.size(); ++j) {
        if (i == j || !is_donated[i] || at[i] == nullptr || at[i] != at[j]) continue;
        throw Error(ExitCode::bad_data,
                    name_of(static_cast<int>(i)) + " is donated, but " +
                        name_of(static_cast<int>(j)) + " is the same memory",
                    "do not donate it, or give a copy for the other argument");
      }
    }
  }

  std::tuple<const Leaves&...> leaves_;
  std::array<bool, sizeof...(Leaves) + 1> taken_{};
};

}  // namespace kmap::detail
