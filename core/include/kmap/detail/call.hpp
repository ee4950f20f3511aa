#pragma once
// Calling the user's function with examples: which form it has, and where its results go.

#include "kmap/context.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/structure.hpp"
#include "kmap/error.hpp"
#include "kmap/example.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap {

/// Kinds of mapped functions; a function states another than the first by a member type `map_kind`.
struct per_example {};  ///< f(x…): one example per iteration
struct per_team {};     ///< f(team, x…): one team of threads per example
struct per_block {};    ///< f(exec, batched views…): all examples at once

namespace detail {

template <class F>
struct MapKind {
  using type = per_example;
};
template <class F>
  requires requires { typename F::map_kind; }
struct MapKind<F> {
  using type = typename F::map_kind;
};
template <class F>
using map_kind_of = typename MapKind<F>::type;

/// False for a pointer to a member function that is not const.
template <class Member>
inline constexpr bool is_const_member = true;
template <class F, class R, class... A>
inline constexpr bool is_const_member<R (F::*)(A...)> = false;
template <class F, class R, class... A>
inline constexpr bool is_const_member<R (F::*)(A...) noexcept> = false;

/// Refuses what cannot be mapped whatever the arguments are.
template <class F>
constexpr void check_function() {
  static_assert(std::is_class_v<F>,
                "kmap: a function to map is an object, of a struct F with `KOKKOS_FUNCTION T "
                "operator()(T x) const`: a device cannot call a free function by its address; let "
                "operator() call it");
  if constexpr (requires { &F::operator(); }) {
    static_assert(is_const_member<decltype(&F::operator())>,
                  "kmap: operator() of a function to map must be const: all examples are given to "
                  "one object, at once; write `operator()(…) const`");
  }
}

/// The forms a function may have.
enum class Form {
  none,
  returns,          // y = f(prefix…, x…)
  returns_context,  // y = f(c, prefix…, x…)
  writes,           // f(prefix…, x…, out…)
  writes_context    // f(c, prefix…, x…, out…)
};

constexpr bool takes_context(Form form) {
  return form == Form::returns_context || form == Form::writes_context;
}
constexpr bool writes_outputs(Form form) {
  return form == Form::writes || form == Form::writes_context;
}

template <class F, class Ctx, class Prefix, class Ins, class Outs>
struct Call;

/// The function's form with these types of examples, and what it returns.
template <class F, class Ctx, class... Prefix, class... Ins, class... Outs>
struct Call<F, Ctx, TypeList<Prefix...>, TypeList<Ins...>, TypeList<Outs...>> {
  static constexpr Form form = [] {
    if constexpr (std::is_invocable_v<const F&, Prefix..., Ins...>) {
      return Form::returns;
    } else if constexpr (std::is_invocable_v<const F&, Ctx&, Prefix..., Ins...>) {
      return Form::returns_context;
    } else if constexpr (std::is_invocable_v<const F&, Prefix..., Ins..., Outs...>) {
      return Form::writes;
    } else if constexpr (std::is_invocable_v<const F&, Ctx&, Prefix..., Ins..., Outs...>) {
      return Form::writes_context;
    } else {
      return Form::none;
    }
  }();

  /// True if a call cannot throw.
  static constexpr bool is_noexcept =
      form == Form::returns  ? std::is_nothrow_invocable_v<const F&, Prefix..., Ins...>
      : form == Form::writes ? std::is_nothrow_invocable_v<const F&, Prefix..., Ins..., Outs...>
                             : false;

