#pragma once
/// \file
/// pmap: maps a function over an axis that is distributed over MPI ranks, one device each.
///
/// ```cpp
/// auto X = scatter(runtime.comm(), x);
/// auto Y = pmap(Heavy{}, axis_name<"i">)(X);         // distributed like X
/// auto Z = pmap(vmap(f), in_axes(0, none))(X, w);    // w whole on every rank
/// auto S = pmap(f)(donate(X));                       // S may use the memory of X
/// ```
/// The mapped axis has any length N over any number of ranks: each maps its contiguous shard, and a
/// named axis has length N. Semantics are those of jax.pmap with N devices.

#include "kmap/detail/collective_arrays.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/dist_array.hpp"
#include "kmap/vmap.hpp"

#include <cstring>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap {

namespace detail {

/// The local form of an argument, as its type.
template <bool Distributed, bool Sliced, class A>
auto local_argument(const A& argument, [[maybe_unused]] int axis, [[maybe_unused]] Range shard) {
  if constexpr (Distributed) {
    return argument.local();
  } else if constexpr (Sliced) {
    return part_of(argument, axis, shard);
  } else {
    return argument;
  }
}

/// What pmap returns: a function of distributed arrays, replicated Views and scalars.
template <class Spec>
class PMapped {
 public:
  PMapped(Spec spec, const Communicator* comm) : spec_(std::move(spec)), comm_(comm) {}

  /// Maps; each argument is a DistArray (distributed along its mapped axis), a View that is the
  /// same on all ranks (mapped along any axis, or none), a scalar, `fixed(value)`, or a structure
  /// of these. Returns a DistArray, or with none in out_axes a View that is the same on all ranks;
  /// for several outputs these in the structure of what f returns. Collective over the communicator
  /// of the arrays.
  template <class... Args>
  auto operator()(const Args&... args) const {
    return with_leaves(
        spec_,
        [&]<class LeafSpec, class... Leaves>(const LeafSpec& spec, const Leaves&... leaves) {
          Donations<Leaves...> donations(PMapped<LeafSpec>::name_of, leaves...);
          return PMapped<LeafSpec>(spec, comm_)
              .map(std::index_sequence_for<Leaves...>{}, donations, array_of(leaves)...);
        },
        args...);
  }

 private:
  template <class Other>
  friend class PMapped;

  const auto& outer() const { return std::get<0>(spec_.levels); }
  using InEntries =
      std::remove_cvref_t<decltype(std::get<0>(std::declval<const Spec&>().levels).in.entries)>;
  using OutEntries =
      std::remove_cvref_t<decltype(std::get<0>(std::declval<const Spec&>().levels).out.entries)>;

  static constexpr const char* label = Labels<decltype(Spec::f)>::pmap.text;
  static constexpr NameOf name_of = &ArgumentNames<decltype(Spec::f)>::name;

  template <int I, class A>
  static constexpr bool is_sliced =
      !IsDistArray<A>::value && ViewArgument<A> && !entry_is_none<I, InEntries>;

  template <std::size_t... I, class Gifts, class... Args>
  auto map(std::index_sequence<I...>, Gifts& donations, const Args&... args) const {
    static_assert(
        ((!IsDistArray<Args>::value || !entry_is_none<static_cast<int>(I), InEntries>) && ...),
        "kmap: a distributed array is mapped along its distributed axis; to give it whole "
        "to every example, gather it first");
    const Region region(label);
    const Communicator& comm = communicator(args...);
    SmallList<SizeClaim, sizeof...(Args)> claims;
    (claim<static_cast<int>(I)>(args, claims), ...);
    const std::int64_t length = agree_on_size(claims, outer().size);
    const Range shard = shard_of(length, comm.size(), comm.rank());
    Spec local = spec_;
    auto& level = std::get<0>(local.levels);
    level.size = shard.size();
    level.offset = shard.begin;
    level.length = length;
    return place_and_map(
        comm, local, length, donations,
        local_argument<IsDistArray<Args>::value, is_sliced<static_cast<int>(I), Args>>(
            args, axis_of<static_cast<int>(I)>(args), shard)...);
  }

  // Axes of outputs are known for every leaf when the function's result is.
  template <class Gifts, class... Local>
  static auto place_and_map(const Communicator& comm, const Spec& spec, std::int64_t length,
                            Gifts& donations, const Local&... args) {
    using Result = OutputForm<MapCall<Spec, Local...>>;
    const auto& placed = with_flat_outputs<Result>(spec);
    const auto outputs = PMapped<std::remove_cvref_t<decltype(placed)>>::map_local(
        comm, placed, length, donations, args...);
    if constexpr (!is_structure<Result>) {
      return outputs;
    } else if constexpr (leaf_count<Result> == 1) {
      return rebuild<Result>(std::tie(outputs));
    } else {
      return rebuild<Result>(outputs);
    }
  }

  template <class... Args>
  const Communicator& communicator(const Args&... args) const {
    const Communicator* found = comm_;
    const auto look = [&](const auto& argument) {
      if constexpr (IsDistArray<std::remove_cvref_t<decltype(argument)>>::value) {
        if (found == nullptr) found = &argument.comm();
        if (found != &argument.comm()) {
          throw ShapeError("pmap got arrays that are distributed over different communicators");
        }
      }
    };
    (look(args), ...);
    if (found == nullptr) {
      throw ShapeError("pmap got no distributed array and no ranks to run on",
                       "scatter an argument, or give over(comm)");
    }
    return *found;
  }

  template <class A>
  static Shape global_shape(const A& argument) {
    if constexpr (IsDistArray<A>::value) {
      return argument.shape();
    } else {
      return shape_of(argument);
    }
  }

