#pragma once
// Draws without memory: what functions call.

#include "kmap/context.hpp"
#include "kmap/detail/distributions.hpp"
#include "kmap/detail/threefry.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <type_traits>

namespace kmap::random::detail {

using kmap::detail::Extents;

/// Where to draw: element `index` of an array.
struct At {
  std::uint64_t index;
};

/// Where to draw: all of a View.
template <class View>
struct Into {
  View view;
};

template <class A>
struct IsArrayPlace : std::false_type {};
template <int R>
struct IsArrayPlace<Extents<R>> : std::true_type {};
template <class View>
struct IsArrayPlace<Into<View>> : std::true_type {};

/// Arguments of a draw without memory.
template <class... A>
concept InFunction = ((!IsArrayPlace<A>::value && !Kokkos::is_view_v<A>) && ...);

template <class Distribution, class... P>
KOKKOS_FORCEINLINE_FUNCTION Distribution make(Key key, const P&... parameters) {
  static_assert(std::is_constructible_v<Distribution, Key, const P&...>,
                "kmap: the arguments behind the key and the place are not the parameters of this "
                "distribution");
  return Distribution(key, parameters...);
}

/// One draw, or a vec of them.
template <class Distribution, int... N, class... P>
KOKKOS_FORCEINLINE_FUNCTION auto draw(Key key, const P&... parameters) {
  const auto distribution = make<Distribution>(key, parameters...);
  if constexpr (sizeof...(N) == 0) {
    return distribution(Words{0, 0});
  } else {
    vec<typename Distribution::value_type, N...> result{};
    for (int i = 0; i < result.size; ++i) {
      result.values[i] = distribution(Words{0, static_cast<std::uint32_t>(i)});
    }
    return result;
  }
}
template <class Distribution, class... P>
KOKKOS_FORCEINLINE_FUNCTION auto draw(Key key, At place, const P&... parameters) {
  return make<Distribution>(key, parameters...)(words_of(place.index));
}
template <class Distribution, int... N, class Names, class Replay, class... A>
KOKKOS_FORCEINLINE_FUNCTION auto draw(const Context<Names, Replay>&, const A&... args) {
  return draw<Distribution, N...>(args...);
}

}  // namespace kmap::random::detail
