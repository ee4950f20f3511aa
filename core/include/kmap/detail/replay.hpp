#pragma once
// Collectives inside a mapped function, without tracing: the function is run again for each.
//
// A pass runs all examples. At the first collective whose result is not known yet it records every
// example's operand; from there on the function goes on with stand-ins (each example's own operand,
// as if it were alone on the axis) and what it returns is dropped. The operands are combined, and
// the next pass knows one result more. The last pass meets no unknown collective and stores.

#include "kmap/detail/operand.hpp"
#include "kmap/dtype.hpp"
#include "kmap/example.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

namespace kmap::detail {

enum class CollectiveKind : std::uint8_t {
  none,
  psum,
  pmean,
  pmax,
  pmin,
  psum_scatter,
  all_gather,
  all_to_all,
  ppermute,
  pshuffle,
  pbroadcast
};

constexpr bool keeps_shape(CollectiveKind kind) {
  return kind != CollectiveKind::psum_scatter && kind != CollectiveKind::all_gather &&
         kind != CollectiveKind::all_to_all;
}

/// Dimensions that an operand or a result may have.
inline constexpr int max_core_rank = 8;
/// Operands of one collective: a tuple's.
inline constexpr int max_joint = 8;

/// One collective as an example calls it; the same for every example of a map. Made for every
/// example, so what is beyond axis_count and rank is left alone. Small members do not stand side by
/// side: compilers would compare two as one word, and processors wait long for a word that was just
/// written in parts.
struct CollectiveCall {
  CollectiveKind kind = CollectiveKind::none;
  std::int64_t number = 0;      // shift of a ring, source of a broadcast
  DType dtype = DType::f8;      // of the operand, as recorded
  std::int64_t group_size = 0;  // 0: no groups
  bool tiled = false;
  const std::int64_t* table = nullptr;  // groups, pairs or order, in host memory
  int axis_count = 0;
  int axes[max_levels];  // mapped levels, in the order of their names
  int dim = 0;           // scatter dimension, gathered axis, split axis; may count from the end
  std::int64_t extents[max_core_rank];
  int rank = 0;
  int other_dim = 0;  // concat axis

  KOKKOS_FORCEINLINE_FUNCTION bool operator==(const CollectiveCall& other) const {
    bool same = kind == other.kind && dtype == other.dtype && tiled == other.tiled &&
                axis_count == other.axis_count && rank == other.rank && dim == other.dim &&
                other_dim == other.other_dim && number == other.number && table == other.table;
    for (int a = 0; a < axis_count && same; ++a) same = axes[a] == other.axes[a];
    for (int d = 0; d < rank && same; ++d) same = extents[d] == other.extents[d];
    return same;
  }

  KOKKOS_FUNCTION std::int64_t size() const {
    std::int64_t n = 1;
    for (int d = 0; d < rank; ++d) n *= extents[d];
    return n;
  }
};

/// An axis from the end made one from the front; wrong ones are kept inside, and refused later.
KOKKOS_INLINE_FUNCTION int place_axis(int axis, int rank) {
  const int place = axis < 0 ? axis + rank : axis;
  return place < 0 ? 0 : (place >= rank ? (rank > 0 ? rank - 1 : 0) : place);
}

/// Extents of the result of a call over n examples, each with its rank.
struct ResultShape {
  int rank = 0;
  std::int64_t extents[max_core_rank + 1] = {};

  KOKKOS_FUNCTION void remove(int at) {
    for (int d = at; d + 1 < rank; ++d) extents[d] = extents[d + 1];
    --rank;
  }
  KOKKOS_FUNCTION void insert(int at, std::int64_t extent) {
    for (int d = rank; d > at; --d) extents[d] = extents[d - 1];
    extents[at] = extent;
    ++rank;
  }
};

KOKKOS_INLINE_FUNCTION ResultShape result_shape(const CollectiveCall& call, std::int64_t n) {
  ResultShape shape;
  shape.rank = call.rank;
  for (int d = 0; d < call.rank; ++d) shape.extents[d] = call.extents[d];
  const std::int64_t parts = n > 0 ? n : 1;
  if (call.kind == CollectiveKind::psum_scatter) {
    const int dim = place_axis(call.dim, call.rank);
    if (call.tiled) {
      shape.extents[dim] /= parts;
    } else {
      shape.remove(dim);
    }
  } else if (call.kind == CollectiveKind::all_gather) {
    if (call.tiled) {
      shape.extents[place_axis(call.dim, call.rank)] *= n;
    } else {
      shape.insert(place_axis(call.dim, call.rank + 1), n);
    }
  } else if (call.kind == CollectiveKind::all_to_all) {
    const int split = place_axis(call.dim, call.rank);
    const int concat = place_axis(call.other_dim, call.rank);
    if (call.tiled) {
      shape.extents[split] /= parts;
      shape.extents[concat] *= n;
    } else {
      shape.remove(split);
      shape.insert(concat, n);
    }
  }
  return shape;
}

/// Where the results of one collective lie, for every example.
struct CollectiveResult {
  const void* data = nullptr;
  std::int64_t start = 0;                 // all in elements
  std::int64_t strides[max_levels] = {};  // by global index along each mapped level
  std::int64_t weights[max_levels] = {};  // place on the axes, by which `table` is read
  const std::int64_t* table = nullptr;    // a further offset for each place on the axes, or null
  std::int64_t extents[max_core_rank] = {};
  std::int64_t core_strides[max_core_rank] = {};

