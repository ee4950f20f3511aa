#pragma once
// One call of a mapped function: arguments bound to axes, outputs shaped, the map run.

#include "kmap/axes.hpp"
#include "kmap/context.hpp"
#include "kmap/detail/bind.hpp"
#include "kmap/detail/call.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/launch.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/uniform_output.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::detail {

template <class A>
concept ViewArgument = Kokkos::is_view_v<A>;

template <class A>
constexpr int rank_of_argument() {
  if constexpr (ViewArgument<A>) {
    return static_cast<int>(A::rank());
  } else {
    return 0;
  }
}

template <class A>
struct ElementOf {
  using type = A;
};
template <ViewArgument A>
struct ElementOf<A> {
  using type = typename A::non_const_value_type;
};

/// The execution space of the first view among the arguments, or Kokkos' default.
template <class... A>
struct ExecutionOf {
  using type = Kokkos::DefaultExecutionSpace;
};
template <class A, class... Rest>
struct ExecutionOf<A, Rest...> {
  using type = typename ExecutionOf<Rest...>::type;
};
template <ViewArgument A, class... Rest>
struct ExecutionOf<A, Rest...> {
  using type = typename A::execution_space;
};

/// The execution space of a map: that given by `on`, or the arguments' own.
template <class Option, class... A>
struct SpaceFor : ExecutionOf<A...> {};
template <class E, class... A>
struct SpaceFor<On<E>, A...> {
  using type = E;
};

/// Layout of fresh outputs: that of the first view argument, row-major if it is strided.
template <class... A>
struct LayoutOf {
  using type = Kokkos::LayoutRight;
};
template <class A, class... Rest>
struct LayoutOf<A, Rest...> {
  using type = typename LayoutOf<Rest...>::type;
};
template <ViewArgument A, class... Rest>
struct LayoutOf<A, Rest...> {
  using type = std::conditional_t<std::is_same_v<typename A::array_layout, Kokkos::LayoutLeft>,
                                  Kokkos::LayoutLeft, Kokkos::LayoutRight>;
};

/// The element type and rank of one output of one example.
template <class T, int Rank>
struct OutCell {
  using value_type = T;
  static constexpr int rank = Rank;
};

template <class... R>
auto cells_of_results(TypeList<R...>) {
  return TypeList<OutCell<typename ResultCell<R>::value_type, ResultCell<R>::rank>...>{};
}
template <class... T, int... R>
auto cells_of_shapes(std::type_identity<Outputs<OutShape<T, R>...>>) {
  return TypeList<OutCell<T, R>...>{};
}

template <int I, class List>
struct ListElement;
template <int I, class First, class... Rest>
struct ListElement<I, TypeList<First, Rest...>> : ListElement<I - 1, TypeList<Rest...>> {};
template <class First, class... Rest>
struct ListElement<0, TypeList<First, Rest...>> {
  using type = First;
};

/// f with the levels of its maps, outermost first, and the options that hold for all of them.
template <class F, class Exec, class OutSpec, bool IsElementwise, class... L>
struct MapSpec {
  F f;
  Exec exec;        // On<E> or None
  OutSpec outputs;  // Outputs<…> or None
  std::tuple<L...> levels;
};

template <class Spec, class... Args>
class MapCall;

/// Binds the arguments on construction; then shapes of outputs can be asked for and the map be run.
template <class F, class ExecOption, class OutSpec, bool IsElementwise, class... L, class... Args>
class MapCall<MapSpec<F, ExecOption, OutSpec, IsElementwise, L...>, Args...> {
  using Spec = MapSpec<F, ExecOption, OutSpec, IsElementwise, L...>;
  static constexpr int explicit_levels = sizeof...(L);
  static constexpr int arguments = sizeof...(Args);
  using ArgSequence = std::make_index_sequence<sizeof...(Args)>;
  using LevelSequence = std::make_index_sequence<sizeof...(L)>;

  static constexpr NameOf name_of = &ArgumentNames<F>::name;
  template <int I>
  using Arg = std::tuple_element_t<static_cast<std::size_t>(I), std::tuple<Args...>>;

