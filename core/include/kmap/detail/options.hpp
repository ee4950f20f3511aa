#pragma once
// Finding an option of a kind among options in any order.

#include "kmap/axes.hpp"
#include "kmap/communicator.hpp"
#include "kmap/detail/bind.hpp"

#include <tuple>
#include <type_traits>

namespace kmap {

/// Ranks that a pmap runs on, where no argument is a distributed array. Must outlive the results.
struct Over {
  const Communicator* comm;
};
inline Over over(const Communicator& comm) { return {&comm}; }

namespace detail {

template <class O>
struct IsInAxes : std::false_type {};
template <class... A>
struct IsInAxes<InAxes<A...>> : std::true_type {};

template <class O>
struct IsOutAxes : std::false_type {};
template <class... A>
struct IsOutAxes<OutAxes<A...>> : std::true_type {};

template <class O>
struct IsAxisName : std::false_type {};
template <auto Name>
struct IsAxisName<AxisName<Name>> : std::true_type {};

template <class O>
struct IsOn : std::false_type {};
template <class E>
struct IsOn<On<E>> : std::true_type {};

template <class O>
struct IsOutputs : std::false_type {};
template <class... S>
struct IsOutputs<Outputs<S...>> : std::true_type {};

template <class O>
using IsAxisSize = std::is_same<O, AxisSize>;
template <class O>
using IsElementwise = std::is_same<O, Elementwise>;
template <class O>
using IsOver = std::is_same<O, Over>;

template <class O>
inline constexpr bool is_option =
    IsInAxes<O>::value || IsOutAxes<O>::value || IsAxisName<O>::value || IsOn<O>::value ||
    IsOutputs<O>::value || IsAxisSize<O>::value || IsElementwise<O>::value || IsOver<O>::value;

template <template <class> class Is, class... O>
inline constexpr int option_count = (0 + ... + (Is<O>::value ? 1 : 0));

/// The option of that kind, or `fallback` if none was given.
template <template <class> class Is, class Fallback>
constexpr auto pick_option(const Fallback& fallback) {
  return fallback;
}
template <template <class> class Is, class Fallback, class First, class... Rest>
constexpr auto pick_option(const Fallback& fallback, const First& first, const Rest&... rest) {
  static_assert(option_count<Is, First, Rest...> <= 1, "kmap: an option was given twice");
  if constexpr (Is<First>::value) {
    return first;
  } else {
    return pick_option<Is>(fallback, rest...);
  }
}

/// One level from the options of one vmap or pmap.
template <auto Name, class In, class Out>
constexpr auto make_level(AxisName<Name>, const In& in, const Out& out, AxisSize size) {
  return Level<Name, In, Out>{in, out, size.value};
}

template <class... O>
constexpr auto level_of(const O&... options) {
  static_assert(
      (is_option<O> && ...),
      "kmap: not an option of a map; options are in_axes(…), out_axes(…), axis_name<\"…\">, "
      "axis_size(n), on(exec), over(comm), outputs(…) and elementwise");
  return make_level(pick_option<IsAxisName>(axis_name<"">, options...),
                    pick_option<IsInAxes>(in_axes(0), options...),
                    pick_option<IsOutAxes>(out_axes(0), options...),
                    pick_option<IsAxisSize>(AxisSize{-1}, options...));
}

}  // namespace detail

}  // namespace kmap
