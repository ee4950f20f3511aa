#pragma once
// How far a run is, while it goes on.

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

namespace kmap::report {

// A moment of a run.
struct Moment {
  std::int64_t rows_done = 0;
  std::int64_t rows = 0;
  double bytes_per_row = 0;  // read and written
  double seconds = 0;        // since the start of the work
};

// "[#####.......]  42 %  1 234 of 2 900 rows, 350 MiB/s, 12 s left", not longer than `width`
// characters; parts that do not fit are left out.
std::string progress_bar(const Moment& moment, int width);

// "progress  42 %, 1 234 of 2 900 rows, 350 MiB/s, 8 s so far, about 12 s left"
std::string progress_line(const Moment& moment);

// When the next line is due, after one at `seconds`: first soon, then later and later, at the
// latest after `longest`.
double next_line(double seconds, double longest);

enum class ProgressStyle {
  none,
  bar,   // on a terminal: one line, drawn again and again
  lines  // in a log
};

// What suits the standard error of this process; `quiet` wins. `TERM=dumb` gets lines.
ProgressStyle progress_style(bool quiet);

// Shows the progress of all ranks from one of them, on the standard error, in a thread of its own
// so that a long block does not silence it. Nothing of it is left on a terminal at the end.
class Progress {
 public:
  Progress(ProgressStyle style, std::int64_t rows, double bytes_per_row, double longest_interval);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Of all ranks together.
  void set_done(std::int64_t rows) { rows_done_ = rows; }

 private:
  using Clock = std::chrono::steady_clock;

  Moment now() const;
  void show_bar();
  void show_lines();
  // False when the end has come.
  bool sleep(double seconds);

  const std::int64_t rows_;
  const double bytes_per_row_;
  const double longest_interval_;
  const Clock::time_point start_ = Clock::now();
  std::atomic<std::int64_t> rows_done_ = 0;
  std::mutex mutex_;
  std::condition_variable end_;
  bool ended_ = false;
  std::thread thread_;
};

}  // namespace kmap::report