  template <int I>
  static constexpr int times_mapped =
      mapped_count<I>(std::type_identity<std::tuple<decltype(L{}.in.entries)...>>{});
  template <int I>
  static constexpr int core_rank = rank_of_argument<Arg<I>>() - times_mapped<I>;

  template <int I>
  static constexpr bool check_argument() {
    static_assert(ViewArgument<Arg<I>> || Element<Arg<I>>,
                  "kmap: an argument is a Kokkos::View of bool, numbers or Kokkos::complex, or one "
                  "such value");
    static_assert(ViewArgument<Arg<I>> || times_mapped<I> == 0,
                  "kmap: a scalar argument has no axis to map; pass none for it in in_axes");
    static_assert(core_rank<I> >= 0,
                  "kmap: an argument has fewer dimensions than in_axes maps; pass none for the "
                  "levels at which it is not mapped");
    return true;
  }

  // ---- Does f see scalars, with the remaining dimensions mapped as well?
  template <int I, int Rank>
  using ExampleAt = typename Operand<const typename ElementOf<Arg<I>>::type, Rank>::example_type;

  template <class Names, class Prefix, bool Scalars, std::size_t... I>
  static auto call_type(std::index_sequence<I...>) {
    return std::type_identity<Call<
        F, Context<Names>, Prefix,
        TypeList<ExampleAt<static_cast<int>(I), Scalars ? 0 : core_rank<static_cast<int>(I)>>...>,
        TypeList<>>>{};
  }

  template <std::size_t... I>
  static constexpr int largest_core_rank(std::index_sequence<I...>) {
    return std::max({0, core_rank<static_cast<int>(I)>...});
  }
  static constexpr int most_core = largest_core_rank(ArgSequence{});

  using Kind = map_kind_of<F>;
  using GivenNames = NameList<CharsOf<L::name>...>;

  static constexpr bool scalars_only = [] {
    if constexpr (IsElementwise) return true;
    if constexpr (!std::is_same_v<Kind, per_example> || most_core == 0 ||
                  !std::is_same_v<OutSpec, None>) {
      return false;
    } else {
      using Whole =
          typename decltype(call_type<GivenNames, TypeList<>, false>(ArgSequence{}))::type;
      using Single =
          typename decltype(call_type<GivenNames, TypeList<>, true>(ArgSequence{}))::type;
      if constexpr (Whole::form != Form::none) {
        return false;
      } else {
        return Single::form != Form::none;
      }
    }
  }();

  template <class Sequence>
  struct WithUnnamed;
  template <std::size_t... E>
  struct WithUnnamed<std::index_sequence<E...>> {
    template <std::size_t>
    struct Unnamed {
      using type = Chars<>;
    };
    using type = NameList<CharsOf<L::name>..., typename Unnamed<E>::type...>;
  };

 public:
  static constexpr int implicit_levels = scalars_only ? most_core : 0;
  static constexpr int levels = explicit_levels + implicit_levels;
  static_assert(levels <= max_levels, "kmap: more mapped axes than a map can have (8)");

  using Names = typename WithUnnamed<std::make_index_sequence<implicit_levels>>::type;
  using ExecSpace = typename SpaceFor<ExecOption, Args...>::type;
  using Layout = typename LayoutOf<Args...>::type;

 private:
  template <int I>
  static constexpr int example_rank = scalars_only ? 0 : core_rank<I>;

  template <int I>
  static constexpr bool is_mapped = times_mapped<I> > 0 || (scalars_only && core_rank<I> > 0);

  static auto prefix_type() {
    if constexpr (std::is_same_v<Kind, per_team>) {
      return TypeList<const typename Kokkos::TeamPolicy<ExecSpace>::member_type&>{};
    } else {
      return TypeList<>{};
    }
  }
  using Returning = typename decltype(call_type<Names, decltype(prefix_type()), scalars_only>(
      ArgSequence{}))::type;

  // A context carries every axis that a map may have; other functions see none.
  static constexpr int held_levels =
      Returning::form == Form::returns ? std::max(1, levels) : max_levels;

