#include "kmap/detail/collective_session.hpp"

#include "collect/call_text.hpp"
#include "collect/check_call.hpp"
#include "collect/memory.hpp"
#include "collect/stream.hpp"
#include "collect/task.hpp"

#include "kmap/detail/profiling.hpp"
#include "kmap/error.hpp"
#include "kmap/shape.hpp"

#include <algorithm>

namespace kmap::detail {

namespace {

std::vector<std::int64_t> table_of(const CollectiveCall& call) {
  if (call.table == nullptr) return {};
  return {call.table, call.table + call.table[0]};
}

/// A vector of rank 0 on every rank. Collective.
template <class T>
void share(const Communicator& comm, std::vector<T>& values) {
  std::int64_t size = static_cast<std::int64_t>(values.size());
  comm.broadcast(&size, sizeof size);
  values.resize(static_cast<std::size_t>(size));
  comm.broadcast(values.data(), values.size() * sizeof(T));
}

/// n of the axes of a call.
std::int64_t place_count(const IterationSpace& space, const CollectiveCall& call) {
  std::int64_t places = 1;
  for (int a = 0; a < call.axis_count; ++a) places *= space.length[call.axes[a]];
  return places;
}

/// Operands of a run: they should stay in the caches, on a device fill it.
template <class Space>
constexpr std::int64_t run_target =
    std::int64_t{std::is_same_v<Space, Kokkos::HostSpace> ? 2 : 64} << 20;

/// The operands of the first collective noted; of one alone after the function threw.
std::vector<CollectiveCall> first_noted(const ProbeNotes& notes) {
  const int count = notes.count == 0 ? 0 : std::min(notes.count, notes.joint[0]);
  return {notes.calls, notes.calls + count};
}

}  // namespace

template <class Space>
CollectiveSession<Space>::CollectiveSession(const IterationSpace& space,
                                            std::vector<std::string> names,
                                            const Communicator* comm)
    : space_(space),
      names_(std::move(names)),
      comm_(comm),
      state_(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:collect:state")) {
  const auto host = Kokkos::create_mirror_view(state_);
  host() = SessionState();
  Kokkos::deep_copy(state_, host);
  publish_results();
}

template <class Space>
CollectiveSession<Space>::~CollectiveSession() = default;

template <class Space>
SessionState CollectiveSession<Space>::state() const {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state_);
  return host();
}

// The results in the memory of the map, and behind them the one that is all zeros.
template <class Space>
void CollectiveSession<Space>::publish_results() {
  if (zeros_.size() == 0) zeros_ = Bytes<Space>("kmap:collect:zeros", 16);
  known_ = ResultsView(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:collect:results"),
                       results_.size() + 1);
  const auto host = Kokkos::create_mirror_view(known_);
  std::copy(results_.begin(), results_.end(), host.data());
  CollectiveResult none;
  none.data = zeros_.data();
  host(results_.size()) = none;
  Kokkos::deep_copy(known_, host);
}

template <class Space>
KnownResults CollectiveSession<Space>::known(std::int64_t first_example) const {
  return {known_.data(), static_cast<int>(results_.size()), &state_.data()->first_bad,
          first_example};
}

template <class Space>
Recorder CollectiveSession<Space>::prober(std::int64_t first_example) const {
  Recorder recorder;
  recorder.known = known(first_example);
  recorder.notes = &state_.data()->notes;
  return recorder;
}

template <class Space>
void CollectiveSession<Space>::share_probe() {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state_);
  const ProbeNotes notes = host().notes;
  host().notes.count = 0;
  Kokkos::deep_copy(state_, host);
  mine_ = first_noted(notes);
  calls_ = mine_;
  tables_.clear();
  for (const CollectiveCall& call : calls_) tables_.push_back(table_of(call));
  if (comm_ != nullptr) {
    // Rank 0 has an example if any rank has one.
    share(*comm_, calls_);
    tables_.resize(calls_.size());
    for (auto& table : tables_) share(*comm_, table);
    agreed(*comm_, [&] { check_same(); });
  }
  for (std::size_t c = 0; c < calls_.size(); ++c) {
    calls_[c].table = tables_[c].empty() ? nullptr : tables_[c].data();
  }
  share_forecast(notes);
}

