#pragma once
// Maps as Kokkos policies: the loops that vmap, pmap and the driver's kernels share.

#include "kmap/detail/call.hpp"
#include "kmap/detail/first_exception.hpp"
#include "kmap/detail/host_loop.hpp"
#include "kmap/detail/inside_map.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/pass.hpp"
#include "kmap/detail/ticks.hpp"
#include "kmap/detail/views.hpp"
#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

namespace kmap::detail {

template <class Exec>
inline constexpr bool is_host = std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>;

/// Everything that one example needs, as a functor that can go to a device.
template <class F, class Names, class Ins, class Outs, class Pass = FinalPass,
          int Levels = max_levels>
struct ExampleBody;

template <class F, class Names, class... In, class... Out, class Pass, int Levels>
struct ExampleBody<F, Names, std::tuple<In...>, std::tuple<Out...>, Pass, Levels> {
  using ContextType = Context<Names, typename Pass::Replay>;
  using AxisNames = Names;
  template <class... Prefix>
  using CallOf = Call<F, ContextType, TypeList<Prefix...>, TypeList<typename In::example_type...>,
                      TypeList<typename Out::example_type...>>;
  static constexpr int inputs = sizeof...(In);
  static constexpr int outputs = sizeof...(Out);
  using InSequence = std::make_index_sequence<sizeof...(In)>;
  using OutSequence = std::make_index_sequence<sizeof...(Out)>;

  using Index = Extents<Levels>;

  F f;
  SpaceOf<Levels> space;
  std::tuple<In...> ins;
  std::tuple<Out...> outs;
  Pass pass = {};

  /// The same work in a run for another purpose.
  template <class Other>
  ExampleBody<F, Names, std::tuple<In...>, std::tuple<Out...>, Other, Levels> with(
      const Other& other) const {
    return {f, space, ins, outs, other};
  }

  /// Per operand: where an example begins.
  struct Offsets {
    Extents<inputs> in;
    Extents<outputs> out;
  };

  /// `length` examples of it along the axis `level`, from these offsets on, as a map of that axis
  /// alone. For functions without a context.
  KOKKOS_FUNCTION auto line(const Offsets& offsets, int level, std::int64_t length) const {
    return line_at(offsets, level, length, InSequence{}, OutSequence{});
  }

  KOKKOS_FUNCTION void move(Offsets& offsets, int level, std::int64_t steps) const {
    move_all(offsets, level, steps, InSequence{}, OutSequence{});
  }

  /// Offsets and index of example i of the flattened space.
  KOKKOS_FUNCTION void locate(std::int64_t i, Offsets& offsets, Index& index) const {
    for (int level = space.levels - 1; level > 0; --level) {
      const std::int64_t quotient = i / space.extents[level];
      index[level] = i - quotient * space.extents[level];
      i = quotient;
      move(offsets, level, index[level]);
    }
    if (space.levels > 0) {
      index[0] = i;
      move(offsets, 0, i);
    }
  }

  KOKKOS_FUNCTION ContextType context_at(const Index& index) const {
    return ContextType(space, index, pass.replay(space, index));
  }

  /// Calls f for the example at these offsets and stores what it returns.
  template <class... Prefix>
  KOKKOS_FORCEINLINE_FUNCTION void call(const Offsets& offsets, const Index& index,
                                        const Prefix&... prefix) const {
    call_at<true>(offsets, index, InSequence{}, OutSequence{}, prefix...);
  }

  /// As call, but the results are stored by one member of the team.
  template <class Team>
  KOKKOS_FUNCTION void call_team(const Offsets& offsets, const Index& index,
                                 const Team& team) const {
    call_at<false>(offsets, index, InSequence{}, OutSequence{}, team);
  }

 private:
  template <std::size_t... I, std::size_t... O>
  KOKKOS_FUNCTION auto line_at(const Offsets& offsets, int level, std::int64_t length,
                               std::index_sequence<I...>, std::index_sequence<O...>) const {
    using Line = ExampleBody<F, Names, std::tuple<decltype(line_of(std::declval<In>(), 0, 0))...>,
                             std::tuple<decltype(line_of(std::declval<Out>(), 0, 0))...>, Pass, 1>;
    return Line{f,
                {1, {{length}}, {}, {}, {}},
                {line_of(std::get<I>(ins), offsets.in[static_cast<int>(I)], level)...},
                {line_of(std::get<O>(outs), offsets.out[static_cast<int>(O)], level)...},
                pass};
  }

