#include "report/summary.hpp"

#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace kmap::report {

namespace {

std::string stage_line(const char* stage, const Spread& spread) {
  return fmt::format("  {:<6} {:>10} {:>10} {:>10}\n", stage, seconds_text(spread.least),
                     seconds_text(spread.mean), seconds_text(spread.most));
}

std::string memory_line(const Spread& spread) {
  const auto text = [](double bytes) { return bytes_text(static_cast<std::int64_t>(bytes)); };
  return fmt::format("  {:<6} {:>10} {:>10} {:>10}\n", "memory", text(spread.least),
                     text(spread.mean), text(spread.most));
}

std::string rate(double amount, double seconds) {
  return fmt::format("{:.3g}", amount / std::max(seconds, 1e-9));
}

std::string slow_line(const RunRecord& record) {
  const int slow = slow_rank(record);
  if (slow < 0) return "";
  const RankRecord& rank = record.ranks[static_cast<std::size_t>(slow)];
  double others = 0;
  for (const RankRecord& other : record.ranks) others += other.busy();
  others = (others - rank.busy()) / static_cast<double>(record.ranks.size() - 1);
  return fmt::format("slow   rank {} on {} worked for {}, the others for {} on average\n", slow,
                     rank.host, seconds_text(rank.busy()), seconds_text(others));
}

}  // namespace

std::string summary_text(const config::JobConfig& job, const plan::Plan& plan,
                         const RunRecord& record) {
  const std::int64_t in = bytes_read(plan);
  const std::int64_t out = bytes_written(plan);
  const double bytes_per_second = static_cast<double>(in + out) / std::max(record.seconds, 1e-9);
  std::string text =
      fmt::format("done   {} examples, {} read, {} written, in {}\n", count_text(plan.examples()),
                  bytes_text(in), bytes_text(out), seconds_text(record.seconds));
  text += fmt::format("       {} examples/s, {}/s\n",
                      rate(static_cast<double>(plan.examples()), record.seconds),
                      bytes_text(static_cast<std::int64_t>(bytes_per_second)));
  text += "  stage     least       mean       most (over ranks)\n";
  text += stage_line("read", record.spread(&run::RankTimes::read));
  text += stage_line("map", record.spread(&run::RankTimes::map));
  text += stage_line("write", record.spread(&run::RankTimes::write));
  text += stage_line("wait", record.spread(&run::RankTimes::wait));
  text += memory_line(record.peak_memory());
  text += slow_line(record);
  return text + fmt::format("wrote  {}\n", job.output_file.string());
}

}  // namespace kmap::report