  template <int I>
  static auto operand_type() {
    using T = typename ElementOf<Arg<I>>::type;
    if constexpr (ViewArgument<Arg<I>>) {
      return std::type_identity<Operand<const T, example_rank<I>, is_mapped<I>, held_levels>>{};
    } else {
      return std::type_identity<Constant<T, held_levels>>{};
    }
  }
  template <int I>
  using OperandOf = typename decltype(operand_type<I>())::type;

  template <std::size_t... I>
  static auto operands_type(std::index_sequence<I...>) {
    return std::type_identity<std::tuple<OperandOf<static_cast<int>(I)>...>>{};
  }
  using Operands = typename decltype(operands_type(ArgSequence{}))::type;

 public:
  /// True if f returns its outputs; otherwise it writes into `out` views.
  static constexpr bool returns =
      !std::is_same_v<Kind, per_block> &&
      (Returning::form == Form::returns || Returning::form == Form::returns_context) &&
      !std::is_void_v<typename Returning::result>;
  /// What f returns, a structure of outputs perhaps.
  using Result = std::conditional_t<returns, typename Returning::result, void>;
  static constexpr Form call_form = Returning::form;

 private:
  static auto cells_type() {
    if constexpr (returns) {
      return cells_of_results(typename Results<typename Returning::result>::list{});
    } else if constexpr (!std::is_same_v<OutSpec, None>) {
      return cells_of_shapes(std::type_identity<OutSpec>{});
    } else {
      return TypeList<>{};
    }
  }
  using Cells = decltype(cells_type());

  template <class... C>
  static constexpr int list_size(TypeList<C...>) {
    return sizeof...(C);
  }

 public:
  /// Outputs that can be allocated without being given: 0 if f writes and no shapes are known.
  static constexpr int known_outputs = list_size(Cells{});
  template <int K>
  using Cell = typename ListElement<K, Cells>::type;

  /// How many dimensions output K has beyond those of one example.
  template <int K>
  static constexpr int out_levels =
      implicit_levels +
      mapped_count<K>(std::type_identity<std::tuple<decltype(L{}.out.entries)...>>{});
  template <int K>
  static constexpr int out_rank = Cell<K>::rank + out_levels<K>;

  MapCall(const Spec& spec, const Args&... args) : spec_(spec) { bind_all(ArgSequence{}, args...); }

  ExecSpace exec() const {
    if constexpr (std::is_same_v<ExecOption, None>) {
      return ExecSpace();
    } else {
      return spec_.exec.space;
    }
  }

  const SpaceOf<held_levels>& space() const { return space_; }

  /// True if f returns views, whose extents are known only when it has been called.
  static constexpr bool needs_extents = [] {
    if constexpr (returns && std::is_same_v<OutSpec, None>) {
      return !extents_known(typename Results<typename Returning::result>::list{});
    } else {
      return false;
    }
  }();

