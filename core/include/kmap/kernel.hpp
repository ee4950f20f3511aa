#pragma once
/// \file
/// Declaring a kernel: a function of one example, with all that a job needs to know of it.
///
/// ```cpp
/// /// x squared.
/// struct Square {
///   template <class T>
///   KOKKOS_FUNCTION T operator()(T x) const { return x * x; }
/// };
///
/// KMAP_KERNEL(square, Square, "()->()", "x squared")
///     .input<"x">(kmap::number)
///     .output<"y">(kmap::same_as<"x">);
/// ```
/// The signature gives the dimensions of one example of each input and output: `()` a scalar, `(t)`
/// one dimension named t, `(3)` one of size 3, `(...)` an example of any shape seen as one
/// dimension. A dataset of shape (n, m, t) for an input `(t)` is n x m examples. Parameters are
/// members of the struct. Put the file into a folder under apps/ with a CMakeLists.txt of one line,
/// `kmap_add_kernel(square SOURCES kernel.cpp)`.

#include "kmap/detail/call.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/key_operand.hpp"
#include "kmap/detail/launch.hpp"
#include "kmap/detail/profiling.hpp"
#include "kmap/detail/signature.hpp"
#include "kmap/kernel_info.hpp"
#include "kmap/vmap.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace kmap {

/// A set of element types that an operand may have.
template <Element... T>
struct Types {};

inline constexpr Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t, std::uint64_t>
    integer{};
/// float and double; integers are converted to double on reading.
inline constexpr Types<float, double> real{};
inline constexpr Types<Kokkos::complex<float>, Kokkos::complex<double>> complex{};
/// Integers and floating-point numbers.
inline constexpr Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t, std::uint64_t, float, double>
    real_number{};
/// All of these and complex numbers.
inline constexpr Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                       std::uint16_t, std::uint32_t, std::uint64_t, float, double,
                       Kokkos::complex<float>, Kokkos::complex<double>>
    number{};
/// One type: `type<double>`.
template <Element T>
inline constexpr Types<T> type{};

/// "The type of that input."
template <auto Name>
struct SameAs {};
template <detail::FixedString Name>
inline constexpr SameAs<Name> same_as{};

/// "The real floating-point type for results about that input": float for f4 and c8, double for all
/// others, integers included.
template <auto Name>
struct RealOf {};
template <detail::FixedString Name>
inline constexpr RealOf<Name> real_of{};

/// Marks an output that no example changes.
struct SameForAll {};
inline constexpr SameForAll same_for_all{};

/// Bounds of a parameter, both included unless it must be above the least.
struct Bounds {
  std::optional<double> least;
  std::optional<double> most;
  bool above_least = false;
};
inline Bounds at_least(double least) { return {least, std::nullopt}; }
inline Bounds above(double least) { return {least, std::nullopt, true}; }
inline Bounds at_most(double most) { return {std::nullopt, most}; }
inline Bounds between(double least, double most) { return {least, most}; }

/// Names of the values 0, 1, … of a parameter: `choices("rectangular", "hann")`.
struct Choices {
  std::vector<std::string> names;
};
template <class... Name>
Choices choices(const Name&... names) {
  return {{std::string(names)...}};
}