template <class Space>
void CollectiveSession<Space>::share_forecast(const ProbeNotes& notes) {
  Calls calls(notes.calls, notes.calls + notes.count);
  std::vector<int> joint(notes.joint, notes.joint + notes.count);
  if (comm_ != nullptr) {
    share(*comm_, calls);
    share(*comm_, joint);
  }
  ahead_.clear();
  for (std::size_t c = calls_.size(); c < calls.size();) {
    const std::size_t end = std::min(calls.size(), c + static_cast<std::size_t>(joint[c]));
    ahead_.emplace_back();
    for (; c < end; ++c) {
      calls[c].table = nullptr;  // an address on rank 0
      ahead_.back().push_back(calls[c]);
    }
  }
}

template <class Space>
void CollectiveSession<Space>::check_same() const {
  if (space_.count() == 0) return;
  bool same = mine_.size() == calls_.size();
  for (std::size_t c = 0; c < calls_.size() && same; ++c) {
    CollectiveCall call = mine_[c];
    same = table_of(call) == tables_[c];
    call.table = calls_[c].table;  // an address on rank 0, which means nothing here
    same = same && call == calls_[c];
  }
  if (!same) {
    differ("between ranks", example_text(0) + " on rank " + std::to_string(comm_->rank()), mine_,
           "the first example on rank 0", calls_);
  }
}

template <class Space>
void CollectiveSession<Space>::differ(const std::string& where, const std::string& one,
                                      const std::vector<CollectiveCall>& calls,
                                      const std::string& other,
                                      const std::vector<CollectiveCall>& others) const {
  const auto text = [&](const std::vector<CollectiveCall>& list, std::size_t part) {
    return part < list.size() ? call_text(list[part], names_) : "no further collective";
  };
  std::size_t part = 0;
  const std::size_t most = std::max(calls.size(), others.size());
  while (part + 1 < most && text(calls, part) == text(others, part)) ++part;
  const std::string first = text(calls, part);
  const std::string second = text(others, part);
  throw ShapeError("collective " + std::to_string(results_.size() + 1 + part) + " differs " +
                       where + ": " + one + " calls " + first + ", " + other + " calls " + second +
                       (first == second ? " with other arguments" : ""),
                   "all examples must call the same collectives in the same order, with operands "
                   "of the same type and shape and the same arguments");
}

template <class Space>
std::int64_t CollectiveSession<Space>::row_examples() const {
  std::int64_t examples = 1;
  for (int l = 1; l < space_.levels; ++l) examples *= space_.extents[l];
  return examples;
}

template <class Space>
std::int64_t CollectiveSession<Space>::row_bytes(const Calls& calls) const {
  std::int64_t bytes = 0;
  for (const CollectiveCall& call : calls) {
    bytes += call.size() * static_cast<std::int64_t>(size_of(call.dtype));
  }
  return bytes * row_examples();
}

template <class Space>
CollectiveNeed CollectiveSession<Space>::need_of(const Calls& calls, std::size_t before,
                                                 std::int64_t results,
                                                 std::int64_t& results_after) const {
  CollectiveNeed need;
  need.number = before + 1;
  need.call = call_text(calls.front(), names_) +
              (calls.size() > 1 ? " and " + std::to_string(calls.size() - 1) + " more" : "") +
              " for " + std::to_string(place_count(space_, calls.front())) + " examples";
  need.recording = results;
  results_after = results;
  std::int64_t most = 0;  // beyond what is recorded, while one after the other is combined
  for (const CollectiveCall& call : calls) {
    const CallMemory memory = memory_of(space_, comm_, call);
    need.recording = plus(need.recording, memory.recording);
    most = std::max(most, plus(results_after - results, memory.combining - memory.recording));
    results_after = plus(results_after, memory.result);
  }
  need.combining = plus(need.recording, most);
  if (is_streamed(calls.front())) {
    need.least_run = row_bytes(calls);
    const std::int64_t rows =
        std::max<std::int64_t>(1, run_target<Space> / std::max<std::int64_t>(need.least_run, 1));
    need.run = need.least_run * std::min(rows, space_.extents[0]);
  }
  return need;
}

template <class Space>
std::vector<CollectiveNeed> CollectiveSession<Space>::needs() const {
  std::vector<CollectiveNeed> needs;
  if (!found()) return needs;
  std::size_t before = results_.size();
  std::int64_t results = result_bytes();
  needs.push_back(need_of(calls_, before, results, results));
  before += calls_.size();
  for (const Calls& calls : ahead_) {
    needs.push_back(need_of(calls, before, results, results));
    before += calls.size();
  }
  return needs;
}

