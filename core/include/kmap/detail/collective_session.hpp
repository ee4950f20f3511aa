#pragma once
// The collectives of one call of a mapped function: what examples have called, the operands, the
// results. Orders the runs over the examples; the work is in core/src/collect.

#include "kmap/communicator.hpp"
#include "kmap/detail/collective_need.hpp"
#include "kmap/detail/launch.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/pass.hpp"
#include "kmap/detail/replay.hpp"
#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::detail {

/// Runs `work`; with ranks, an exception on one becomes the same error on all.
template <class Work>
void together(const Communicator* comm, Work&& work) {
  if (comm != nullptr) {
    agreed(*comm, std::forward<Work>(work));
  } else {
    work();
  }
}

/// "psum", "all_gather", …
std::string_view name_of(CollectiveKind kind);

/// The operands of one collective in memory: of every example on this rank, and the strides in
/// elements by which they are found.
struct OperandArray {
  const void* data = nullptr;
  std::int64_t level_strides[max_levels] = {};
  std::int64_t core_strides[max_core_rank] = {};
};

template <class Space>
using Bytes = Kokkos::View<std::byte*, Space>;

/// Combines the operands of one call. Allocations that the result lies in are added to `storage`.
/// Throws ShapeError, on all ranks alike, if the call does not fit its axes. Collective over `comm`
/// (which may be null: one rank alone).
template <class Space>
CollectiveResult combine(const IterationSpace& space, const std::vector<std::string>& names,
                         const Communicator* comm, const CollectiveCall& call,
                         const OperandArray& operand, std::vector<Bytes<Space>>& storage);

/// What examples write while they run.
struct SessionState {
  static constexpr std::int64_t none_bad = INT64_MAX;
  ProbeNotes notes;
  std::int64_t first_bad = none_bad;
};

template <class Space>
class OperandStream;

/// The collectives of one call. Those that reduce, and pbroadcast, over level 0 (and perhaps
/// others) take the operands of each run as it is done and keep little; others keep the operands of
/// all examples on this rank.
template <class Space>
class CollectiveSession {
 public:
  /// `names` of the mapped axes, outermost first; level 0 is distributed over `comm` if that is not
  /// null. Every rank of it makes the same calls.
  CollectiveSession(const IterationSpace& space, std::vector<std::string> names,
                    const Communicator* comm);
  ~CollectiveSession();
  CollectiveSession(const CollectiveSession&) = delete;
  CollectiveSession& operator=(const CollectiveSession&) = delete;

  /// For a run of one example to see what it calls next. Here and below `first_example` is the
  /// number, among all on this rank, of the first example of the body.
  Recorder prober(std::int64_t first_example = 0) const;
  /// Takes over what the probe has found (nothing if this rank has no examples), which must be
  /// alike on all ranks that have some. Collective.
  void share_probe();
  /// A probe found a collective whose result is not known yet.
  bool found() const { return !calls_.empty(); }
  /// The memory of what was found, and of the collectives that the first example calls behind it,
  /// as far as it goes on with stand-ins (and at most some thirty operands): one by one, in order.
  std::vector<CollectiveNeed> needs() const;
  /// Bytes of the results found so far.
  std::int64_t result_bytes() const;

  /// Makes room for operands. A run records at most `run_bytes` of them at once, but a whole row
  /// (index of level 0). Throws ShapeError if a collective does not fit its axes. Collective.
  void begin_recording(std::int64_t run_bytes = INT64_MAX);
  /// Examples that one run may record at most.
  std::int64_t recorded_at_once() const { return rows_at_once_ * row_examples(); }
  /// For a run that records the operands of `examples`, numbered among all on this rank: whole
  /// rows.
  Recorder recorder(std::int64_t first_example, Range examples) const;
  /// To be called after each of these runs, in the order of the examples, of which none is left
  /// out.
  void absorb(Range examples);
  /// The lowest example that called something else than the others, or -1.
  std::int64_t first_bad() const;
  /// Throws the ShapeError that says how example `example`, just probed, differs.
  [[noreturn]] void report(std::int64_t example) const;
  /// Combines what was recorded. Collective.
  void combine_recorded();

  KnownResults known(std::int64_t first_example = 0) const;

 private:
  using StateView = Kokkos::View<SessionState, Space>;
  using ResultsView = Kokkos::View<CollectiveResult*, Space>;
  using Calls = std::vector<CollectiveCall>;

