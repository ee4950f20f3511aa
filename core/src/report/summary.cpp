#include "report/summary.hpp"

#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace kmap::report {

namespace {

Spread gather(const Communicator& comm, double mine) {
  std::vector<double> all(static_cast<std::size_t>(comm.size()));
  check_mpi(MPI_Allgather(&mine, 1, MPI_DOUBLE, all.data(), 1, MPI_DOUBLE, comm.get()),
            "MPI_Allgather");
  const auto [least, most] = std::minmax_element(all.begin(), all.end());
  return {*least, std::accumulate(all.begin(), all.end(), 0.0) / comm.size(), *most};
}

std::string stage_text(const char* stage, const Spread& spread) {
  return fmt::format("  {:<6} {:>10} {:>10} {:>10}\n", stage, seconds_text(spread.least),
                     seconds_text(spread.mean), seconds_text(spread.most));
}

std::int64_t moved_bytes(const plan::Plan& plan) {
  std::int64_t bytes = 0;
  for (const plan::InputPlan& input : plan.inputs) bytes += input.whole_bytes;
  for (const plan::OutputPlan& output : plan.outputs) bytes += output.whole_bytes;
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) bytes += coordinate.bytes;
  return bytes;
}

}  // namespace

RunTimes gather_times(const Communicator& comm, const run::RankTimes& mine, double total) {
  RunTimes times;
  times.total = gather(comm, total).most;
  times.read = gather(comm, mine.read);
  times.map = gather(comm, mine.map);
  times.write = gather(comm, mine.write);
  times.wait = gather(comm, mine.wait);
  return times;
}

std::string summary_text(const config::JobConfig& job, const plan::Plan& plan,
                         const RunTimes& times) {
  const double seconds = std::max(times.total, 1e-9);
  const std::int64_t bytes = moved_bytes(plan);
  std::string text =
      fmt::format("done   {} examples, {} read and written, in {}\n", count_text(plan.examples()),
                  bytes_text(bytes), seconds_text(times.total));
  text += fmt::format("       {:.3g} examples/s, {}/s\n",
                      static_cast<double>(plan.examples()) / seconds,
                      bytes_text(static_cast<std::int64_t>(static_cast<double>(bytes) / seconds)));
  text += "  stage     least       mean       most (over ranks)\n";
  text += stage_text("read", times.read) + stage_text("map", times.map) +
          stage_text("write", times.write) + stage_text("wait", times.wait);
  return text + fmt::format("wrote  {}\n", job.output_file.string());
}

}  // namespace kmap::report