namespace detail {

template <auto Name, class Rule>
struct DeclaredOperand {
  static constexpr auto name = Name;
  using rule = Rule;
};

/// Position of the input of that name, or -1.
template <auto Name, class... Declared>
constexpr int input_position(TypeList<Declared...>) {
  int position = 0;
  int found = -1;
  ((found = (Declared::name == Name) ? position : found, ++position), ...);
  return found;
}

/// The type of an operand whose rule names one type or an input, given the inputs' types.
template <class Rule, class Inputs, class Chosen>
struct RuleType;
template <class T, class Inputs, class Chosen>
struct RuleType<Types<T>, Inputs, Chosen> {
  using type = T;
};
template <auto Name, class Inputs, class Chosen>
struct RuleType<SameAs<Name>, Inputs, Chosen> {
  static constexpr int position = input_position<Name>(Inputs{});
  static_assert(position >= 0, "kmap: same_as names no input that is declared before it");
  using type = typename ListElement<position, Chosen>::type;
};

template <class T>
struct RealType {
  using type = double;
};
template <>
struct RealType<float> {
  using type = float;
};
template <>
struct RealType<Kokkos::complex<float>> {
  using type = float;
};
template <auto Name, class Inputs, class Chosen>
struct RuleType<RealOf<Name>, Inputs, Chosen> {
  using type = typename RealType<typename RuleType<SameAs<Name>, Inputs, Chosen>::type>::type;
};

template <class T, int Rank>
Operand<T, Rank> block_operand(T* data, const BlockLayout& layout) {
  Operand<T, Rank> operand;
  operand.data = data;
  for (int d = 0; d < Rank; ++d) {
    operand.extents[d] = layout.core[static_cast<std::size_t>(d)];
    operand.strides[d] = layout.core_strides[static_cast<std::size_t>(d)];
  }
  for (std::size_t l = 0; l < layout.strides.size(); ++l) {
    operand.batch[static_cast<int>(l)] = layout.strides[l];
  }
  return operand;
}

/// The mapped axes over these rows of the distributed one.
IterationSpace block_space(const JobLevels& job, Range rows);

/// Their names, outermost first.
std::vector<std::string> level_names(const JobLevels& job);

/// A function of whole blocks knows one batch axis: it is called for each index of the others, as
/// far as they are not one line in memory with it.
template <class Exec, class Body>
void launch_flat(const Exec& exec, const char* label, Body body) {
  simplify(body);
  const int last = body.space.levels - 1;
  std::int64_t calls = 1;
  for (int l = 0; l < last; ++l) calls *= body.space.extents[l];
  for (std::int64_t call = 0; call < calls; ++call) {
    Body part = body;
    part.space = IterationSpace();
    part.space.add(body.space.extents[last]);
    const auto place = [&](auto&... operand) {
      std::int64_t rest = call;
      for (int l = last - 1; l >= 0; --l) {
        const std::int64_t index = rest % body.space.extents[l];
        rest /= body.space.extents[l];
        ((operand.data += index * operand.batch[l]), ...);
      }
      ((operand.batch[0] = operand.batch[last]), ...);
    };
    std::apply(
        [&](auto&... in) { std::apply([&](auto&... out) { place(in..., out...); }, part.outs); },
        part.ins);
    launch<Exec, 1>(exec, label, part);
  }
}

/// What f asks for beside its inputs: axes by their names, and a key.
template <class AxisNames, bool TakesKey>
struct Asks {
  using axes = AxisNames;
  static constexpr bool key = TakesKey;
};

template <class F, auto Signature, class Asked, class InTypes, class OutTypes>
struct BlockRunner;

/// Runs F over a block, for one choice of types.
template <class F, auto Signature, class... Axis, bool TakesKey, class... In, class... Out>
struct BlockRunner<F, Signature, Asks<NameList<Axis...>, TakesKey>, TypeList<In...>,
                   TypeList<Out...>> {
  static_assert(!TakesKey || !std::is_same_v<map_kind_of<F>, per_block>,
                "kmap: a per_block function gets no key: it knows no example");

  static constexpr ParsedSignature signature = parsed_signature<Signature>;
  using Names = LateNames<Axis...>;

  template <std::size_t I>
  static constexpr int in_rank = signature.inputs[I].rank;
  template <std::size_t K>
  static constexpr int out_rank = signature.outputs[K].rank;

  template <class Body>
  static void check_returned() {
    if constexpr (std::is_same_v<map_kind_of<F>, per_example>) {
      using Result = typename Body::template CallOf<>::result;
      if constexpr (!std::is_void_v<Result>) check_returned_list(typename Results<Result>::list{});
    }
  }

  template <class... R>
  static void check_returned_list(TypeList<R...>) {
    static_assert(sizeof...(R) == sizeof...(Out),
                  "kmap: the function returns another number of outputs than its signature has");
    std::size_t k = 0;
    (check_returned_cell<R>(k++), ...);
  }

  // A returned vec has its size from its type, so the signature has to say the same.
  template <class R>
  static void check_returned_cell(std::size_t k) {
    if constexpr (IsVec<R>::value) {
      const SignatureOperand& declared = signature.outputs[k];
      for (int d = 0; d < ResultCell<R>::rank; ++d) {
        if (declared.rank != ResultCell<R>::rank ||
            declared.dims[d].fixed != ResultCell<R>::extent(d)) {
          throw Error(ExitCode::internal,
                      "a kernel returns a kmap::vec of another size than its signature " +
                          std::string(Signature.view()) + " says",
                      "write the size as a number, as in \"(3)->(3)\"");
        }
      }
    }
  }

  // In front of the inputs, if f takes a key.
  static auto keys(const BlockArguments& a, const IterationSpace& space) {
    if constexpr (TakesKey) {
      return std::make_tuple(example_keys(random::key(a.seed), space));
    } else {
      return std::tuple<>{};
    }
  }

  using InSequence = std::index_sequence_for<In...>;
  using OutSequence = std::index_sequence_for<Out...>;
  using Exec = Kokkos::DefaultExecutionSpace;

  template <std::size_t... I, std::size_t... K>
  static auto make_body(const BlockArguments& a, std::index_sequence<I...>,
                        std::index_sequence<K...>) {
    const IterationSpace space = block_space(a.levels, a.rows);
    auto ins = std::tuple_cat(keys(a, space),
                              std::make_tuple(block_operand<const In, in_rank<I>>(
                                  static_cast<const In*>(a.inputs[I]), a.input_layouts[I])...));
    auto outs = std::make_tuple(
        block_operand<Out, out_rank<K>>(static_cast<Out*>(a.outputs[K]), a.output_layouts[K])...);
    using Body = ExampleBody<F, Names, decltype(ins), decltype(outs)>;
    check_returned<Body>();
    return Body{*static_cast<const F*>(a.params), space, ins, outs};
  }
  static auto body_of(const BlockArguments& a) { return make_body(a, InSequence{}, OutSequence{}); }
  using Body = decltype(body_of(std::declval<const BlockArguments&>()));

  static void run(const char* label, const BlockArguments& a) {
    const Region region(label);
    const Exec exec;
    if constexpr (std::is_same_v<map_kind_of<F>, per_block>) {
      launch_flat(exec, label, body_of(a));
    } else {
      launch<Exec, max_levels>(exec, label, body_of(a));
    }
    exec.fence(label);
  }

  /// The runs of a kernel that takes a context.
  class Replay : public KernelReplay {
   public:
    Replay(std::string label, const Communicator* comm, const JobLevels& levels, Range shard)
        : label_(std::move(label)),
          shard_(shard),
          examples_per_row_(levels.examples_per_row()),
          session_(block_space(levels, shard), level_names(levels), comm) {}

    void probe(const BlockArguments& block) override { probe_example(block, 0); }
    bool found_collective() override {
      session_.share_probe();
      return session_.found();
    }
    std::vector<CollectiveNeed> needs() const override { return session_.needs(); }
    std::int64_t result_bytes() const override { return session_.result_bytes(); }
    void begin_recording(std::int64_t run_bytes) override { session_.begin_recording(run_bytes); }
    void record(const BlockArguments& block) override {
      const Region region(label());
      record_examples<Exec, max_levels>(exec_, label(), body_of(block), first(block), session_,
                                        [&] { check(block); });
    }
    void combine() override { session_.combine_recorded(); }
    void run(const BlockArguments& block) override {
      const Region region(label());
      launch<Exec, max_levels>(exec_, label(),
                               body_of(block).with(FinalPass{session_.known(first(block))}));
      check(block);
    }

   private:
    const char* label() const { return label_.c_str(); }

    // The number of the block's first example among those of the shard.
    std::int64_t first(const BlockArguments& block) const {
      return (block.rows.begin - shard_.begin) * examples_per_row_;
    }

    void probe_example(const BlockArguments& block, std::int64_t example) {
      const Region region(label());
      launch_one(exec_, label(), body_of(block).with(ProbePass{{session_.prober(first(block))}}),
                 example);
      exec_.fence(label());
    }

    void check(const BlockArguments& block) {
      exec_.fence(label());
      const std::int64_t bad = session_.first_bad();
      if (bad < 0) return;
      probe_example(block, bad - first(block));
      session_.report(bad);
    }

    std::string label_;
    Range shard_;
    std::int64_t examples_per_row_;
    Exec exec_;
    CollectiveSession<typename Exec::memory_space> session_;
  };

  static KernelInstance make(const std::string& name) {
    const std::string label = "kmap:map:" + name;
    KernelInstance instance{{dtype_of<In>...}, {dtype_of<Out>...}, {}, {}};
    if constexpr (body_takes_context<Exec, Body>()) {
      instance.replay = [label](const Communicator* comm, const JobLevels& levels, Range shard) {
        return std::make_unique<Replay>(label, comm, levels, shard);
      };
    } else {
      instance.run = [label](const BlockArguments& a) { run(label.c_str(), a); };
    }
    return instance;
  }
};

template <class F, auto Signature, class Asked, class Inputs, class Outputs>
struct InstanceMaker;

/// All choices of types: the product over inputs that name a set, others follow.
template <class F, auto Signature, class Asked, class... Inputs, class... Outputs>
struct InstanceMaker<F, Signature, Asked, TypeList<Inputs...>, TypeList<Outputs...>> {
  template <class... Chosen>
  static void expand(TypeList<Chosen...> chosen, KernelInfo& info) {
    if constexpr (sizeof...(Chosen) == sizeof...(Inputs)) {
      using OutTypes = TypeList<typename RuleType<typename Outputs::rule, TypeList<Inputs...>,
                                                  TypeList<Chosen...>>::type...>;
      info.instances.push_back(
          BlockRunner<F, Signature, Asked, TypeList<Chosen...>, OutTypes>::make(info.name));
    } else {
      using Next =
          typename ListElement<static_cast<int>(sizeof...(Chosen)), TypeList<Inputs...>>::type;
      choose(typename Next::rule{}, chosen, info);
    }
  }