  /// Calls f for one example to learn the extents of its outputs, after as many runs as it has
  /// collectives; to be called before out_shape() where needs_extents. With ranks, rank 0's holds
  /// for all. Throws ShapeError if there is no example. Collective over `comm` if that is not null.
  void find_extents(const Communicator* comm, const char* label) {
    if constexpr (needs_extents) {
      together(comm, [&] {
        if (space_.count() == 0 && (comm == nullptr || comm->is_root())) refuse_no_example();
      });
      const Kokkos::View<ResultExtents, typename ExecSpace::memory_space> found("kmap:extents");
      using Body = ExampleBody<F, Names, Operands, std::tuple<>, FinalPass, held_levels>;
      const Body body{spec_.f, space_, operands_, {}};
      const auto make_pass = [&](const Recorder& recorder) {
        return ShapePass{{{recorder}}, found.data()};
      };
      if constexpr (body_takes_context<ExecSpace, Body>()) {
        replayed_ = std::make_shared<Replayed>(exec(), label, space_, Names::texts(), comm);
        replayed_->replay(body, make_pass);
      } else {
        together(comm, [&] {
          if (space_.count() > 0) launch_one(exec(), label, body.with(make_pass({})), 0);
          exec().fence(label);
        });
      }
      const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), found);
      extents_ = host();
      if (comm != nullptr) comm->broadcast(&extents_, sizeof extents_);
    }
  }

  /// Shape of output K with its mapped axes in place.
  template <int K>
  Shape out_shape() const {
    const Extents<Cell<K>::rank> core = core_extents<K>();
    for (int d = 0; d < Cell<K>::rank; ++d) {
      if (core[d] < 0) refuse_extent(K, d, core[d]);
    }
    Shape shape;
    for (const int source : sources<K, Cell<K>::rank>()) {
      shape.push_back(source >= 0 ? space_.extents[source] : core[-1 - source]);
    }
    return shape;
  }

  /// Runs the map into these views. Their shapes must be those of the outputs.
  template <class... Views>
  void run(const char* label, const Views&... views) const {
    if constexpr (returns) {
      static_assert(known_outputs == sizeof...(Views),
                    "kmap: the function returns another number of outputs than were given");
    }
    run_into(nullptr, label, std::make_index_sequence<sizeof...(Views)>{}, views...);
  }

  /// The same on every rank of `comm`, each with its part of the outermost axis: what the function
  /// throws on one rank becomes an error on all. Collective.
  template <class... Views>
  void run_over(const Communicator& comm, const char* label, const Views&... views) const {
    run_into(&comm, label, std::make_index_sequence<sizeof...(Views)>{}, views...);
  }

 private:
  // ---- Binding of arguments
  template <std::size_t... I>
  void bind_all(std::index_sequence<I...>, const Args&... args) {
    static_assert((check_argument<static_cast<int>(I)>() && ...));
    static_assert(sizeof...(Args) > 0, "kmap: a map needs at least one argument");
    std::array<Dims, sizeof...(Args)> dims = {dims_of_argument(args)...};
    std::array<Extents<held_levels>, sizeof...(Args)> batch{};
    bind_levels(dims, batch, LevelSequence{});
    if constexpr (scalars_only) bind_implicit(dims, batch);
    (fill_operand<static_cast<int>(I)>(args, dims[I], batch[I]), ...);
  }

  using Claims = SmallList<SizeClaim, arguments>;

  template <class A>
  static Dims dims_of_argument(const A& argument) {
    if constexpr (ViewArgument<A>) {
      static_assert(Kokkos::SpaceAccessibility<ExecSpace, typename A::memory_space>::accessible,
                    "kmap: the execution space of this map cannot reach the memory of an argument");
      return dims_of(argument);
    } else {
      return {};
    }
  }

  template <class DimsArray, class BatchArray, std::size_t... Lv>
  void bind_levels(DimsArray& dims, BatchArray& batch, std::index_sequence<Lv...>) {
    (bind_level<static_cast<int>(Lv)>(dims, batch, ArgSequence{}), ...);
  }

  template <int Lv, class DimsArray, class BatchArray, std::size_t... I>
  void bind_level(DimsArray& dims, BatchArray& batch, std::index_sequence<I...>) {
    const auto& level = std::get<static_cast<std::size_t>(Lv)>(spec_.levels);
    BoundAxes bound;
    (bind_axis<static_cast<int>(I)>(level.in.entries, Lv, dims[I], batch[I], bound), ...);
    const auto agrees = [&](const AxisOfArgument& axis) {
      return axis.size == bound[0].size && (level.size < 0 || axis.size == level.size);
    };
    const bool agreed = !bound.empty() && std::all_of(bound.begin(), bound.end(), agrees);
    const std::int64_t size =
        agreed ? bound[0].size : agree_on_size(claims_of(bound, dims), level.size);
    space_.add(size, level.offset, level.length);
  }

  // What messages need beside takes time to copy.
  struct AxisOfArgument {
    int argument;
    int axis;
    std::int64_t size;
  };
  using BoundAxes = SmallList<AxisOfArgument, arguments>;

  template <class DimsArray>
  static Claims claims_of(const BoundAxes& bound, const DimsArray& dims) {
    Claims claims;
    for (const auto& [argument, axis, size] : bound) {
      Dimensions shape = dims[static_cast<std::size_t>(argument)].extent;
      shape.insert(axis, size);
      claims.push_back({argument, axis, size, shape, name_of});
    }
    return claims;
  }

  template <int I, class Entries>
  void bind_axis(const Entries& entries, int level, Dims& dims, Extents<held_levels>& batch,
                 BoundAxes& bound) {
    constexpr int given = static_cast<int>(std::tuple_size_v<Entries>);
    static_cast<void>(InAxesCount<given, arguments>{});
    if constexpr (!entry_is_none<I, Entries>) {
      const int axis = normalize_in_axis(entry<I>(entries), I, dims.extent, name_of);
      const auto at = static_cast<std::size_t>(axis);
      bound.push_back({I, axis, dims.extent[at]});
      batch[level] = dims.stride[at];
      dims.remove(axis);
    }
  }

  // The remaining dimensions, mapped one by one; arguments that have none go to every example.
  template <class DimsArray, class BatchArray>
  void bind_implicit(DimsArray& dims, BatchArray& batch) {
    for (int e = 0; e < implicit_levels; ++e) {
      Claims claims;
      const auto at = static_cast<std::size_t>(e);
      for (int i = 0; i < arguments; ++i) {
        const Dims& d = dims[static_cast<std::size_t>(i)];
        if (d.rank() == 0) continue;
        if (d.rank() != implicit_levels) {
          throw ShapeError("elementwise map: " + name_of(i) + " has " + std::to_string(d.rank()) +
                               " dimensions besides the mapped axes, " + "others have " +
                               std::to_string(implicit_levels),
                           "give arguments of equal rank, or scalars");
        }
        claims.push_back({i, e, d.extent[at], d.extent, name_of});
        batch[static_cast<std::size_t>(i)][explicit_levels + e] = d.stride[at];
      }
      space_.add(agree_on_size(claims, -1));
    }
  }

  template <int I, class A>
  void fill_operand(const A& argument, const Dims& dims, const Extents<held_levels>& batch) {
    OperandOf<I>& operand = std::get<I>(operands_);
    operand.batch = batch;
    if constexpr (ViewArgument<A>) {
      operand.data = argument.data();
      for (int d = 0; d < example_rank<I>; ++d) {
        operand.extents[d] = dims.extent[static_cast<std::size_t>(d)];
        operand.strides[d] = dims.stride[static_cast<std::size_t>(d)];
      }
    } else {
      operand.value = argument;
    }
  }

  // ---- Outputs
  template <int K, std::size_t... Lv>
  PlacedLevels out_axes_of(std::index_sequence<Lv...>) const {
    PlacedLevels axes;
    const auto add = [&](int level, const auto& entries) {
      if constexpr (!entry_is_none<K, std::remove_cvref_t<decltype(entries)>>) {
        axes.push_back({level, entry<K>(entries)});
      }
    };
    (add(static_cast<int>(Lv), std::get<Lv>(spec_.levels).out.entries), ...);
    return axes;
  }

  template <int K, int CoreRank>
  Sources sources() const {
    return place_output(K, explicit_levels, implicit_levels, CoreRank,
                        out_axes_of<K>(LevelSequence{}));
  }

  template <int K>
  Extents<Cell<K>::rank> core_extents() const {
    Extents<Cell<K>::rank> extents;
    if constexpr (returns) {
      using R = typename ListElement<K, typename Results<typename Returning::result>::list>::type;
      if constexpr (ResultCell<R>::known_extents) {
        for (int d = 0; d < Cell<K>::rank; ++d) extents[d] = ResultCell<R>::extent(d);
      } else if constexpr (needs_extents) {
        for (int d = 0; d < Cell<K>::rank; ++d) extents[d] = extents_.extents[K][d];
      } else {
        using Given = std::remove_cvref_t<decltype(std::get<K>(spec_.outputs.shapes))>;
        static_assert(std::is_same_v<Given, OutShape<typename Cell<K>::value_type, Cell<K>::rank>>,
                      "kmap: an out_shape in outputs(…) has another type or number of dimensions "
                      "than what the function returns");
        const auto& shape = std::get<K>(spec_.outputs.shapes);
        for (int d = 0; d < Cell<K>::rank; ++d) {
          extents[d] = shape.extents[static_cast<std::size_t>(d)];
        }
      }
    } else if constexpr (Cell<K>::rank > 0) {
      const auto& shape = std::get<K>(spec_.outputs.shapes);
      for (int d = 0; d < Cell<K>::rank; ++d)
        extents[d] = shape.extents[static_cast<std::size_t>(d)];
    }
    return extents;
  }

  [[noreturn]] static void refuse_extent(int k, int d, std::int64_t extent) {
    throw ShapeError("output " + std::to_string(k) + ": size " + std::to_string(extent) +
                         " of dimension " + std::to_string(d) + " of one example's output",
                     "give out_shape sizes of 0 or more");
  }

  [[noreturn]] static void refuse_no_example() {
    throw ShapeError(
        "the function returns a view, and there is no example to learn its shape from",
        "map at least one example, or give the shape by outputs(out_shape<T>(…)), or to vmap "
        "the output by .into(y)");
  }

  template <class View, int K, int CoreRank>
  auto bind_output(const View& view) const {
    using T = typename View::non_const_value_type;
    static_assert(!std::is_const_v<typename View::value_type>,
                  "kmap: an output view must not be of const elements");
    static_assert(Kokkos::SpaceAccessibility<ExecSpace, typename View::memory_space>::accessible,
                  "kmap: the execution space of this map cannot reach the memory of an output");
    Operand<T, CoreRank, (out_levels<K> > 0), held_levels> operand;
    operand.data = view.data();
    const Sources from = sources<K, CoreRank>();
    for (std::size_t d = 0; d < from.size(); ++d) {
      const auto stride = static_cast<std::int64_t>(view.stride(d));
      const auto extent = static_cast<std::int64_t>(view.extent(d));
      if (from[d] >= 0) {
        operand.batch[from[d]] = stride;
        if (extent != space_.extents[from[d]]) {
          wrong_output(K, d, extent, space_.extents[from[d]], dims_of(view).extent);
        }
      } else {
        operand.strides[-1 - from[d]] = stride;
        operand.extents[-1 - from[d]] = extent;
      }
    }
    if constexpr (known_outputs > 0) check_core<K>(operand.extents, dims_of(view).extent);
    return operand;
  }

  [[noreturn]] static void wrong_output(int k, std::size_t axis, std::int64_t has,
                                        std::int64_t needs, const Dimensions& shape) {
    throw ShapeError("output " + std::to_string(k) + " of shape " + to_string(to_vector(shape)) +
                         " has size " + std::to_string(has) + " at axis " + std::to_string(axis) +
                         ", the map gives " + std::to_string(needs),
                     "give an output of the shape that the map gives, or let it be allocated");
  }

  template <int K, int Rank>
  void check_core(const Extents<Rank>& given, const Dimensions& shape) const {
    if constexpr (Rank > 0 && returns) {
      using R = typename ListElement<K, typename Results<typename Returning::result>::list>::type;
      // A returned view says its extents only when called.
      if constexpr (!ResultCell<R>::known_extents) return;
    }
    if constexpr (Rank > 0) {
      const Extents<Rank> needed = core_extents<K>();
      for (int d = 0; d < Rank; ++d) {
        if (given[d] != needed[d]) {
          throw ShapeError("output " + std::to_string(K) + " of shape " +
                           to_string(to_vector(shape)) + " has size " + std::to_string(given[d]) +
                           " where one example's output has " + std::to_string(needed[d]));
        }
      }
    }
  }

  template <class View, int K>
  static constexpr int core_rank_of_output() {
    constexpr int rank = static_cast<int>(View::rank()) - out_levels<K>;
    static_assert(rank >= 0, "kmap: an output has fewer dimensions than the map gives it");
    if constexpr (known_outputs > 0) {
      static_assert(rank == Cell<K>::rank,
                    "kmap: the rank of an output is that of one example's output plus the mapped "
                    "axes that out_axes puts into it");
    }
    return rank;
  }

  // ---- Outputs that out_axes keeps free of a mapped axis
  template <int K>
  static constexpr bool drops_axis = out_levels<K> < levels;

  // Where output K is computed: in the view, or, if an axis has to vanish, first in full beside it.
  template <int K, class View>
  auto make_stage(const View& view) const {
    constexpr int core = core_rank_of_output<View, K>();
    const auto target = bind_output<View, K, core>(view);
    if constexpr (!drops_axis<K>) {
      return target;
    } else {
      return UniformOutput<ExecSpace, typename View::non_const_value_type, core, held_levels>(
          space_, target.data, target.extents, target.strides, target.batch,
          dropped_levels<K>(LevelSequence{}));
    }
  }

  template <int K, std::size_t... Lv>
  static std::array<bool, max_levels> dropped_levels(std::index_sequence<Lv...>) {
    return {entry_is_none<K, decltype(L{}.out.entries)>...};
  }

  template <class T, int Rank, bool Mapped>
  static auto stage_operand(const Operand<T, Rank, Mapped, held_levels>& operand) {
    return operand;
  }
  template <class T, int Rank>
  static auto stage_operand(const UniformOutput<ExecSpace, T, Rank, held_levels>& stage) {
    return stage.operand();
  }

  template <class T, int Rank, bool Mapped>
  void finish_stage(const Operand<T, Rank, Mapped, held_levels>&, int) const {}
  template <class T, int Rank>
  void finish_stage(const UniformOutput<ExecSpace, T, Rank, held_levels>& stage, int k) const {
    stage.collapse(exec(), k);
  }

  template <std::size_t... K, class... Views>
  void run_into(const Communicator* comm, const char* label, std::index_sequence<K...>,
                const Views&... views) const {
    const auto stages = std::make_tuple(make_stage<static_cast<int>(K)>(views)...);
    auto outs = std::make_tuple(stage_operand(std::get<K>(stages))...);
    using Body = ExampleBody<F, Names, Operands, decltype(outs), FinalPass, held_levels>;
    const Body body{spec_.f, space_, operands_, outs};
    launch_over<Body>(comm, label, body);
    if constexpr ((drops_axis<static_cast<int>(K)> || ...)) {
      together(comm, [&] {
        // Under pmap the ranks that have examples answer for those that have none.
        if (comm != nullptr && space_.count() == 0) return;
        (finish_stage(std::get<K>(stages), static_cast<int>(K)), ...);
      });
    }
  }

  template <class Body>
  void launch_over(const Communicator* comm, const char* label, const Body& body) const {
    if constexpr (body_takes_context<ExecSpace, Body>()) {
      if (replayed_) {
        replayed_->finish(body, 0);
        return;
      }
      Replayed map(exec(), label, space_, Names::texts(), comm);
      map.replay(body, [](const Recorder& recorder) { return ProbePass{{recorder}}; });
      map.finish(body, 1);  // the last probe has done the first example
    } else if constexpr (runs_without_throwing<ExecSpace, Body>()) {
      launch_all(label, body);
    } else {
      together(comm, [&] { launch_all(label, body); });
    }
  }

  // Small maps on a host end before they need an execution space, and making one takes as long as
  // they do.
  template <class Body>
  void launch_all(const char* label, const Body& body) const {
    if constexpr (begins_inline<ExecSpace, Body>()) {
      launch_inline<ExecSpace>([this] { return exec(); }, label, body, {0, body.space.count()});
    } else {
      launch<ExecSpace, levels>(exec(), label, body);
    }
  }

  using Replayed = ReplayedMap<ExecSpace, levels>;

  const Spec spec_;
  SpaceOf<held_levels> space_;
  struct Nothing {};
  std::conditional_t<needs_extents, ResultExtents, Nothing> extents_;
  std::shared_ptr<Replayed> replayed_;  // by find_extents
  Operands operands_;
};

}  // namespace kmap::detail
