#include "support/command.hpp"

#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace kmap::test {
namespace {

TEST(RunCommand, CatchesBothStreamsAndTheCode) {
  const CommandResult result = run_command({"sh", "-c", "echo said; echo complained >&2; exit 66"});
  EXPECT_EQ(result.exit_code, 66);
  EXPECT_EQ(result.out, "said\n");
  EXPECT_EQ(result.err, "complained\n");
}

TEST(RunCommand, ReadsMoreThanAPipeHolds) {
  const CommandResult result =
      run_command({"sh", "-c", "head -c 1000000 /dev/zero; head -c 1000000 /dev/zero >&2"});
  EXPECT_EQ(result.out.size(), 1000000U);
  EXPECT_EQ(result.err.size(), 1000000U);
}

TEST(RunCommand, EndsWhatTakesTooLong) {
  CommandOptions options;
  options.limit = std::chrono::seconds(1);
  const CommandResult result = run_command({"sh", "-c", "sleep 60"}, options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.signal, SIGKILL);
}

TEST(RunCommand, TellsTheSignal) {
  const CommandResult result = run_command({"sh", "-c", "kill -TERM $$"});
  EXPECT_EQ(result.signal, SIGTERM);
  EXPECT_EQ(result.exit_code, -1);
}

TEST(RunCommand, RunsInItsFolderAndEnvironment) {
  const TemporaryFolder folder;
  CommandOptions options;
  options.folder = folder.path();
  options.environment["GIVEN"] = "here";
  options.unset = {"HOME"};
  const CommandResult result =
      run_command({"sh", "-c", "echo \"$GIVEN ${HOME-gone}\"; pwd"}, options);
  EXPECT_EQ(result.out, "here gone\n" + folder.path().string() + "\n");
}

TEST(RunCommand, SaysThatItCannotStart) {
  EXPECT_THROW(run_command({"no-such-command-of-kmap"}), std::runtime_error);
}

TEST(RunInTerminal, GivesATerminalOfTheWidth) {
  const CommandResult result =
      run_in_terminal({"sh", "-c", "test -t 1 && test -t 2 && stty size && echo $TERM >&2"}, 77);
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "24 77\r\nxterm\r\n");
}

TEST(RunInTerminal, EndsWithTheCommand) {
  EXPECT_EQ(run_in_terminal({"sh", "-c", "exit 3"}, 80).exit_code, 3);
  CommandOptions options;
  options.limit = std::chrono::seconds(1);
  EXPECT_TRUE(run_in_terminal({"sleep", "60"}, 80, options).timed_out);
  EXPECT_THROW(run_in_terminal({"no-such-command-of-kmap"}, 80), std::runtime_error);
}

TEST(TemporaryFolder, VanishesWithItsFiles) {
  std::filesystem::path path;
  {
    const TemporaryFolder folder;
    path = folder.path();
    std::ofstream(path / "file") << "text";
    EXPECT_TRUE(std::filesystem::exists(path / "file"));
    EXPECT_NE(TemporaryFolder().path(), path);
  }
  EXPECT_FALSE(std::filesystem::exists(path));
}

}  // namespace
}  // namespace kmap::test
