// The tutorial's programs print what the README says, and the README shows them as they are.

#include "support/command.hpp"
#include "support/paths.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

namespace kmap::test {
namespace {

std::string program(const std::string& name) { return std::string(KMAP_TUTORIAL_DIR) + "/" + name; }

std::vector<std::string> on_ranks(int ranks, const std::string& name) {
  std::vector<std::string> words = kmap_words(ranks, {});
  words.back() = program(name);  // in place of the command
  return words;
}

std::string text_of(const std::filesystem::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Tutorial, VmapSquaresAVector) {
  const CommandResult result = run_command({program("01_vmap")});
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "1 4 9 16 25 \n");
  EXPECT_EQ(result.err, "");
}

TEST(Tutorial, PmapMapsRowsOverRanks) {
  for (const int ranks : {1, 2, 4}) {
    const CommandResult result = run_command(on_ranks(ranks, "04_pmap"));
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(result.out, "10 rows on " + std::to_string(ranks) + " ranks, the last value is 1\n");
    EXPECT_EQ(result.err, "");
  }
}

TEST(Tutorial, CollectivesAreTheSameOnAnyRanks) {
  for (const int ranks : {1, 3}) {
    const CommandResult result = run_command(on_ranks(ranks, "05_collectives"));
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(result.out,
              "-1.0491  12.500\n-0.9892   1.500\n-0.8093   4.500\n-0.5096   9.500\n"
              "-0.0899  16.500\n 0.4496  25.500\n 1.1091  36.500\n 1.8884  33.500\nsum 140\n");
    EXPECT_EQ(result.err, "");
  }
}

TEST(Tutorial, RandomNumbersAreTheSameOnAnyRanks) {
  for (const int ranks : {1, 3}) {
    const CommandResult result = run_command(on_ranks(ranks, "06_random"));
    EXPECT_EQ(result.exit_code, 0) << result;
    EXPECT_EQ(result.out,
              "-0.720301 1.822832\n-0.220130 0.409135 -0.419952 -1.005118 \n"
              "pi is about 3.141676\n");
    EXPECT_EQ(result.err, "");
  }
}

TEST(Tutorial, TheReadmeShowsTheProgramsAsTheyAre) {
  const std::string readme = text_of(source_dir() / "README.md");
  for (const char* name : {"apps/tutorial/01_vmap.cpp", "apps/tutorial/04_pmap.cpp",
                           "apps/heavy_task/kernel.cpp", "configs/square.yaml"}) {
    const std::string text = text_of(source_dir() / name);
    ASSERT_FALSE(text.empty()) << name;
    EXPECT_THAT(readme, ::testing::HasSubstr(text)) << name;
  }
}

}  // namespace
}  // namespace kmap::test