  template <std::size_t... I, std::size_t... O>
  KOKKOS_FUNCTION void move_all(Offsets& offsets, int level, std::int64_t steps,
                                std::index_sequence<I...>, std::index_sequence<O...>) const {
    ((offsets.in[static_cast<int>(I)] += std::get<I>(ins).batch[level] * steps), ...);
    ((offsets.out[static_cast<int>(O)] += std::get<O>(outs).batch[level] * steps), ...);
  }

  template <bool EachStores, std::size_t... I, std::size_t... O, class... Prefix>
  KOKKOS_FORCEINLINE_FUNCTION void call_at(const Offsets& offsets,
                                           [[maybe_unused]] const Index& index,
                                           std::index_sequence<I...>, std::index_sequence<O...> all,
                                           const Prefix&... prefix) const {
    constexpr Form form = CallOf<const Prefix&...>::form;
    static_assert(form != Form::none,
                  "kmap: the function cannot be called with the examples of these arguments; check "
                  "the number of arguments, the rank that each example has after in_axes, and the "
                  "element types");
    if constexpr (form == Form::returns) {
      finish<EachStores>(f(prefix..., std::get<I>(ins).at(offsets.in[static_cast<int>(I)])...),
                         true, offsets, all, prefix...);
    } else if constexpr (form == Form::returns_context) {
      ContextType context = context_at(index);
      const auto call = [&] {
        const auto result =
            f(context, prefix..., std::get<I>(ins).at(offsets.in[static_cast<int>(I)])...);
        finish<EachStores>(result, pass.finish(context.replay, space, index), offsets, all,
                           prefix...);
      };
      run_with(context, call);
    } else if constexpr (form == Form::writes) {
      f(prefix..., std::get<I>(ins).at(offsets.in[static_cast<int>(I)])...,
        std::get<O>(outs).at(offsets.out[static_cast<int>(O)])...);
    } else {
      ContextType context = context_at(index);
      const auto call = [&] {
        f(context, prefix..., std::get<I>(ins).at(offsets.in[static_cast<int>(I)])...,
          std::get<O>(outs).at(offsets.out[static_cast<int>(O)])...);
        pass.finish(context.replay, space, index);
      };
      run_with(context, call);
    }
  }

  /// What a function throws on a host while it goes on with stand-ins means nothing: it may not
  /// throw with the results.
  template <class Work>
  KOKKOS_FORCEINLINE_FUNCTION void run_with([[maybe_unused]] const ContextType& context,
                                            const Work& work) const {
    if constexpr (Pass::records) {
      KOKKOS_IF_ON_HOST((
          try { work(); } catch (...) {
            if (!context.replay.stands_in()) throw;
          }))
      KOKKOS_IF_ON_DEVICE((work();))
    } else {
      work();
    }
  }

  /// What becomes of a result; `ended` if f came to its end with all collectives known.
  template <bool EachStores, class R, std::size_t... O, class... Prefix>
  KOKKOS_FORCEINLINE_FUNCTION void finish(const R& result, [[maybe_unused]] bool ended,
                                          const Offsets& offsets, std::index_sequence<O...> all,
                                          const Prefix&... prefix) const {
    if constexpr (Pass::stores) {
      if (ended) keep<EachStores>(result, offsets, all, prefix...);
    } else if constexpr (Pass::notes_extents) {
      if (ended) {
        note_all_extents(result, *pass.extents, std::make_index_sequence<leaf_count<R>>{});
      }
    }
  }

  template <class R>
  struct StoreOnce {
    const ExampleBody& body;
    const R& result;
    const Offsets& offsets;
    KOKKOS_FUNCTION void operator()() const {
      store_results(result, body.outs, offsets.out, OutSequence{});
    }
  };

