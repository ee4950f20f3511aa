#pragma once
// Calling a function with packs of examples, and storing what it returns example by example.

#include "kmap/detail/call.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/example.hpp"
#include "kmap/pack.hpp"

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

/// Registers of a pack that F asks for, 0 if it does not.
template <class F>
constexpr int pack_registers_of() {
  if constexpr (requires { F::pack_registers; }) {
    static_assert(F::pack_registers >= 1 && F::pack_registers <= 16,
                  "kmap: pack_registers is a number from 1 to 16");
    return F::pack_registers;
  } else {
    return 0;
  }
}

#if KMAP_DETAIL_PACKS

/// Lanes of the packs of a body: so many that its first floating-point input fills the registers.
template <class Body>
class PackLanes {
  template <class... In>
  static constexpr int element_bytes(const std::tuple<In...>*) {
    int bytes = 8;
    bool found = false;
    ((std::is_floating_point_v<typename In::value_type> && !found
          ? (found = true, bytes = static_cast<int>(sizeof(typename In::value_type)))
          : 0),
     ...);
    return bytes;
  }

 public:
  static constexpr int value = pack_registers_of<decltype(Body::f)>() * register_bytes /
                               element_bytes(static_cast<const decltype(Body::ins)*>(nullptr));
};

/// Value of one lane of what f returned.
template <class T, int N>
T lane_of(const Pack<T, N>& x, int lane) {
  return x[lane];
}
template <class T, int Lanes, int... N>
vec<T, N...> lane_of(const vec<Pack<T, Lanes>, N...>& x, int lane) {
  vec<T, N...> y;
  for (int i = 0; i < vec<T, N...>::size; ++i) y.values[i] = x.values[i][lane];
  return y;
}
template <class... R>
auto lane_of(const std::tuple<R...>& x, int lane) {
  return std::apply([&](const auto&... r) { return std::tuple(lane_of(r, lane)...); }, x);
}

/// What f gets of one operand: `step` lies between the examples, of which `valid` are there.
template <int N, class T, int Rank, bool Mapped, int Levels>
auto packed(const Operand<const T, Rank, Mapped, Levels>& in, std::int64_t offset,
            std::int64_t step, int valid) {
  const Example<const Pack<T, N>, Rank> example(in.data + offset, in.extents, in.strides,
                                                Mapped ? step : 0, valid);
  if constexpr (Rank == 0) {
    return example();
  } else {
    return example;
  }
}
template <int N, class T, int Levels>
auto packed(const Constant<T, Levels>& in, std::int64_t, std::int64_t, int) {
  return Pack<T, N>(in.value);
}

/// Examples along one axis by packs.
template <class Body>
class PackLoop {
  static constexpr int lanes = PackLanes<Body>::value;

 public:
  /// True if f of `Body` is to be called so.
  static constexpr bool wanted =
      pack_registers_of<decltype(Body::f)>() > 0 && Body::template CallOf<>::form == Form::returns;

  /// `length` examples from `at` on along the level `last`.
  static void run(const Body& body, const typename Body::Offsets& at, int last,
                  std::int64_t length) {
    typename Body::Offsets place = at;
    for (std::int64_t j = 0; j < length; j += lanes) {
      const std::int64_t rest = length - j;
      call(body, place, last, rest < lanes ? static_cast<int>(rest) : lanes,
           typename Body::InSequence{});
      body.move(place, last, lanes);
    }
  }

 private:
  template <std::size_t... I>
  static void call(const Body& body, const typename Body::Offsets& place, int last, int valid,
                   std::index_sequence<I...>) {
    const auto result = body.f(packed<lanes>(std::get<I>(body.ins), place.in[static_cast<int>(I)],
                                             std::get<I>(body.ins).batch[last], valid)...);
    typename Body::Offsets to = place;
    for (int lane = 0; lane < valid; ++lane) {
      store_results(lane_of(result, lane), body.outs, to.out, typename Body::OutSequence{});
      body.move(to, last, 1);
    }
  }
};

#else

template <class Body>
class PackLoop {
 public:
  static constexpr bool wanted = false;
};

#endif

}  // namespace kmap::detail
