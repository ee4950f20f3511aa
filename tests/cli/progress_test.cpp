// What a run shows while it goes on: a bar on a terminal, lines in a log, nothing with --quiet.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <algorithm>

namespace kmap::test {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Progress : public JobFolder {
 protected:
  Progress() {
    Hdf5Writer(path("rows.h5")).doubles("/x", {2000}, counting(2000));
    // Three seconds of work in twenty blocks; half of them for each of two ranks.
    write("slow.yaml",
          "kernel: nap\nparams: {milliseconds: 150}\ninputs: {x: rows.h5:/x}\n"
          "outputs: {file: out.h5, if_exists: overwrite}\n"
          "run: {memory: 1600 B, progress: 500 ms}\n");
    make_square_job();
  }

  static CommandOptions with_nap(CommandOptions options) {
    options.environment["KMAP_PLUGINS"] = KMAP_TEST_NAP;
    return options;
  }

  CommandResult run_slowly(int ranks, const Words& words) const {
    return run_command(ranks == 1 ? kmap_words(words) : kmap_words(ranks, words),
                       with_nap(options()));
  }

  CommandResult on_terminal(int width,
                            const std::map<std::string, std::string>& variables = {}) const {
    CommandOptions with = options();
    with.environment = variables;
    with = with_nap(with);
    return run_in_terminal(kmap_words({"run", "slow.yaml"}), width, with);
  }
};

// What a terminal shows, line by line, when "\r" goes back and "\x1b[K" wipes the rest; and the
// longest that any line ever was.
struct Screen {
  std::vector<std::string> lines = {""};
  std::size_t longest = 0;
  int drawn = 0;
};

Screen screen_of(const std::string& bytes) {
  Screen screen;
  std::size_t column = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    std::string& line = screen.lines.back();
    if (bytes[i] == '\n') {
      screen.lines.emplace_back();
      column = 0;
    } else if (bytes[i] == '\r') {
      column = 0;
    } else if (bytes.compare(i, 3, "\x1b[K") == 0) {
      line.resize(std::min(line.size(), column));
      ++screen.drawn;
      i += 2;
    } else {
      line.resize(std::max(line.size(), column + 1), ' ');
      line[column++] = bytes[i];
      screen.longest = std::max(screen.longest, line.size());
    }
  }
  return screen;
}

TEST_F(Progress, IsABarOnATerminal) {
  for (const int width : {100, 40}) {
    const CommandResult result = on_terminal(width);
    ASSERT_EQ(result.exit_code, ok) << result;
    EXPECT_THAT(result.out, AllOf(HasSubstr("\r["), HasSubstr(" left"), HasSubstr("#"))) << result;
    // Only the bar must fit: the plan's lines may be long.
    std::size_t longest = 0;
    for (std::size_t at = result.out.find("\r["); at != std::string::npos;
         at = result.out.find("\r[", at + 1)) {
      longest = std::max(longest, result.out.find('\x1b', at) - at - 1);
    }
    EXPECT_LT(longest, static_cast<std::size_t>(width)) << "it would wrap";
    const Screen screen = screen_of(result.out);
    EXPECT_GT(screen.drawn, 3);
    for (const std::string& line : screen.lines) {
      EXPECT_THAT(line, Not(HasSubstr("#"))) << "the bar is gone in the end";
    }
    EXPECT_THAT(screen.lines, testing::Contains("wrote  " + path("out.h5").string()));
  }
}

TEST_F(Progress, IsLinesOnATerminalThatCannotDraw) {
  const CommandResult result = on_terminal(80, {{"TERM", "dumb"}});
  EXPECT_THAT(result.out, AllOf(HasSubstr("progress  "), Not(HasSubstr("\x1b")))) << result;
}

TEST_F(Progress, IsLinesInALog) {
  for (const int ranks : {1, 2}) {
    const CommandResult result = run_slowly(ranks, {"run", "slow.yaml"});
    ASSERT_EQ(result.exit_code, ok) << result;
    const std::vector<std::string> lines = lines_of(without_warnings(result.err));
    ASSERT_GE(lines.size(), 2u) << result;
    for (const std::string& line : lines) {
      EXPECT_THAT(line,
                  testing::MatchesRegex("progress  [0-9]+ %, [0-9 ]+ of 2 000 rows.* so far.*"));
    }
    EXPECT_THAT(result.out, Not(HasSubstr("progress")));
  }
}

TEST_F(Progress, OfAShortJobIsNothing) {
  const CommandResult result = kmap({"run", "job.yaml"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
}

TEST_F(Progress, QuietSaysNothing) {
  const CommandResult result = run_slowly(2, {"run", "slow.yaml", "--quiet"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.out + without_warnings(result.err), "");
  EXPECT_TRUE(fails_saying(run_slowly(1, {"run", "slow.yaml", "--quiet", "--set", "kernel=x"}),
                           config, {"kernel"}));
}

}  // namespace
}  // namespace kmap::test