  template <bool EachStores, class R, std::size_t... O, class... Prefix>
  KOKKOS_FORCEINLINE_FUNCTION void keep(const R& result, const Offsets& offsets,
                                        std::index_sequence<O...> all,
                                        [[maybe_unused]] const Prefix&... prefix) const {
    if constexpr (EachStores) {
      store_results(result, outs, offsets.out, all);
    } else {
      (Kokkos::single(Kokkos::PerTeam(prefix), StoreOnce<R>{*this, result, offsets}), ...);
    }
  }
};

/// One example per iteration, for devices, or one alone.
template <class Body>
struct DeviceLoop {
  Body body;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const {
    typename Body::Offsets offsets{};
    typename Body::Index index{};
    body.locate(i, offsets, index);
    body.call(offsets, index);
  }
};

/// Order of the axes in memory and fewer of them: sorts by the stride of the first output and joins
/// neighbours that are one line in every operand. Only where f does not see its index.
template <class Body>
void simplify(Body& body) {
  auto& space = body.space;
  const auto each = [&](const auto& action) {
    std::apply([&](auto&... operand) { (action(operand.batch), ...); }, body.ins);
    std::apply([&](auto&... operand) { (action(operand.batch), ...); }, body.outs);
  };
  const auto swap_levels = [&](int a, int b) {
    std::swap(space.extents[a], space.extents[b]);
    each([&](auto& batch) { std::swap(batch[a], batch[b]); });
  };
  if constexpr (Body::outputs > 0) {
    const auto& key = std::get<0>(body.outs).batch;
    for (int a = 0; a < space.levels; ++a) {
      for (int b = space.levels - 1; b > a; --b) {
        if (std::abs(key[b - 1]) < std::abs(key[b])) swap_levels(b - 1, b);
      }
    }
  }
  int kept = 0;
  for (int level = 1; level < space.levels; ++level) {
    bool joined = true;
    each([&](auto& batch) {
      joined = joined && batch[kept] == batch[level] * space.extents[level];
    });
    if (joined) {
      space.extents[kept] *= space.extents[level];
    } else {
      ++kept;
      space.extents[kept] = space.extents[level];
    }
    each([&](auto& batch) { batch[kept] = batch[level]; });
  }
  space.levels = std::min(space.levels, kept + 1);
}

/// Runs cheap work at once: a parallel region costs microseconds, many batches need less. Goes on
/// alone from example `first` as long as all of it may be done at about that cost; returns the
/// first one not done.
template <class Loop>
std::int64_t run_inline(const Loop& loop, std::int64_t first, std::int64_t end) {
  constexpr std::int64_t patience = 4 * ticks_per_microsecond;
  // A pace is known after that many examples in a row.
  constexpr std::int64_t sample = 64;
  const std::int64_t start = ticks();
  std::int64_t before = start;
  std::int64_t done = first;
  std::int64_t piece = 1;
  while (true) {
    const std::int64_t next = std::min(end, done + piece);
    const std::int64_t ran = next - done;
    loop.run(done, next);
    done = next;
    if (done == end) break;
    const std::int64_t now = ticks();
    const std::int64_t took = std::max<std::int64_t>(now - before, 1);
    const std::int64_t left = patience - (now - start);
    // Examples that the rest of the patience is enough for, at the pace of this piece.
    const std::int64_t affordable = ran * left / took;
    if (left < 0 || (ran >= sample && end - done > 2 * affordable)) break;
    piece = std::clamp<std::int64_t>(affordable, sample, 16 * ran + sample);
    before = now;
  }
  return done;
}

/// The rest of a loop by all threads.
template <class Exec, class Loop>
void run_parallel(const Exec& exec, const char* label, const Loop& loop, Range examples) {
  const auto [first, end] = examples;
  const std::int64_t threads = exec.concurrency();
  if (threads == 1) {
    loop.run(first, end);
    return;
  }
  // Whole cache lines per thread, so that no two threads write to one.
  const std::int64_t share = (end - first + threads - 1) / threads;
  const std::int64_t chunk = share > 4096 ? (share + 63) / 64 * 64 : share;
  const std::int64_t chunks = (end - first + chunk - 1) / chunk;
  Kokkos::parallel_for(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Static>, Kokkos::IndexType<std::int64_t>>(
          exec, 0, chunks),
      HostChunks<Loop>{loop, first, end, chunk});
}

/// All examples on a host. `make_exec` is called only if threads are to help.
template <class Exec, class MakeExec, class Body>
void launch_inline(const MakeExec& make_exec, const char* label, Body body, Range examples) {
  constexpr Form form = Body::template CallOf<>::form;
  if constexpr (!takes_context(form)) simplify(body);
  const auto [first, end] = examples;
  if (first >= end) return;
  FirstException exception;
  const HostLoop<Body> loop(body, &exception);
  const std::int64_t done = run_inline(loop, first, end);
  if (done < end) run_parallel(make_exec(), label, loop, {done, end});
  exception.rethrow();
}

/// Functions without a context get all examples: these may be taken in another order.
template <class Exec, class Body>
void launch_examples(const Exec& exec, const char* label, Body body, Range examples) {
  if constexpr (is_host<Exec>) {
    launch_inline<Exec>([&] { return exec; }, label, std::move(body), examples);
  } else {
    constexpr Form form = Body::template CallOf<>::form;
    if constexpr (!takes_context(form)) simplify(body);
    const auto [first, end] = examples;
    if (first >= end) return;
    Kokkos::parallel_for(
        label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, first, end),
        DeviceLoop<Body>{std::move(body)});
  }
}

