#include "kmap/detail/collective_session.hpp"

#include "collect/call_text.hpp"

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

/// The strides of arrays that lie row-major, example after example.
OperandArray recorded_array(const IterationSpace& space, const CollectiveCall& call,
                            const void* data) {
  OperandArray array;
  array.data = data;
  std::int64_t stride = 1;
  for (int d = call.rank - 1; d >= 0; --d) {
    array.core_strides[d] = stride;
    stride *= call.extents[d];
  }
  for (int l = space.levels - 1; l >= 0; --l) {
    array.level_strides[l] = stride;
    stride *= space.extents[l];
  }
  return array;
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
  recorder.found = state_.data()->found;
  recorder.found_window = &state_.data()->window;
  return recorder;
}

template <class Space>
std::vector<CollectiveCall> CollectiveSession<Space>::probed() const {
  const SessionState state = this->state();
  return {state.found, state.found + state.window};
}

template <class Space>
void CollectiveSession<Space>::share_probe() {
  mine_ = probed();
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), state_);
  host().window = 0;
  Kokkos::deep_copy(state_, host);
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
std::int64_t CollectiveSession<Space>::operand_bytes() const {
  std::int64_t bytes = 0;
  for (const CollectiveCall& call : calls_) {
    bytes += space_.count() * call.size() * static_cast<std::int64_t>(size_of(call.dtype));
  }
  return bytes;
}

template <class Space>
std::int64_t CollectiveSession<Space>::result_bytes() const {
  std::int64_t bytes = 0;
  for (const auto& block : storage_) bytes += static_cast<std::int64_t>(block.size());
  return bytes;
}

template <class Space>
void CollectiveSession<Space>::allocate_operands() {
  operands_.clear();
  for (const CollectiveCall& call : calls_) {
    operands_.emplace_back(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:collect:operands"),
        static_cast<std::size_t>(space_.count() * call.size()) * size_of(call.dtype));
  }
}

template <class Space>
Recorder CollectiveSession<Space>::recorder(std::int64_t first_example) const {
  Recorder recorder;
  recorder.known = known(first_example);
  recorder.window = static_cast<int>(calls_.size());
  for (std::size_t c = 0; c < calls_.size(); ++c) {
    // Tables are compared by where they are on this rank.
    recorder.expected[c] = c < mine_.size() ? mine_[c] : calls_[c];
    recorder.operands[c] = operands_[c].data();
  }
  return recorder;
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
  differ("among examples", example_text(example), probed(), example_text(0), mine_);
}

template <class Space>
void CollectiveSession<Space>::combine_recorded() {
  for (std::size_t c = 0; c < calls_.size(); ++c) {
    const OperandArray operand = recorded_array(space_, calls_[c], operands_[c].data());
    results_.push_back(combine<Space>(space_, names_, comm_, calls_[c], operand, storage_));
  }
  operands_.clear();
  publish_results();
}

template class CollectiveSession<Kokkos::HostSpace>;

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
template class CollectiveSession<Kokkos::DefaultExecutionSpace::memory_space>;
#endif

}  // namespace kmap::detail