  /// The mapped axis of argument I, 0 if it has none.
  template <int I, class A>
  int axis_of(const A& argument) const {
    if constexpr (entry_is_none<I, InEntries> || (!IsDistArray<A>::value && !ViewArgument<A>)) {
      return 0;
    } else {
      return normalize_in_axis(entry<I>(outer().in.entries), I,
                               to_dimensions(global_shape(argument)), name_of);
    }
  }

  template <int I, class A, class Claims>
  void claim(const A& argument, Claims& claims) const {
    if constexpr (IsDistArray<A>::value || is_sliced<I, A>) {
      const Shape shape = global_shape(argument);
      const int axis = axis_of<I>(argument);
      if constexpr (IsDistArray<A>::value) {
        if (axis != argument.axis()) {
          throw ShapeError(name_of(I) + " of shape " + to_string(shape) +
                               " is distributed along axis " + std::to_string(argument.axis()) +
                               ", in_axes maps axis " + std::to_string(axis),
                           "map the distributed axis, or scatter the array along the other one");
        }
      }
      claims.push_back(
          {I, axis, shape[static_cast<std::size_t>(axis)], to_dimensions(shape), name_of});
    }
  }

  template <class LocalSpec, class Gifts, class... Local>
  static auto map_local(const Communicator& comm, const LocalSpec& spec, std::int64_t length,
                        Gifts& donations, const Local&... args) {
    using Call = MapCall<LocalSpec, Local...>;
    static_assert(Call::known_outputs > 0,
                  "kmap: the function returns nothing when it is called with the examples of these "
                  "arguments: check their number and ranks, and that a context is taken as `C& c`. "
                  "If the function writes into `out` views, their shapes must be given by "
                  "outputs(out_shape<T>(…)…)");
    Call call(spec, args...);
    call.find_extents(&comm, label);
    return run(comm, call, length, spec, donations,
               std::make_index_sequence<static_cast<std::size_t>(Call::known_outputs)>{});
  }

  template <class Call, class LocalSpec, class Gifts, std::size_t... K>
  static auto run(const Communicator& comm, const Call& call, std::int64_t length,
                  const LocalSpec& spec, Gifts& donations, std::index_sequence<K...>) {
    const auto results =
        std::tuple{make_result<static_cast<int>(K)>(comm, call, length, spec, donations)...};
    [[maybe_unused]] const auto held = donations.use_up();
    constexpr bool replicates = (entry_is_none<static_cast<int>(K), OutEntries> || ...);
    call.run_over(comm, label, local_view(std::get<K>(results))...);
    if constexpr (replicates) call.exec().fence(label);
    (replicate<static_cast<int>(K)>(comm, std::get<K>(results), call.space().count() > 0), ...);
    if constexpr (sizeof...(K) == 1) {
      return std::get<0>(results);
    } else {
      return results;
    }
  }

  template <int K, class Call, class LocalSpec, class Gifts>
  static auto make_result(const Communicator& comm, const Call& call, std::int64_t length,
                          const LocalSpec& spec, [[maybe_unused]] Gifts& donations) {
    using Cell = typename Call::template Cell<K>;
    using Space = typename Call::ExecSpace::memory_space;
    constexpr int rank = Call::template out_rank<K>;
    Shape shape = call.template out_shape<K>();
    if constexpr (entry_is_none<K, OutEntries>) {
      using View = Kokkos::View<typename DataType<typename Cell::value_type, rank>::type,
                                Kokkos::LayoutRight, Space>;
      return make_view<View>("kmap:output", shape);
    } else {
      const int axis = normalize_out_axis(entry<K>(std::get<0>(spec.levels).out.entries), K, rank);
      shape[static_cast<std::size_t>(axis)] = length;
      using Result = DistArray<typename Cell::value_type, rank, Space>;
      const auto taken = donations.template take<K, typename Result::local_type>(call, spec);
      return taken ? Result(comm, shape, axis, *taken) : Result(comm, shape, axis);
    }
  }

  template <class R>
  static auto local_view(const R& result) {
    if constexpr (IsDistArray<R>::value) {
      return result.local();
    } else {
      return result;
    }
  }

  // Rank 0 has an example whenever any rank has one; its value goes to all and is compared.
  template <int K, class R>
  static void replicate(const Communicator& comm, const R& result, bool has_value) {
    if constexpr (!IsDistArray<R>::value) {
      const auto mine = to_host(result);
      const auto wanted = to_host(result);
      const std::size_t bytes = mine.size() * sizeof(typename R::value_type);
      comm.broadcast(wanted.data(), bytes);
      agreed(comm, [&] {
        if (comm.is_root() && !has_value) {
          throw ShapeError("out_axes is none for output " + std::to_string(K) +
                           ", but there is no example to take it from");
        }
        if (has_value && std::memcmp(mine.data(), wanted.data(), bytes) != 0) {
          throw ShapeError(
              "out_axes is none for output " + std::to_string(K) + ", but it differs between ranks",
              "give that output an axis in out_axes");
        }
      });
      Kokkos::deep_copy(result, wanted);
    }
  }

  Spec spec_;
  const Communicator* comm_;
};

}  // namespace detail

/// Maps f over a distributed axis. `f` is a functor or the result of vmap. Options as for vmap, and
/// over(comm), the ranks to run on where no argument is a DistArray (some of them:
/// Communicator::select). Every rank of the communicator calls the result with equal options and
/// shapes.
template <class F, class... Options>
auto pmap(const F& f, const Options&... options) {
  detail::check_function<F>();
  const auto ranks = detail::pick_option<detail::IsOver>(Over{nullptr}, options...);
  return detail::PMapped(detail::add_level(f, options...), ranks.comm);
}

}  // namespace kmap