  static auto result_type() {
    if constexpr (form == Form::returns) {
      return std::type_identity<std::invoke_result_t<const F&, Prefix..., Ins...>>{};
    } else if constexpr (form == Form::returns_context) {
      return std::type_identity<std::invoke_result_t<const F&, Ctx&, Prefix..., Ins...>>{};
    } else {
      return std::type_identity<void>{};
    }
  }
  using result = std::remove_cvref_t<typename decltype(result_type())::type>;
};

/// What a function returns, as a list of outputs: the leaves of a structure.
template <class R>
struct Results {
  using list = typename LeafTypes<R>::type;
};
template <>
struct Results<void> {
  using list = TypeList<>;
};

/// Element type and rank of one returned output.
template <class R>
struct ResultCell {
  static_assert(Element<R>,
                "kmap: a mapped function returns bool, an integer, float, double, Kokkos::complex, "
                "a kmap::vec or kmap::Example of these, or a std::tuple or structure of such");
  using value_type = R;
  static constexpr int rank = 0;
  static constexpr bool known_extents = true;
  static constexpr std::int64_t extent(int) { return 1; }
};
template <class T, int... N>
struct ResultCell<vec<T, N...>> {
  using value_type = T;
  static constexpr int rank = sizeof...(N);
  static constexpr bool known_extents = true;
  static constexpr std::int64_t extent(int d) {
    return vec<T, N...>::extents[static_cast<std::size_t>(d)];
  }
};
template <class T, int R>
struct ResultCell<Example<T, R>> {
  using value_type = std::remove_cv_t<T>;
  static constexpr int rank = R;
  static constexpr bool known_extents = false;
};

/// True if the types of what a function returns say all extents.
template <class... R>
constexpr bool extents_known(TypeList<R...>) {
  return (ResultCell<R>::known_extents && ...);
}

// Loop bodies as functors: a generic lambda cannot be device code.
template <class From, class To>
struct CopyElement {
  const From& from;
  const To& to;
  template <class... I>
  KOKKOS_FUNCTION constexpr void operator()(I... index) const {
    to(index...) = static_cast<typename To::value_type>(from(index...));
  }
};

template <class R, int Rank>
[[noreturn]] void wrong_extents(const R& result, const Extents<Rank>& wanted) {
  Shape has;
  Shape needs;
  for (int d = 0; d < Rank; ++d) {
    has.push_back(result.extent(d));
    needs.push_back(wanted[d]);
  }
  throw ShapeError("a mapped function returned an Example of shape " + to_string(has) +
                       " where its output has " + to_string(needs),
                   "all examples must return the same shape; give an output of that shape");
}

/// A view says its extents only when it is returned.
template <class R, int Rank>
KOKKOS_FUNCTION void check_extents(const R& result, const Extents<Rank>& wanted) {
  if constexpr (IsExample<R>::value) {
    bool same = true;
    for (int d = 0; d < Rank; ++d) same = same && result.extent(d) == wanted[d];
    if (!same) {
      KOKKOS_IF_ON_HOST((wrong_extents(result, wanted);))
      KOKKOS_IF_ON_DEVICE((Kokkos::abort("kmap: a returned Example has other extents than the "
                                         "output");))
    }
  }
}

/// Stores one returned output at `offset` of its operand, converted to the operand's type.
template <class R, class Out>
KOKKOS_FUNCTION void store(const R& result, const Out& target, std::int64_t offset) {
  if constexpr (Element<R>) {
    static_assert(Out::rank == 0,
                  "kmap: the function returns a scalar, the output has more dimensions");
    target.data[offset] = static_cast<typename Out::value_type>(result);
  } else {
    static_assert(ResultCell<R>::rank == Out::rank,
                  "kmap: the returned array and the output differ in their number of dimensions");
    check_extents(result, target.extents);
    const auto view = target.at(offset);
    for_each_index<Out::rank>(target.extents, CopyElement<R, decltype(view)>{result, view});
  }
}

/// Extents of the outputs of one example.
struct ResultExtents {
  static constexpr int max_outputs = 16;
  std::int64_t extents[max_outputs][max_core_rank] = {};
};

template <class R>
KOKKOS_FUNCTION void note_extents(const R& result, std::int64_t* extents) {
  for (int d = 0; d < ResultCell<R>::rank; ++d) {
    if constexpr (ResultCell<R>::known_extents) {
      extents[d] = ResultCell<R>::extent(d);
    } else {
      extents[d] = result.extent(d);
    }
  }
}

template <class R, std::size_t... O>
KOKKOS_FUNCTION void note_all_extents(const R& result, ResultExtents& all,
                                      std::index_sequence<O...>) {
  static_assert(sizeof...(O) <= ResultExtents::max_outputs,
                "kmap: a function whose outputs are Examples has at most 16 of them");
  (note_extents(leaf_at<O>(result), all.extents[O]), ...);
}

template <class R, class Outs, class Offsets, std::size_t... O>
KOKKOS_FUNCTION void store_results(const R& result, const Outs& outs, const Offsets& offsets,
                                   std::index_sequence<O...>) {
  static_assert(leaf_count<R> == sizeof...(O),
                "kmap: the function returns another number of outputs than were given");
  (store(leaf_at<O>(result), std::get<O>(outs), offsets[static_cast<int>(O)]), ...);
}

}  // namespace detail

}  // namespace kmap
