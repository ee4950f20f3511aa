// Colours: on a terminal only, and never against the user's will.

#include "cli/job_folder.hpp"

namespace kmap::test {
namespace {

using testing::HasSubstr;
using testing::Not;

class Terminal : public JobFolder {
 protected:
  CommandResult on_terminal(const Words& words,
                            const std::map<std::string, std::string>& variables = {}) const {
    CommandOptions with = options();
    if (!variables.contains("NO_COLOR")) with.unset = {"NO_COLOR"};
    with.environment = variables;
    return run_in_terminal(kmap_words(words), 80, with);
  }
};

const std::vector<Words> commands = {
    {"list"}, {"describe", "lorenz"}, {"describe", "lorentz"}, {"rnu"}, {"validate", "no.yaml"}};

TEST_F(Terminal, HasColours) {
  for (const Words& words : commands) {
    EXPECT_THAT(on_terminal(words).out, HasSubstr("\x1b[1")) << words[0];
  }
  const CommandResult wrong = on_terminal({"describe", "lorentz"});
  EXPECT_EQ(wrong.exit_code, usage);
  EXPECT_EQ(wrong.out,
            "\x1b[1;31mkmap:\x1b[0m no kernel is named \"lorentz\"\r\n  "
            "\x1b[1;32mremedy:\x1b[0m did you mean lorenz?\r\n");
}

TEST_F(Terminal, NoColorIsObeyed) {
  for (const Words& words : commands) {
    EXPECT_THAT(on_terminal(words, {{"NO_COLOR", "1"}}).out, Not(HasSubstr("\x1b"))) << words[0];
    EXPECT_THAT(on_terminal(words, {{"TERM", "dumb"}}).out, Not(HasSubstr("\x1b"))) << words[0];
  }
  EXPECT_THAT(on_terminal({"list"}, {{"NO_COLOR", ""}}).out, HasSubstr("\x1b"))
      << "an empty value does not count";
}

TEST_F(Terminal, PipesHaveNone) {
  CommandOptions with = options();
  with.environment["TERM"] = "xterm";
  with.unset = {"NO_COLOR"};
  for (const Words& words : commands) {
    const CommandResult result = run_command(kmap_words(words), with);
    EXPECT_THAT(result.out + result.err, Not(HasSubstr("\x1b"))) << words[0];
    // Open MPI's mpirun gives rank 0 a pseudo-terminal of its own.
    const CommandResult ranks = run_command(kmap_words(2, words), with);
    EXPECT_THAT(ranks.out + ranks.err, Not(HasSubstr("\x1b"))) << words[0];
  }
}

TEST_F(Terminal, OnlyTheStreamThatIsOne) {
  CommandOptions with = options();
  with.unset = {"NO_COLOR"};
  const std::string kmap = "'" + kmap_command().string() + "'";
  const CommandResult list = run_in_terminal({"sh", "-c", kmap + " list | cat"}, 80, with);
  EXPECT_THAT(list.out, Not(HasSubstr("\x1b")));
  const CommandResult wrong =
      run_in_terminal({"sh", "-c", kmap + " rnu 2> err.txt; cat err.txt"}, 80, with);
  EXPECT_THAT(wrong.out, HasSubstr("did you mean run?"));
  EXPECT_THAT(wrong.out, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace kmap::test