  SessionState state() const;
  void share_forecast(const ProbeNotes& notes);
  void check_same() const;
  [[noreturn]] void differ(const std::string& where, const std::string& one, const Calls& calls,
                           const std::string& other, const Calls& others) const;
  void publish_results();
  std::string example_text(std::int64_t example) const;
  std::int64_t row_examples() const;
  std::int64_t row_bytes(const Calls& calls) const;
  CollectiveNeed need_of(const Calls& calls, std::size_t before, std::int64_t results,
                         std::int64_t& results_after) const;

  IterationSpace space_;
  std::vector<std::string> names_;
  const Communicator* comm_;
  StateView state_;
  Calls mine_;                                     // found by the last probe on this rank
  Calls calls_;                                    // the same on every rank
  std::vector<Calls> ahead_;                       // what rank 0's example called behind them
  std::vector<std::vector<std::int64_t>> tables_;  // what calls_ point at
  std::int64_t rows_at_once_ = 0;
  std::vector<Bytes<Space>> operands_;                          // of the calls being recorded
  std::vector<std::unique_ptr<OperandStream<Space>>> streams_;  // that take them, or none
  std::vector<CollectiveResult> results_;
  std::vector<Bytes<Space>> storage_;
  Bytes<Space> zeros_;
  ResultsView known_;
};

/// Records the operands of all examples of `body`, the first of which has the number `first` among
/// those of this rank. `check` is called after each run.
template <class Exec, int Levels, class Body, class Check>
void record_examples(const Exec& exec, const char* label, const Body& body, std::int64_t first,
                     CollectiveSession<typename Exec::memory_space>& session, const Check& check) {
  const std::int64_t count = body.space.count();
  const std::int64_t at_once = session.recorded_at_once();
  for (std::int64_t begin = 0; begin < count; begin += at_once) {
    const Range run = {begin, std::min(count, begin + at_once)};
    const Range examples = {first + run.begin, first + run.end};
    launch<Exec, Levels>(exec, label, body.with(RecordPass{{session.recorder(first, examples)}}),
                         run);
    check();
    session.absorb(examples);
  }
}

/// The runs of a map whose function takes a context: replay() as often as it has collectives, then
/// finish() with the outputs. Both are collective over the session's ranks. The label is that of
/// all launches, and has to outlive the map.
template <class Exec, int Levels>
class ReplayedMap {
 public:
  ReplayedMap(const Exec& exec, const char* label, const IterationSpace& space,
              const std::vector<std::string>& names, const Communicator* comm)
      : exec_(exec),
        label_(label),
        comm_(comm),
        count_(space.count()),
        session_(space, names, comm) {}

  /// `make_probe` makes the pass of a probe from its Recorder.
  template <class Body, class MakeProbe>
  void replay(const Body& body, const MakeProbe& make_probe) {
    const auto probe = [&](std::int64_t example) {
      launch_one(exec_, label_, body.with(make_probe(session_.prober())), example);
      exec_.fence(label_);
    };
    for (;;) {
      together(comm_, [&] {
        if (count_ > 0) probe(0);
      });
      session_.share_probe();
      if (!session_.found()) return;
      session_.begin_recording();
      together(comm_, [&] {
        record_examples<Exec, Levels>(exec_, label_, body, 0, session_, [&] { check(probe); });
      });
      session_.combine_recorded();
    }
  }

  /// The last run, from example `first` on.
  template <class Body>
  void finish(const Body& body, std::int64_t first) {
    together(comm_, [&] {
      launch<Exec, Levels>(exec_, label_, body.with(FinalPass{session_.known()}), {first, count_});
      check([&](std::int64_t example) {
        launch_one(exec_, label_, body.with(ProbePass{{session_.prober()}}), example);
        exec_.fence(label_);
      });
    });
  }

 private:
  template <class Probe>
  void check(const Probe& probe) {
    exec_.fence(label_);
    const std::int64_t bad = session_.first_bad();
    if (bad < 0) return;
    probe(bad);
    session_.report(bad);
  }

  Exec exec_;
  const char* label_;
  const Communicator* comm_;
  std::int64_t count_;
  CollectiveSession<typename Exec::memory_space> session_;
};

}  // namespace kmap::detail