  template <int Levels>
  KOKKOS_FUNCTION std::int64_t offset(const Extents<Levels>& index) const {
    std::int64_t result = start;
    for (int l = 0; l < Levels; ++l) result += strides[l] * index[l];
    if (table != nullptr) {
      std::int64_t place = 0;
      for (int l = 0; l < Levels; ++l) place += weights[l] * index[l];
      result += table[place];
    }
    return result;
  }
};

/// A result of rank Rank as f gets it: a value for rank 0, else a view.
template <class S, int Rank, int Levels>
KOKKOS_FORCEINLINE_FUNCTION auto read_result(const CollectiveResult& result,
                                             const Extents<Levels>& index) {
  const S* data = static_cast<const S*>(result.data) + result.offset(index);
  if constexpr (Rank == 0) {
    return *data;
  } else {
    Extents<Rank> extents;
    Extents<Rank> strides;
    for (int d = 0; d < Rank; ++d) {
      extents[d] = result.extents[d];
      strides[d] = result.core_strides[d];
    }
    return Example<const S, Rank>(data, extents, strides);
  }
}

/// The results known to a pass. One more behind the last is all zeros, for functions that ask for
/// more than they should; they are found out at their end.
struct KnownResults {
  const CollectiveResult* results = nullptr;
  int known = 0;
  std::int64_t* first_bad = nullptr;  // lowest example that differs from the others
  std::int64_t first_example = 0;     // number of the first one of this run

  KOKKOS_FUNCTION const CollectiveResult& at(int k) const { return results[k < known ? k : known]; }

  KOKKOS_FUNCTION void flag(std::int64_t example) const { Kokkos::atomic_min(first_bad, example); }
};

/// Calls that a function may make beyond the known ones in a pass: a loop that waits for a result
/// which is not known yet would never end.
inline constexpr int max_stand_ins = 1 << 20;

[[noreturn]] inline void too_many_stand_ins() {
  throw std::length_error(
      "a mapped function goes on and on calling collectives; a loop whose end depends on the "
      "result of a collective needs a bound on its number of turns");
}

/// Calls that a probe notes.
inline constexpr int max_noted = 32;

/// What a probe, a run of one example, sees it call: the first unknown collective and, as far as
/// the example goes on with stand-ins, those behind it.
struct ProbeNotes {
  int count = 0;
  CollectiveCall calls[max_noted];
  int joint[max_noted];  // operands of the collective from this call on
};

/// Part of a context in the last pass.
class Replaying {
 public:
  KOKKOS_FUNCTION explicit Replaying(const KnownResults& known) : known_(known) {}

  template <CollectiveKind, class S, int Rank, int Levels, class Value>
  KOKKOS_FORCEINLINE_FUNCTION auto take(const CollectiveCall&, const Value&, int, std::int64_t,
                                        const Extents<Levels>& index) {
    return read_next<S, Rank>(index);
  }

  /// The next result, for an operand that is not made.
  template <class S, int Rank, int Levels>
  KOKKOS_FORCEINLINE_FUNCTION auto read_next(const Extents<Levels>& index) {
    return read_result<S, Rank>(known_.at(step_++), index);
  }
  KOKKOS_FUNCTION static constexpr bool knows_next() { return true; }
  /// Whether an operand that is made when needed is needed now.
  KOKKOS_FUNCTION static constexpr bool wants_operand() { return false; }
  KOKKOS_FUNCTION static constexpr void skip_next() {}

  KOKKOS_FUNCTION int steps() const { return step_; }
  KOKKOS_FUNCTION static constexpr bool stands_in() { return false; }

