// The command line: help, versions, lists, wrong words, and that rank 0 alone speaks.

#include "cli/job_folder.hpp"

#include <algorithm>
#include <ostream>

namespace kmap::test {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::MatchesRegex;

class CommandLine : public JobFolder {};

TEST_F(CommandLine, Help) {
  const CommandResult result = kmap({"--help"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  for (const char* word :
       {"Usage: kmap", "run ", "validate", "list", "describe", "doctor", "64 wrong command"}) {
    EXPECT_THAT(result.out, HasSubstr(word));
  }
}

TEST_F(CommandLine, HelpOfEachCommand) {
  const CommandResult run = kmap({"run", "--help"});
  EXPECT_EQ(run.exit_code, ok) << run;
  EXPECT_THAT(run.out, HasSubstr("Usage: kmap run [OPTIONS] job"));
  for (const char* word : {"--set", "--dry-run", "--overwrite"})
    EXPECT_THAT(run.out, HasSubstr(word));
  for (const char* command : {"run", "validate", "list", "describe", "doctor"}) {
    const std::string help = kmap({command, "--help"}).out;
    EXPECT_THAT(help, HasSubstr(std::string("Usage: kmap ") + command));
    EXPECT_THAT(help, HasSubstr(std::string("Examples:\n  kmap ") + command));
  }
}

TEST_F(CommandLine, Version) {
  const CommandResult result = kmap({"--version"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 11u) << result;
  EXPECT_THAT(lines[0], MatchesRegex("kmap [0-9]+\\.[0-9]+\\.[0-9]+ \\([^)]+\\)"));
  for (const char* line :
       {"build +[^ ]+, [^ ]+ [0-9.]+", "flags +.+", "built for +.+: .+", "Kokkos +[0-9.]+ with .+",
        "MPI +.*[0-9]+.*, standard [0-9.]+", "HDF5 +[0-9.]+, headers [0-9.]+", "yaml-cpp +[0-9.]+",
        "JSON +nlohmann-json [0-9.]+", "fmt +[0-9.]+", "platform +.+"}) {
    EXPECT_THAT(lines, testing::Contains(MatchesRegex(line)));
  }
  EXPECT_EQ(kmap(3, {"--version"}).out, result.out) << "once, whatever the number of ranks";
}

TEST_F(CommandLine, List) {
  const CommandResult result = kmap({"list"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, ContainsRegex("\nsquare +x squared  \\(\\)->\\(\\)\n"));
  EXPECT_THAT(result.out, HasSubstr("lorenz "));
  const std::vector<std::string> lines = lines_of(result.out);
  EXPECT_TRUE(std::is_sorted(lines.begin(), lines.end())) << result;
}

TEST_F(CommandLine, Describe) {
  const CommandResult result = kmap({"describe", "lorenz"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, HasSubstr("(3)->(3), one example at a time\n"));
  EXPECT_THAT(result.out, HasSubstr("inputs:\n  initial (3)  f4 f8  x, y, z at the start\n"));
  EXPECT_THAT(result.out, HasSubstr("  final (3)  type of initial"));
  EXPECT_THAT(result.out, HasSubstr("  steps: integer, default 1000, at least 0\n"));
  EXPECT_THAT(result.out, HasSubstr("  rho: number, default 28\n"));
}

TEST_F(CommandLine, DescribeCoordinates) {
  const CommandResult result = kmap({"describe", "periodogram"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.out, HasSubstr("(t)->(f), one block of examples at a time\n"));
  EXPECT_THAT(result.out, HasSubstr("coordinates, written once:\n  frequency (f)  f8 in Hz  "));
  EXPECT_THAT(result.out, HasSubstr("  sample_rate: number in Hz, default 1, above 0\n"));
  EXPECT_THAT(result.out, HasSubstr("default boxcar, one of boxcar, hann, hamming, blackman\n"));
}

struct Wrong {
  const char* name;
  Words words;
  const char* message;
};

void PrintTo(const Wrong& wrong, std::ostream* stream) { *stream << wrong.name; }

class WrongWords : public JobFolder, public testing::WithParamInterface<Wrong> {};

TEST_P(WrongWords, AreNamed) {
  const CommandResult result = kmap(GetParam().words);
  EXPECT_TRUE(fails_saying(result, usage, {GetParam().message}));
  EXPECT_EQ(result.out, "");
  EXPECT_EQ(lines_of(result.err).size(),
            1u + (GetParam().words[0] == "describe" && GetParam().words.size() == 2));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongWords,
    testing::Values(
        Wrong{"None", {""}, "there is no command \"\""},
        Wrong{"Command",
              {"rnu", "job.yaml"},
              "kmap: there is no command \"rnu\"; did you mean run? see kmap --help"},
        Wrong{"Option", {"--frobnicate"}, "see kmap --help"},
        Wrong{"NoJob", {"run"}, "job is required; see kmap --help"},
        Wrong{"TwoJobs", {"run", "a.yaml", "b.yaml"}, "not expected: b.yaml; see kmap --help"},
        Wrong{"SetNothing", {"run", "a.yaml", "--set"}, "--set"},
        Wrong{"OptionOfAnother", {"validate", "a.yaml", "--dry-run"}, "not expected: --dry-run"},
        Wrong{"KernelUnknown",
              {"describe", "momnts"},
              "no kernel is named \"momnts\"\n  remedy: did you mean moments?"},
        Wrong{"Threads",
              {"--kokkos-num-threads=many", "list"},
              "--kokkos-num-threads=many: expected --kokkos-num-threads=N with N at least 1"},
        Wrong{"NoThreads", {"list", "--kokkos-num-threads=0"}, "with N at least 1"},
        Wrong{"ThreadsApart", {"list", "--kokkos-num-threads", "2"}, "expected"}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(CommandLine, NoWordsAtAll) {
  EXPECT_TRUE(fails_saying(kmap(Words{}), usage, {"see kmap --help"}));
}

TEST_F(CommandLine, RankZeroAloneSpeaks) {
  const CommandResult list = kmap(3, {"list"});
  EXPECT_EQ(list.exit_code, ok) << list;
  EXPECT_EQ(list.err, "") << list;
  EXPECT_EQ(list.out, kmap({"list"}).out);
  const CommandResult wrong = kmap(4, {"rnu"});
  EXPECT_TRUE(fails_saying(wrong, usage, {"did you mean run?"}));
  EXPECT_EQ(wrong.out, "");
}

TEST_F(CommandLine, RanksWithDifferentWordsStop) {
  make_square_job();
  // By a shell that asks for its rank: Open MPI 5.0.7's launcher crashes where ranks have words of
  // their own.
  Words words = kmap_words(2, {});
  const std::string command = "'" + words.back() + "'";
  words.back() = "sh";
  words.insert(words.end(), {"-c", "if [ $OMPI_COMM_WORLD_RANK = 1 ]; then exec " + command +
                                       " list; fi; exec " + command + " run job.yaml"});
  EXPECT_TRUE(fails_saying(run_command(words, options()), usage,
                           {"[rank 1/2] was started with other words than rank 0"}));
}

TEST_F(CommandLine, AFullDiskBehindStdoutIsNoSuccess) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full here";
  const CommandResult result =
      run_command({"sh", "-c", "'" + kmap_command().string() + "' list > /dev/full"}, options());
  EXPECT_TRUE(fails_saying(result, io, {"standard output"}));
}

TEST_F(CommandLine, Validate) {
  make_square_job();
  const CommandResult right = kmap({"validate", "job.yaml"});
  EXPECT_EQ(right.exit_code, ok) << right;
  EXPECT_THAT(right.out, HasSubstr("job.yaml is valid: kernel square"));
  std::filesystem::remove(path("in.h5"));
  EXPECT_EQ(kmap({"validate", "job.yaml"}).exit_code, ok) << "it opens no data";
  const CommandResult wrong = kmap(2, {"validate", "job.yaml", "--set", "kernel=sqare"});
  EXPECT_TRUE(fails_saying(
      wrong, config,
      {"--set kernel=sqare: kernel: no kernel is named \"sqare\"", "did you mean square?"}));
  EXPECT_TRUE(fails_saying(kmap({"validate", "jbo.yaml"}), no_input, {"jbo.yaml", "job.yaml?"}));
}

}  // namespace
}  // namespace kmap::test
