#include "support/command.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ostream>
#include <stdexcept>
#include <system_error>

extern char** environ;

namespace kmap::test {

namespace {

std::vector<std::string> current_environment() {
  std::vector<std::string> entries;
  for (char** entry = environ; *entry != nullptr; ++entry) entries.emplace_back(*entry);
  return entries;
}

std::vector<std::string>& remembered() {
  static std::vector<std::string> entries;
  return entries;
}

std::vector<std::string> child_environment(const CommandOptions& options) {
  std::map<std::string, std::string> variables;
  for (const std::string& entry : remembered().empty() ? current_environment() : remembered()) {
    const std::size_t equals = entry.find('=');
    if (equals != std::string::npos) variables[entry.substr(0, equals)] = entry.substr(equals + 1);
  }
  for (const auto& [name, value] : options.environment) variables[name] = value;
  for (const std::string& name : options.unset) variables.erase(name);
  std::vector<std::string> entries;
  for (const auto& [name, value] : variables) entries.push_back(name + "=" + value);
  return entries;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
  std::vector<char*> result;
  for (std::string& text : strings) result.push_back(text.data());
  result.push_back(nullptr);
  return result;
}

struct Pipe {
  Pipe() {
    if (pipe2(ends.data(), O_CLOEXEC) != 0)
      throw std::system_error(errno, std::generic_category(), "pipe");
  }
  ~Pipe() {
    close_read();
    close_write();
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  void close_read() { close_end(0); }
  void close_write() { close_end(1); }
  void close_end(std::size_t i) {
    if (ends[i] >= 0) close(ends[i]);
    ends[i] = -1;
  }
  std::array<int, 2> ends{-1, -1};
};

// In the child between fork and exec: only calls that are safe there. What fails is told through
// `failure`.
[[noreturn]] void become(char** words, char** environment, const char* folder, int out, int err,
                         int failure) {
  setpgid(0, 0);
  const int nothing = open("/dev/null", O_RDONLY);
  if (nothing >= 0 && dup2(nothing, 0) >= 0 && dup2(out, 1) >= 0 && dup2(err, 2) >= 0 &&
      (folder == nullptr || chdir(folder) == 0)) {
    execvpe(words[0], words, environment);
  }
  const int reason = errno;
  if (write(failure, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

[[noreturn]] void become_on_terminal(char** words, char** environment, const char* folder,
                                     int failure) {
  if (folder == nullptr || chdir(folder) == 0) execvpe(words[0], words, environment);
  const int reason = errno;
  if (write(failure, &reason, sizeof reason) < 0) _exit(126);
  _exit(127);
}

// Reads what is there; false at the end.
bool drain(int descriptor, std::string& text) {
  std::array<char, 65536> buffer;
  const ssize_t count = read(descriptor, buffer.data(), buffer.size());
  if (count > 0) text.append(buffer.data(), static_cast<std::size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

int milliseconds_until(std::chrono::steady_clock::time_point end) {
  return static_cast<int>(
      std::chrono::duration_cast<std::chrono::milliseconds>(end - std::chrono::steady_clock::now())
          .count());
}

// Waits for the child and notes how it ended.
void finish(pid_t child, const Pipe& failure, const std::string& name, CommandResult& result) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  int reason = 0;
  if (read(failure.ends[0], &reason, sizeof reason) == static_cast<ssize_t>(sizeof reason)) {
    throw std::runtime_error("cannot start " + name + ": " + std::strerror(reason));
  }
  if (WIFEXITED(status)) result.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) result.signal = WTERMSIG(status);
}

}  // namespace

void remember_environment() { remembered() = current_environment(); }

CommandResult run_command(const std::vector<std::string>& words, const CommandOptions& options) {
  if (words.empty()) throw std::runtime_error("run_command: no words");
  std::vector<std::string> word_copies = words;
  std::vector<std::string> entries = child_environment(options);
  const std::vector<char*> argv = pointers(word_copies);
  const std::vector<char*> envp = pointers(entries);
  const std::string folder = options.folder.string();

  Pipe out, err, failure;
  const pid_t child = fork();
  if (child < 0) throw std::system_error(errno, std::generic_category(), "fork");
  if (child == 0) {
    become(const_cast<char**>(argv.data()), const_cast<char**>(envp.data()),
           folder.empty() ? nullptr : folder.c_str(), out.ends[1], err.ends[1], failure.ends[1]);
  }
  out.close_write();
  err.close_write();
  failure.close_write();

  CommandResult result;
  const auto end = std::chrono::steady_clock::now() + options.limit;
  while (out.ends[0] >= 0 || err.ends[0] >= 0) {
    const int left = milliseconds_until(end);
    if (left <= 0) {
      result.timed_out = true;
      kill(-child, SIGKILL);
      break;
    }
    std::array<pollfd, 2> waiting{pollfd{out.ends[0], POLLIN, 0}, pollfd{err.ends[0], POLLIN, 0}};
    if (poll(waiting.data(), waiting.size(), left) <= 0) continue;
    if (waiting[0].revents != 0 && !drain(out.ends[0], result.out)) out.close_read();
    if (waiting[1].revents != 0 && !drain(err.ends[0], result.err)) err.close_read();
  }

  finish(child, failure, words[0], result);
  return result;
}

CommandResult run_in_terminal(const std::vector<std::string>& words, int width,
                              const CommandOptions& options) {
  if (words.empty()) throw std::runtime_error("run_in_terminal: no words");
  CommandOptions with = options;
  with.environment.emplace("TERM", "xterm");
  std::vector<std::string> word_copies = words;
  std::vector<std::string> entries = child_environment(with);
  const std::vector<char*> argv = pointers(word_copies);
  const std::vector<char*> envp = pointers(entries);
  const std::string folder = options.folder.string();

  Pipe failure;
  Pipe terminal;  // only its first end is used
  terminal.close_read();
  terminal.close_write();
  winsize size{};
  size.ws_row = 24;
  size.ws_col = static_cast<unsigned short>(width);
  const pid_t child = forkpty(terminal.ends.data(), nullptr, nullptr, &size);
  if (child < 0) throw std::system_error(errno, std::generic_category(), "forkpty");
  if (child == 0) {
    become_on_terminal(const_cast<char**>(argv.data()), const_cast<char**>(envp.data()),
                       folder.empty() ? nullptr : folder.c_str(), failure.ends[1]);
  }
  failure.close_write();

  CommandResult result;
  const auto end = std::chrono::steady_clock::now() + options.limit;
  while (terminal.ends[0] >= 0) {
    const int left = milliseconds_until(end);
    if (left <= 0) {
      result.timed_out = true;
      kill(-child, SIGKILL);  // the child leads a session and so a group of its own
      break;
    }
    pollfd waiting{terminal.ends[0], POLLIN, 0};
    if (poll(&waiting, 1, left) <= 0) continue;
    // A terminal that nobody has open any more ends with the error EIO.
    if (waiting.revents != 0 && !drain(terminal.ends[0], result.out)) terminal.close_read();
  }
  finish(child, failure, words[0], result);
  return result;
}

std::ostream& operator<<(std::ostream& stream, const CommandResult& result) {
  stream << "\nexit code " << result.exit_code;
  if (result.signal != 0) stream << ", ended by signal " << result.signal;
  if (result.timed_out) stream << ", after its time limit";
  return stream << "\n--- stdout\n" << result.out << "--- stderr\n" << result.err << "---\n";
}

}  // namespace kmap::test