/// True for maps that begin on the thread that calls: an execution space comes in later, if at all.
template <class Exec, class Body>
constexpr bool begins_inline() {
  using Kind = map_kind_of<std::remove_cvref_t<decltype(std::declval<Body>().f)>>;
  return is_host<Exec> && std::is_same_v<Kind, per_example>;
}

template <class Exec, class Body>
struct TeamLoop {
  Body body;
  std::int64_t first;
  KOKKOS_FUNCTION void operator()(
      const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    typename Body::Offsets offsets{};
    typename Body::Index index{};
    body.locate(first + team.league_rank(), offsets, index);
    body.call_team(offsets, index, team);
  }
};

/// The same on a host, where functions may throw.
template <class Exec, class Body>
struct HostTeamLoop {
  TeamLoop<Exec, Body> loop;
  FirstException* exception;
  void operator()(const typename Kokkos::TeamPolicy<Exec>::member_type& team) const {
    const InsideMap inside;
    exception->guard(loop.first + team.league_rank(), [&] { loop(team); });
  }
};

/// An example of which only the shape may be looked at: nothing is behind it on the host.
template <class In>
auto shape_only(const In& in) {
  if constexpr (In::rank == 0) {
    return typename In::value_type{};
  } else {
    using E = typename In::example_type;
    return E(nullptr, in.extents, in.strides);
  }
}

/// Scratch memory that one team of F needs: F::scratch_bytes(examples…) looks at their shapes.
template <class F, class... In>
std::size_t scratch_bytes(const F& f, const std::tuple<In...>& ins) {
  if constexpr (requires { f.scratch_bytes(shape_only(std::declval<const In&>())...); }) {
    return std::apply([&](const auto&... in) { return f.scratch_bytes(shape_only(in)...); }, ins);
  } else {
    return 0;
  }
}

/// The level of Kokkos' scratch memory that F uses: 1 (any size) unless F::scratch_level says 0.
template <class F>
constexpr int scratch_level() {
  if constexpr (requires { F::scratch_level; }) {
    return F::scratch_level;
  } else {
    return 1;
  }
}

/// Teams for the examples [begin, end).
template <class Exec, class Body>
void launch_teams(const Exec& exec, const char* label, const Body& body, std::int64_t begin,
                  std::int64_t end) {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  static_assert(Body::template CallOf<const Member&>::form != Form::none,
                "kmap: a per_team function is called as f(team, examples…) or f(context, team, "
                "examples…)");
  const std::size_t scratch = scratch_bytes(body.f, body.ins);
  if (scratch > static_cast<std::size_t>(std::numeric_limits<int>::max())) {
    throw Error(ExitCode::bad_data,
                std::string(label) + ": one team wants " + std::to_string(scratch) +
                    " bytes of scratch memory, and Kokkos gives less than 2 GiB",
                "map smaller examples");
  }
  constexpr int level = scratch_level<decltype(body.f)>();
  // League ranks are ints.
  constexpr std::int64_t most = std::int64_t{1} << 30;
  for (std::int64_t first = begin; first < end; first += most) {
    const auto teams = static_cast<int>(std::min(most, end - first));
    Kokkos::TeamPolicy<Exec> policy(exec, teams, Kokkos::AUTO);
    if (scratch > 0) policy.set_scratch_size(level, Kokkos::PerTeam(static_cast<int>(scratch)));
    const TeamLoop<Exec, Body> loop{body, first};
    if constexpr (is_host<Exec>) {
      FirstException exception;
      Kokkos::parallel_for(label, policy, HostTeamLoop<Exec, Body>{loop, &exception});
      exception.rethrow();
    } else {
      Kokkos::parallel_for(label, policy, loop);
    }
  }
}