 private:
  template <class... T, class... Chosen>
  static void choose(Types<T...>, TypeList<Chosen...>, KernelInfo& info) {
    (expand(TypeList<Chosen..., T>{}, info), ...);
  }
  template <auto Name, class... Chosen>
  static void choose(SameAs<Name> rule, TypeList<Chosen...> chosen, KernelInfo& info) {
    using T = typename RuleType<decltype(rule), TypeList<Inputs...>, decltype(chosen)>::type;
    expand(TypeList<Chosen..., T>{}, info);
  }
};

template <class... T>
std::vector<DType> types_of(Types<T...>) {
  return {dtype_of<T>...};
}
template <auto Name>
std::vector<DType> types_of(SameAs<Name>) {
  return {};
}
template <auto Name>
std::vector<DType> types_of(RealOf<Name>) {
  return {};
}
template <auto Name>
std::string same_as_of(RealOf<Name>) {
  return {};
}
template <class... T>
std::string rule_text(Types<T...>) {
  std::string text;
  ((text += (text.empty() ? "" : " ") + std::string(name(dtype_of<T>))), ...);
  return text;
}
template <auto Name>
std::string rule_text(SameAs<Name>) {
  return "type of " + std::string(Name.view());
}
template <auto Name>
std::string rule_text(RealOf<Name>) {
  return "f4 or f8, as the precision of " + std::string(Name.view());
}
template <class... T>
std::string same_as_of(Types<T...>) {
  return {};
}
template <auto Name>
std::string same_as_of(SameAs<Name>) {
  return std::string(Name.view());
}

std::vector<CoreDim> core_dims(const SignatureOperand& operand);

template <class Kind>
const char* kind_name() {
  if constexpr (std::is_same_v<Kind, per_team>) return "team";
  if constexpr (std::is_same_v<Kind, per_block>) return "block";
  return "example";
}

/// The alternative of ParamValue for a member of type M.
template <class M>
ParamValue to_param_value(const M& value) {
  if constexpr (std::is_same_v<M, bool>) {
    return value;
  } else if constexpr (std::is_integral_v<M>) {
    return static_cast<std::int64_t>(value);
  } else {
    static_assert(
        std::is_floating_point_v<M>,
        "kmap: a parameter is a bool, an integer, a float or a double, or with choices(…) "
        "an integer or enum");
    return static_cast<double>(value);
  }
}

/// The bounds, not wider than what an integer member can hold.
template <class M>
Bounds limits_of(Bounds bounds) {
  if constexpr (std::is_integral_v<M> && !std::is_same_v<M, bool>) {
    using Limits = std::numeric_limits<M>;
    const auto least = static_cast<double>(Limits::min());
    const auto most = static_cast<double>(Limits::max());
    const bool has_least = sizeof(M) < 8 || std::is_unsigned_v<M>;
    if (has_least && !(bounds.least && *bounds.least >= least)) {
      bounds.least = least;
      bounds.above_least = false;
    }
    if (sizeof(M) < 8) bounds.most = std::min(most, bounds.most.value_or(most));
  }
  return bounds;
}

/// A parameter is set from its value in the config.
template <class F>
using Setter = std::function<void(F&, const ParamValue&)>;

/// Sizes one output dimension.
template <class F>
struct DimRule {
  std::string name;
  std::function<std::int64_t(const DimSizes&, const F&)> size;
};

template <class F>
struct Declaration {
  KernelInfo info;
  std::map<std::string, Setter<F>> setters;
  std::vector<DimRule<F>> dims;
};

/// The axis that a kernel may ask about unless it declares others.
using BatchAxis = NameList<CharsOf<FixedString{"batch"}>>;

/// Collects a declaration; its type collects what must be known at compile time.
template <class F, auto Signature, class Asked, class Inputs, class Outputs>
class KernelBuilder;

template <class F, auto Signature, class Asked, class... Inputs, class... Outputs>
class KernelBuilder<F, Signature, Asked, TypeList<Inputs...>, TypeList<Outputs...>> {
  static constexpr ParsedSignature signature = parsed_signature<Signature>;
  static_assert(signature.valid,
                "kmap: malformed signature; it looks like \"(t),()->(f)\", NumPy's form");

