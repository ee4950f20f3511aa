#include "report/progress.hpp"

#include "report/text.hpp"
#include "runtime/environment.hpp"
#include "runtime/launcher.hpp"

#include <fmt/format.h>

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <vector>

namespace kmap::report {

namespace {

int percent(const Moment& moment) {
  if (moment.rows <= 0) return 100;
  return static_cast<int>(100.0 * static_cast<double>(moment.rows_done) /
                          static_cast<double>(moment.rows));
}

std::string rows_text(const Moment& moment) {
  return fmt::format("{} of {} rows", count_text(moment.rows_done), count_text(moment.rows));
}

std::string rate_text(const Moment& moment) {
  const double bytes = static_cast<double>(moment.rows_done) * moment.bytes_per_row;
  return bytes_text(static_cast<std::int64_t>(bytes / std::max(moment.seconds, 1e-9))) + "/s";
}

// Empty while nothing is known.
std::string left_text(const Moment& moment) {
  if (moment.rows_done <= 0) return "";
  const auto left = static_cast<double>(moment.rows - moment.rows_done);
  return seconds_text(moment.seconds * left / static_cast<double>(moment.rows_done)) + " left";
}

int terminal_width() {
  struct winsize size{};
  const bool known = ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

// At once, so that nothing comes between its parts.
void put(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace

std::string progress_bar(const Moment& moment, int width) {
  constexpr int least_bar = 10, most_bar = 30;
  std::string text = fmt::format("{:3} %", percent(moment));
  std::vector<std::string> parts = {rows_text(moment)};
  if (moment.rows_done > 0) parts.insert(parts.end(), {left_text(moment), rate_text(moment)});
  // What tells most comes first: the bar, the time that is left.
  if (parts.size() > 1) std::swap(parts[0], parts[1]);
  for (const std::string& part : parts) {
    const std::string longer = text + (text.ends_with('%') ? "  " : ", ") + part;
    if (static_cast<int>(longer.size()) <= width - least_bar - 4) text = longer;
  }
  const int bar = std::min(most_bar, width - static_cast<int>(text.size()) - 4);
  if (bar < least_bar) return text.substr(0, static_cast<std::size_t>(std::max(0, width)));
  const int filled = percent(moment) * bar / 100;
  return fmt::format("[{}{}] {}", std::string(static_cast<std::size_t>(filled), '#'),
                     std::string(static_cast<std::size_t>(bar - filled), '.'), text);
}

std::string progress_line(const Moment& moment) {
  std::string text = fmt::format("progress  {} %, {}", percent(moment), rows_text(moment));
  if (moment.rows_done > 0) text += ", " + rate_text(moment);
  text += ", " + seconds_text(moment.seconds) + " so far";
  const std::string left = left_text(moment);
  return left.empty() ? text : text + ", about " + left;
}

double next_line(double seconds, double longest) {
  constexpr double first = 2;
  return seconds + std::min(longest, std::max(std::min(first, longest), seconds));
}

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::none;
  const bool draws = detail::own_variable("TERM").value_or("dumb") != "dumb";
  // A launcher may give its ranks a terminal whose other end is a file.
  const bool is_own = !detail::is_launched(detail::own_variable);
  return ::isatty(STDERR_FILENO) == 1 && draws && is_own ? ProgressStyle::bar
                                                         : ProgressStyle::lines;
}

Progress::Progress(ProgressStyle style, std::int64_t rows, double bytes_per_row,
                   double longest_interval)
    : rows_(rows), bytes_per_row_(bytes_per_row), longest_interval_(longest_interval) {
  if (style == ProgressStyle::bar) thread_ = std::thread([this] { show_bar(); });
  if (style == ProgressStyle::lines) thread_ = std::thread([this] { show_lines(); });
}

Progress::~Progress() {
  {
    const std::lock_guard lock(mutex_);
    ended_ = true;
  }
  end_.notify_all();
  if (thread_.joinable()) thread_.join();
}

Moment Progress::now() const {
  const std::chrono::duration<double> passed = Clock::now() - start_;
  return {rows_done_, rows_, bytes_per_row_, passed.count()};
}

bool Progress::sleep(double seconds) {
  std::unique_lock lock(mutex_);
  const auto until = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(seconds));
  return !end_.wait_until(lock, until, [this] { return ended_; });
}

// A job that takes no time draws nothing. A line is drawn over the one before and the rest wiped,
// not all of it first, so that it does not flicker; the last column stays free, so that it does not
// wrap.
void Progress::show_bar() {
  constexpr double between = 0.2;
  constexpr const char* wipe_rest = "\x1b[K";
  bool is_drawn = false;
  while (sleep(between)) {
    put("\r" + progress_bar(now(), terminal_width() - 1) + wipe_rest);
    is_drawn = true;
  }
  if (is_drawn) put(std::string("\r") + wipe_rest);
}

void Progress::show_lines() {
  for (double due = next_line(0, longest_interval_); sleep(due - now().seconds);
       due = next_line(now().seconds, longest_interval_)) {
    put(progress_line(now()) + "\n");
  }
}

}  // namespace kmap::report