/// A batched view for a per_block function: the mapped axes that the operand has, then its own.
template <class Exec, int Levels, class T, int Rank, bool Mapped, int Held>
auto block_view(const Operand<T, Rank, Mapped, Held>& operand, const SpaceOf<Held>& space) {
  constexpr int rank = (Mapped ? Levels : 0) + Rank;
  Kokkos::LayoutStride layout;
  int d = 0;
  for (int l = 0; Mapped && l < Levels; ++l, ++d) {
    layout.dimension[d] = static_cast<std::size_t>(space.extents[l]);
    layout.stride[d] = static_cast<std::size_t>(operand.batch[l]);
  }
  for (int c = 0; c < Rank; ++c, ++d) {
    layout.dimension[d] = static_cast<std::size_t>(operand.extents[c]);
    layout.stride[d] = static_cast<std::size_t>(operand.strides[c]);
  }
  using Data = typename DataType<T, rank>::type;
  return Kokkos::View<Data, Kokkos::LayoutStride, typename Exec::memory_space,
                      Kokkos::MemoryTraits<Kokkos::Unmanaged>>(operand.data, layout);
}

template <class Exec, int Levels, class Body>
void launch_block(const Exec& exec, const Body& body) {
  const auto call = [&](const auto&... operand) {
    static_assert(
        std::is_invocable_v<decltype(body.f), const Exec&,
                            decltype(block_view<Exec, Levels>(operand, body.space))...>,
        "kmap: a per_block function is called as f(exec, batched inputs…, batched outputs…), views "
        "with the mapped axes first");
    body.f(exec, block_view<Exec, Levels>(operand, body.space)...);
  };
  std::apply(call, std::tuple_cat(body.ins, body.outs));
}

/// True if the function of `Body` wants a context, and so may call collectives.
template <class Exec, class Body>
constexpr bool body_takes_context() {
  using Kind = map_kind_of<std::remove_cvref_t<decltype(std::declval<Body>().f)>>;
  if constexpr (std::is_same_v<Kind, per_block>) {
    return false;
  } else if constexpr (std::is_same_v<Kind, per_team>) {
    using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
    return takes_context(Body::template CallOf<const Member&>::form);
  } else {
    return takes_context(Body::template CallOf<>::form);
  }
}

/// True if running `Body` cannot throw: on a device, or with a function that is noexcept.
template <class Exec, class Body>
constexpr bool runs_without_throwing() {
  using Kind = map_kind_of<std::remove_cvref_t<decltype(std::declval<Body>().f)>>;
  if constexpr (!is_host<Exec>) {
    return true;
  } else if constexpr (std::is_same_v<Kind, per_example>) {
    return Body::template CallOf<>::is_noexcept;
  } else {
    return false;
  }
}

/// Runs the map of `body` by the policy that suits its kind of function, for some of its examples,
/// which only functions with a context may be given. Asynchronous on devices. What a function
/// throws on a host comes out of here.
template <class Exec, int Levels, class Body>
void launch(const Exec& exec, const char* label, const Body& body, Range examples) {
  using Kind = map_kind_of<std::remove_cvref_t<decltype(body.f)>>;
  if constexpr (std::is_same_v<Kind, per_team>) {
    launch_teams(exec, label, body, examples.begin, examples.end);
  } else if constexpr (std::is_same_v<Kind, per_block>) {
    if (body.space.count() > 0) launch_block<Exec, Levels>(exec, body);
  } else {
    static_assert(std::is_same_v<Kind, per_example>,
                  "kmap: map_kind is per_example, per_team or per_block");
    launch_examples(exec, label, body, examples);
  }
}

/// For all of them.
template <class Exec, int Levels, class Body>
void launch(const Exec& exec, const char* label, const Body& body) {
  launch<Exec, Levels>(exec, label, body, {0, body.space.count()});
}

/// Runs one example alone.
template <class Exec, class Body>
void launch_one(const Exec& exec, const char* label, const Body& body, std::int64_t example) {
  using Kind = map_kind_of<std::remove_cvref_t<decltype(body.f)>>;
  if constexpr (std::is_same_v<Kind, per_team>) {
    launch_teams(exec, label, body, example, example + 1);
  } else if constexpr (is_host<Exec>) {
    const InsideMap inside;
    DeviceLoop<Body>{body}(example);
  } else {
    Kokkos::parallel_for(
        label,
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, example, example + 1),
        DeviceLoop<Body>{body});
  }
}

}  // namespace kmap::detail