 private:
  KnownResults known_;
  int step_ = 0;
};

/// What a recording pass is given.
struct Recorder {
  KnownResults known;
  int window = 0;                      // operands to record, from the known calls on
  CollectiveCall expected[max_joint];  // what each example has to call
  void* operands[max_joint] = {};      // (examples, extents), row-major
  std::int64_t first_operand = 0;      // number of the example that these begin with
  ProbeNotes* notes = nullptr;         // of a probe, which records nothing
};

/// Part of a context in a recording pass or a probe.
class Recording {
 public:
  KOKKOS_FUNCTION Recording(const Recorder& recorder, std::int64_t example)
      : recorder_(&recorder), example_(example) {}

  /// `joint`: operands of this collective from this one on. `n`: examples that it is over.
  template <CollectiveKind Kind, class S, int Rank, int Levels, class Value>
  KOKKOS_FORCEINLINE_FUNCTION auto take(const CollectiveCall& call, const Value& operand, int joint,
                                        std::int64_t n, const Extents<Levels>& index) {
    if (knows_next()) return read_next<S, Rank>(index);
    const KnownResults& known = recorder_->known;
    const int part = step_ - known.known;
    if (recorder_->notes != nullptr) {
      note(part, call, joint);
    } else if (part < recorder_->window) {
      if (call == recorder_->expected[part]) {
        record(call, operand, recorder_->operands[part]);
      } else {
        known.flag(example_);
      }
    }
    skip_next();
    return stand_in<Kind, S, Rank>(call, operand, n);
  }

  template <class S, int Rank, int Levels>
  KOKKOS_FORCEINLINE_FUNCTION auto read_next(const Extents<Levels>& index) {
    return read_result<S, Rank>(recorder_->known.at(step_++), index);
  }
  KOKKOS_FUNCTION bool knows_next() const { return step_ < recorder_->known.known; }
  KOKKOS_FUNCTION bool wants_operand() const {
    const int part = step_ - recorder_->known.known;
    return part >= 0 && (recorder_->notes != nullptr || part < recorder_->window);
  }
  /// Goes past a collective whose result is not known.
  KOKKOS_FUNCTION void skip_next() {
    if (++step_ - recorder_->known.known <= max_stand_ins) return;
    endless_ = true;
    KOKKOS_IF_ON_HOST((too_many_stand_ins();))
    KOKKOS_IF_ON_DEVICE(
        (Kokkos::abort("kmap: a loop that waits for the result of a collective needs a bound");))
  }

  KOKKOS_FUNCTION int steps() const { return step_; }
  KOKKOS_FUNCTION std::int64_t example() const { return example_; }
  /// The function has given all operands that are wanted and goes on without their results; it was
  /// not stopped for doing so for ever.
  KOKKOS_FUNCTION bool stands_in() const {
    const int operands = recorder_->notes == nullptr   ? recorder_->window
                         : recorder_->notes->count > 0 ? recorder_->notes->joint[0]
                                                       : 1;
    return step_ >= recorder_->known.known + operands && !endless_;
  }

 private:
  KOKKOS_FUNCTION void note(int part, const CollectiveCall& call, int joint) const {
    if (part >= max_noted) return;
    recorder_->notes->calls[part] = call;
    recorder_->notes->joint[part] = joint;
    recorder_->notes->count = part + 1;
  }

  template <class Value>
  KOKKOS_FORCEINLINE_FUNCTION void record(const CollectiveCall& call, const Value& operand,
                                          void* operands) const {
    using E = typename Value::value_type;
    operand.copy_to(static_cast<E*>(operands) +
                    (example_ - recorder_->first_operand) * call.size());
  }

  template <CollectiveKind Kind, class S, int Rank, class Value>
  KOKKOS_FORCEINLINE_FUNCTION auto stand_in(const CollectiveCall& call, const Value& operand,
                                            std::int64_t n) {
    const S first = operand.size() > 0 ? static_cast<S>(operand.first()) : S{};
    if constexpr (Rank == 0) {
      return first;
    } else if constexpr (keeps_shape(Kind) && requires {
                           { operand.view() } -> std::same_as<Example<const S, Rank>>;
                         }) {
      return operand.view();
    } else {
      // Of the right shape, every element the same one.
      static_assert(sizeof(S) <= sizeof storage_);
      S* element = reinterpret_cast<S*>(storage_);
      *element = first;
      const ResultShape shape = result_shape(call, n);
      Extents<Rank> extents;
      for (int d = 0; d < Rank; ++d) extents[d] = shape.extents[d];
      return Example<const S, Rank>(element, extents, Extents<Rank>{});
    }
  }

  const Recorder* recorder_;
  std::int64_t example_;
  int step_ = 0;
  bool endless_ = false;
  alignas(16) unsigned char storage_[16];
};

}  // namespace kmap::detail