template <class Space>
std::int64_t CollectiveSession<Space>::result_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& block : storage_) bytes += static_cast<std::int64_t>(block.size());
  return bytes;
}

template <class Space>
void CollectiveSession<Space>::begin_recording(std::int64_t run_bytes) {
  operands_.clear();
  streams_.clear();
  rows_at_once_ = space_.extents[0];
  const bool streams = is_streamed(calls_.front());
  if (streams) {
    const std::int64_t row = std::max<std::int64_t>(row_bytes(calls_), 1);
    rows_at_once_ = std::clamp<std::int64_t>(std::min(run_bytes, run_target<Space>) / row, 1,
                                             std::max<std::int64_t>(1, rows_at_once_));
  }
  together(comm_, [&] {
    for (const CollectiveCall& call : calls_) {
      if (streams) {
        streams_.push_back(
            make_stream<Space>(space_, comm_, check_call(call, names_, place_count(space_, call))));
      }
      operands_.push_back(allocate<Space>(
          static_cast<std::size_t>(recorded_at_once() * call.size()) * size_of(call.dtype)));
    }
  });
}

template <class Space>
Recorder CollectiveSession<Space>::recorder(std::int64_t first_example, Range examples) const {
  Recorder recorder;
  recorder.known = known(first_example);
  recorder.window = static_cast<int>(calls_.size());
  recorder.first_operand = streams_.empty() ? 0 : examples.begin;
  for (std::size_t c = 0; c < calls_.size(); ++c) {
    // Tables are compared by where they are on this rank.
    recorder.expected[c] = c < mine_.size() ? mine_[c] : calls_[c];
    recorder.operands[c] = operands_[c].data();
  }
  return recorder;
}

template <class Space>
void CollectiveSession<Space>::absorb(Range examples) {
  const std::int64_t row = row_examples();
  if (streams_.empty() || row == 0) return;
  const Range rows = {examples.begin / row, examples.end / row};
  for (std::size_t c = 0; c < streams_.size(); ++c) {
    streams_[c]->absorb(rows, operands_[c].data());
  }
}

template <class Space>
std::int64_t CollectiveSession<Space>::first_bad() const {
  const std::int64_t bad = state().first_bad;
  return bad == SessionState::none_bad ? -1 : bad;
}

template <class Space>
std::string CollectiveSession<Space>::example_text(std::int64_t example) const {
  std::vector<std::int64_t> index(static_cast<std::size_t>(space_.levels));
  for (int l = space_.levels - 1; l >= 0; --l) {
    index[static_cast<std::size_t>(l)] = space_.offset[l] + example % space_.extents[l];
    example /= space_.extents[l];
  }
  std::string text = "example (";
  const char* separator = "";
  for (int l = 0; l < space_.levels; ++l) {
    const std::string& name = names_[static_cast<std::size_t>(l)];
    if (name.empty() && space_.extents[l] == 1 && space_.levels > 1) continue;
    text += separator + (name.empty() ? "" : name + " = ") +
            std::to_string(index[static_cast<std::size_t>(l)]);
    separator = ", ";
  }
  return text + ")";
}

template <class Space>
void CollectiveSession<Space>::report(std::int64_t example) const {
  differ("among examples", example_text(example), first_noted(state().notes), example_text(0),
         mine_);
}

template <class Space>
void CollectiveSession<Space>::combine_recorded() {
  if (!streams_.empty()) operands_.clear();
  for (std::size_t c = 0; c < calls_.size(); ++c) {
    const Region region("kmap:collect:", name_of(calls_[c].kind));
    if (!streams_.empty()) {
      results_.push_back(streams_[c]->finish(storage_));
      streams_[c].reset();
      continue;
    }
    const OperandArray operand = recorded_array(space_, calls_[c], operands_[c].data());
    results_.push_back(combine<Space>(space_, names_, comm_, calls_[c], operand, storage_));
  }
  operands_.clear();
  streams_.clear();
  publish_results();
}

template class CollectiveSession<Kokkos::HostSpace>;

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template class CollectiveSession<Kokkos::DefaultExecutionSpace::memory_space>;
#endif

}  // namespace kmap::detail
