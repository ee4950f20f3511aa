#pragma once
// The collectives of one call of a mapped function: what examples have called, the operands, the
// results. Orders the runs over the examples; the work is in core/src/collect.

#include "kmap/communicator.hpp"
#include "kmap/detail/launch.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/pass.hpp"
#include "kmap/detail/replay.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
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
  CollectiveCall found[max_joint];
  int window = 0;
  std::int64_t first_bad = none_bad;
};

template <class Space>
class CollectiveSession {
 public:
  /// `names` of the mapped axes, outermost first; level 0 is distributed over `comm` if that is not
  /// null. Every rank of it makes the same calls.
  CollectiveSession(const IterationSpace& space, std::vector<std::string> names,
                    const Communicator* comm);

  /// For a run of one example to see what it calls next. Here and below `first_example` is the
  /// number, among all on this rank, of the first example of the run.
  Recorder prober(std::int64_t first_example = 0) const;
  /// Takes over what the probe has found (nothing if this rank has no examples), which must be
  /// alike on all ranks that have some. Collective.
  void share_probe();
  /// A probe found a collective whose result is not known yet.
  bool found() const { return !calls_.empty(); }
  /// Makes room for the operands of all examples on this rank.
  void allocate_operands();
  /// Bytes of that room, and of the results found so far.
  std::int64_t operand_bytes() const;
  std::int64_t result_bytes() const;
  /// For a run that records operands.
  Recorder recorder(std::int64_t first_example = 0) const;
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

  SessionState state() const;
  std::vector<CollectiveCall> probed() const;
  void check_same() const;
  [[noreturn]] void differ(const std::string& where, const std::string& one,
                           const std::vector<CollectiveCall>& calls, const std::string& other,
                           const std::vector<CollectiveCall>& others) const;
  void publish_results();
  std::string example_text(std::int64_t example) const;

  IterationSpace space_;
  std::vector<std::string> names_;
  const Communicator* comm_;
  StateView state_;
  std::vector<CollectiveCall> mine_;               // found by the last probe on this rank
  std::vector<CollectiveCall> calls_;              // the same on every rank
  std::vector<std::vector<std::int64_t>> tables_;  // what those point at
  std::vector<Bytes<Space>> operands_;             // of the calls being recorded
  std::vector<CollectiveResult> results_;
  std::vector<Bytes<Space>> storage_;
  Bytes<Space> zeros_;
  ResultsView known_;
};

/// The runs of a map whose function takes a context: replay() as often as it has collectives, then
/// finish() with the outputs. Both are collective over the session's ranks.
template <class Exec, int Levels>
class ReplayedMap {
 public:
  ReplayedMap(const Exec& exec, std::string label, const IterationSpace& space,
              const std::vector<std::string>& names, const Communicator* comm)
      : exec_(exec),
        label_(std::move(label)),
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
      together(comm_, [&] {
        session_.allocate_operands();
        launch<Exec, Levels>(exec_, label_, body.with(RecordPass{{session_.recorder()}}));
        check(probe);
      });
      session_.combine_recorded();
    }
  }

  /// The last run, from example `first` on.
  template <class Body>
  void finish(const Body& body, std::int64_t first) {
    together(comm_, [&] {
      launch<Exec, Levels>(exec_, label_, body.with(FinalPass{session_.known()}), first);
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
  std::string label_;
  const Communicator* comm_;
  std::int64_t count_;
  CollectiveSession<typename Exec::memory_space> session_;
};

}  // namespace kmap::detail
