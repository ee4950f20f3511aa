// A failure on any rank is shown by rank 0 alone and fails the program; a rank that leaves others
// waiting ends the job.

#include "support/command.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kmap::test {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

CommandResult run_failing(int ranks, const std::string& filter) {
  std::vector<std::string> words = kmap_words(ranks, {"--gtest_filter=" + filter});
  words[3] = FAILING_PROGRAM;
  CommandOptions options;
  options.environment["KMAP_TEST_PATIENCE"] = "1";
  return run_command(words, options);
}

TEST(RankFailures, AreShownByRankZero) {
  const CommandResult result = run_failing(3, "Failing.OnLastRank:Passing.*");
  EXPECT_NE(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("[rank 2/3] "));
  EXPECT_THAT(result.out, HasSubstr("failing_program.cpp:"));
  EXPECT_THAT(result.out, HasSubstr("the last rank"));
  EXPECT_THAT(result.out, Not(HasSubstr("[rank 0/3]")));
  EXPECT_THAT(result.out, HasSubstr("OK ] Passing.Passes"));
  EXPECT_THAT(result.out, HasSubstr("2 tests on 3 ranks, 0 skipped, 1 failed"));
}

TEST(RankFailures, ExceptionsAreFailures) {
  const CommandResult result = run_failing(2, "Failing.Throws");
  EXPECT_NE(result.exit_code, 0) << result;
  EXPECT_THAT(result.out, HasSubstr("[rank 1/2] "));
  EXPECT_THAT(result.out, HasSubstr("thrown on purpose"));
}

TEST(RankFailures, EndAJobThatIsStuck) {
  const CommandResult result = run_failing(2, "Failing.Leaves");
  EXPECT_FALSE(result.timed_out) << result;
  EXPECT_NE(result.exit_code, 0) << result;
  EXPECT_THAT(result.err, HasSubstr("left on purpose"));
  EXPECT_THAT(result.err, HasSubstr("other ranks are stuck"));
}

TEST(RankFailures, NoneIsSuccess) {
  const CommandResult result = run_failing(4, "Passing.*");
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.err, "") << "MPI or Kokkos is noisy";
  EXPECT_THAT(result.out, HasSubstr("1 tests on 4 ranks, 0 skipped, 0 failed"));
}

}  // namespace
}  // namespace kmap::test
