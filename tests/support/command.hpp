#pragma once
// Runs a command and catches all that it says: for tests of the command line.

#include <chrono>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <string>
#include <vector>

namespace kmap::test {

struct CommandOptions {
  std::map<std::string, std::string> environment;  // set in addition to the test's own
  std::vector<std::string> unset;                  // removed from it
  std::filesystem::path folder;                    // where it runs; empty: here
  std::chrono::seconds limit{60};                  // then it is killed, its process group too
};

struct CommandResult {
  int exit_code = -1;  // -1 when a signal ended it
  int signal = 0;      // the signal that ended it
  bool timed_out = false;
  std::string out;
  std::string err;
};

// Runs `words`, the first of which is looked up in PATH. Standard input is empty. Throws
// std::runtime_error if it cannot start.
CommandResult run_command(const std::vector<std::string>& words,
                          const CommandOptions& options = {});

// As run_command, on a terminal of `width` columns: what the command writes to it, to standard
// output or error, is all in `out`, with "\r\n" at the ends of lines. TERM is xterm unless
// `options` say otherwise.
CommandResult run_in_terminal(const std::vector<std::string>& words, int width,
                              const CommandOptions& options = {});

// Shown by GoogleTest where an expectation about a result fails: EXPECT_EQ(r.exit_code, 0) << r;
std::ostream& operator<<(std::ostream& stream, const CommandResult& result);

// The environment as it is now is the one that commands get. Called before MPI starts: MPI leaves
// variables behind that keep a child from starting MPI itself.
void remember_environment();

}  // namespace kmap::test