 public:
  explicit KernelBuilder(Declaration<F> declaration) : declaration_(std::move(declaration)) {}

  /// The next input of the signature. `rule`: a set of types (number, real, integer, type<T>, …) or
  /// same_as<"name">.
  template <FixedString Name, class Rule>
  auto input(Rule rule, const std::string& doc = {}) {
    constexpr int position = sizeof...(Inputs);
    static_assert(position < signature.input_count, "kmap: more inputs than the signature has");
    static_assert(input_position<Name>(TypeList<Inputs...>{}) < 0, "kmap: an input's name repeats");
    declaration_.info.inputs.push_back({std::string(Name.view()), doc,
                                        core_dims(signature.inputs[position]), types_of(rule),
                                        same_as_of(rule), rule_text(rule)});
    using Next =
        KernelBuilder<F, Signature, Asked, TypeList<Inputs..., DeclaredOperand<Name, Rule>>,
                      TypeList<Outputs...>>;
    return Next(std::move(declaration_));
  }

  /// The names of the mapped axes that f asks about by its context, as in psum<"row">(c, x), in
  /// place of "batch". A job's config says which axis has which name.
  template <FixedString... Name>
  auto axes() {
    using Next = KernelBuilder<F, Signature, Asks<NameList<CharsOf<Name>...>, Asked::key>,
                               TypeList<Inputs...>, TypeList<Outputs...>>;
    return Next(std::move(declaration_));
  }

