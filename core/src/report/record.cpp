#include "report/record.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <numeric>

namespace kmap::report {

namespace {

// As it goes over the wire.
struct Numbers {
  run::RankTimes times;
  std::int64_t peak_memory;
  int threads;
  int device;
};

std::int64_t peak_memory_of_process() {
  struct rusage usage{};
  if (getrusage(RUSAGE_SELF, &usage) != 0) return 0;
  return std::int64_t{usage.ru_maxrss} * 1024;  // Linux counts in KiB
}

Spread spread_of(const std::vector<double>& values) {
  if (values.empty()) return {};
  const auto [least, most] = std::minmax_element(values.begin(), values.end());
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  return {*least, sum / static_cast<double>(values.size()), *most};
}

std::vector<std::string> gather_texts(const Communicator& comm, const std::string& mine) {
  constexpr std::size_t most = 64;  // of a host's name
  std::string own = mine.substr(0, most);
  own.resize(most, '\0');
  std::string all(comm.is_root() ? most * static_cast<std::size_t>(comm.size()) : 0, '\0');
  check_mpi(MPI_Gather(own.data(), most, MPI_CHAR, all.data(), most, MPI_CHAR, 0, comm.get()),
            "MPI_Gather");
  std::vector<std::string> texts;
  for (std::size_t at = 0; at < all.size(); at += most) texts.emplace_back(all.c_str() + at);
  return texts;
}

}  // namespace

Spread RunRecord::spread(double run::RankTimes::* stage) const {
  std::vector<double> values;
  for (const RankRecord& rank : ranks) values.push_back(rank.times.*stage);
  return spread_of(values);
}

Spread RunRecord::peak_memory() const {
  std::vector<double> values;
  for (const RankRecord& rank : ranks) values.push_back(static_cast<double>(rank.peak_memory));
  return spread_of(values);
}

RunRecord gather_record(const Communicator& comm, const Placement& placement,
                        const run::RankTimes& mine, double seconds) {
  const Numbers own = {mine, peak_memory_of_process(), placement.threads, placement.device};
  std::vector<Numbers> all(comm.is_root() ? static_cast<std::size_t>(comm.size()) : 0);
  check_mpi(MPI_Gather(&own, sizeof own, MPI_BYTE, all.data(), sizeof own, MPI_BYTE, 0, comm.get()),
            "MPI_Gather");
  const std::vector<std::string> hosts = gather_texts(comm, placement.host);
  RunRecord record;
  record.seconds = seconds;
  for (std::size_t rank = 0; rank < all.size(); ++rank) {
    const Numbers& numbers = all[rank];
    record.ranks.push_back({hosts[rank], numbers.threads, numbers.device, numbers.times.rows,
                            numbers.peak_memory, numbers.times});
  }
  return record;
}

// Much: a quarter more than the middle one, a twentieth of the whole time, a tenth of a second.
// Ranks differ by a little always, and by a lot when there is next to nothing to do.
int slow_rank(const RunRecord& record) {
  if (record.ranks.size() < 2) return -1;
  std::vector<double> busy;
  for (const RankRecord& rank : record.ranks) busy.push_back(rank.busy());
  const auto slowest = std::max_element(busy.begin(), busy.end());
  std::vector<double> sorted = busy;
  std::sort(sorted.begin(), sorted.end());
  const double middle = sorted[(sorted.size() - 1) / 2];
  const double more = *slowest - middle;
  const bool much = more > 0.25 * middle && more > 0.05 * record.seconds && more > 0.1;
  return much ? static_cast<int>(slowest - busy.begin()) : -1;
}

std::int64_t bytes_read(const plan::Plan& plan) {
  std::int64_t bytes = 0;
  for (const plan::InputPlan& input : plan.inputs) bytes += input.whole_bytes;
  return bytes;
}

std::int64_t bytes_written(const plan::Plan& plan) {
  std::int64_t bytes = 0;
  for (const plan::OutputPlan& output : plan.outputs) bytes += output.whole_bytes;
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) bytes += coordinate.bytes;
  return bytes;
}

}  // namespace kmap::report