  /// f draws random numbers: before its inputs (after a context) it gets a `random::Key` of its own
  /// for each example, split(key(seed), n)[i] by the example's index i among all n; the config says
  /// the seed. f(key, x), f(context, key, x).
  auto key() {
    declaration_.info.takes_key = true;
    using Next = KernelBuilder<F, Signature, Asks<typename Asked::axes, true>, TypeList<Inputs...>,
                               TypeList<Outputs...>>;
    return Next(std::move(declaration_));
  }

  /// An output that is the same for every example, such as a sum over all: stored once, unless the
  /// config gives it an axis.
  template <FixedString Name, class Rule>
  auto output(Rule rule, SameForAll, const std::string& doc = {}) {
    auto next = output<Name>(rule, doc);
    next.declaration_.info.outputs.back().same_for_all = true;
    return next;
  }

  /// The next output of the signature. `rule`: type<T>, same_as<"input"> or real_of<"input">.
  template <FixedString Name, class Rule>
  auto output(Rule rule, const std::string& doc = {}) {
    constexpr int position = sizeof...(Outputs);
    static_assert(position < signature.output_count, "kmap: more outputs than the signature has");
    static_assert(input_position<Name>(TypeList<Outputs...>{}) < 0,
                  "kmap: an output's name repeats");
    declaration_.info.outputs.push_back({std::string(Name.view()), doc,
                                         core_dims(signature.outputs[position]), types_of(rule),
                                         same_as_of(rule), rule_text(rule)});
    using Next = KernelBuilder<F, Signature, Asked, TypeList<Inputs...>,
                               TypeList<Outputs..., DeclaredOperand<Name, Rule>>>;
    return Next(std::move(declaration_));
  }

  /// A member of F that the config may set; its default is that of a default-constructed F.
  template <class M>
  auto param(const std::string& name, M F::* member, const std::string& unit,
             const std::string& doc, const Bounds& bounds = {}) {
    const Bounds within = limits_of<M>(bounds);
    declaration_.info.params.push_back({name,
                                        unit,
                                        doc,
                                        to_param_value(F{}.*member),
                                        within.least,
                                        within.most,
                                        {},
                                        within.above_least,
                                        std::is_same_v<M, float>});
    declaration_.setters[name] = [member](F& f, const ParamValue& value) {
      using Stored = std::variant_alternative_t<alternative<M>, ParamValue>;
      f.*member = static_cast<M>(std::get<Stored>(value));
    };
    return KernelBuilder(std::move(declaration_));
  }

  /// A member of F (an integer or enum) chosen by name: choice i sets it to i.
  template <class M>
  auto param(const std::string& name, M F::* member, const Choices& choices,
             const std::string& doc) {
    const auto first = static_cast<std::size_t>(F{}.*member);
    declaration_.info.params.push_back(
        {name, "", doc, choices.names.at(first), std::nullopt, std::nullopt, choices.names});
    declaration_.setters[name] = [member, names = choices.names](F& f, const ParamValue& value) {
      const auto at = std::find(names.begin(), names.end(), std::get<std::string>(value));
      f.*member = static_cast<M>(at - names.begin());
    };
    return KernelBuilder(std::move(declaration_));
  }

  /// The size of an output dimension that no input has: size(sizes, f), where sizes["t"] is that of
  /// input dimension t and f has its parameters.
  auto dim(const std::string& name, std::function<std::int64_t(const DimSizes&, const F&)> size) {
    declaration_.dims.push_back({name, std::move(size)});
    return KernelBuilder(std::move(declaration_));
  }

  /// The values along the named output dimension `dim`, written once per job: value(i, sizes, f) is
  /// that at index i. They may depend on sizes and parameters, not on data.
  auto coordinate(const std::string& name, const std::string& dim, const std::string& unit,
                  const std::string& doc,
                  std::function<double(std::int64_t, const DimSizes&, const F&)> value) {
    declaration_.info.coordinates.push_back(
        {name, dim, unit, doc,
         [value = std::move(value)](std::int64_t i, const DimSizes& sizes, const void* params) {
           return value(i, sizes, *static_cast<const F*>(params));
         }});
    return KernelBuilder(std::move(declaration_));
  }

  /// The declaration as data, with an instance for every choice of types.
  KernelInfo finish() {
    static_assert(sizeof...(Inputs) == static_cast<std::size_t>(signature.input_count),
                  "kmap: the signature has inputs that are not declared by .input<\"name\">(…)");
    static_assert(sizeof...(Outputs) == static_cast<std::size_t>(signature.output_count),
                  "kmap: the signature has outputs that are not declared by .output<\"name\">(…)");
    KernelInfo info = std::move(declaration_.info);
    InstanceMaker<F, Signature, Asked, TypeList<Inputs...>, TypeList<Outputs...>>::expand(
        TypeList<>{}, info);
    if (info.instances.front().replay) info.axes = Asked::axes::texts();
    info.make_params = [setters = declaration_.setters](const auto& values) {
      auto f = std::make_shared<F>();
      for (const auto& [name, value] : values) setters.at(name)(*f, value);
      return std::shared_ptr<const void>(std::move(f));
    };
    info.size_outputs = [dims = declaration_.dims](DimSizes& sizes, const void* params) {
      for (const DimRule<F>& rule : dims) {
        sizes[rule.name] = rule.size(sizes, *static_cast<const F*>(params));
      }
    };
    return info;
  }

 private:
  template <class, auto, class, class, class>
  friend class KernelBuilder;

  template <class M>
  static constexpr std::size_t alternative = std::is_same_v<M, bool> ? 0
                                             : std::is_integral_v<M> ? 1
                                                                     : 2;
  Declaration<F> declaration_;
};

template <class F, FixedString Signature>
auto declare_kernel(const std::string& name, const std::string& doc) {
  Declaration<F> declaration;
  declaration.info.name = name;
  declaration.info.doc = doc;
  declaration.info.signature = std::string(Signature.view());
  declaration.info.kind = kind_name<map_kind_of<F>>();
  return KernelBuilder<F, Signature, Asks<BatchAxis, false>, TypeList<>, TypeList<>>(
      std::move(declaration));
}

/// Its construction before main registers the kernel.
struct Registered {
  template <class Builder>
  // NOLINTNEXTLINE(google-explicit-constructor): the declaration macro initialises from a builder
  Registered(Builder&& builder) {
    register_kernel(builder.finish());
  }
};

}  // namespace detail

}  // namespace kmap

/// Declares the kernel `name` of function object type F; see the top of kmap/kernel.hpp.
#define KMAP_KERNEL(name, F, signature, doc)                                        \
  [[maybe_unused]] static const ::kmap::detail::Registered kmap_registered_##name = \
      ::kmap::detail::declare_kernel<F, signature>(#name, doc)
