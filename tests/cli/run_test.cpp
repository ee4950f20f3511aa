// `kmap run`: what it says, what it writes and what it leaves alone.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <set>
#include <thread>

namespace kmap::test {
namespace {

using testing::ContainsRegex;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

const std::vector<double> squares = {1, 4, 9, 16, 25};

class Run : public JobFolder {
 protected:
  Run() { make_square_job(); }
};

TEST_F(Run, SaysThePlanAndWhatWasDone) {
  const CommandResult result = kmap({"run", "job.yaml"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  const std::vector<std::string> lines = lines_of(result.out);
  ASSERT_EQ(lines.size(), 14u) << result;
  EXPECT_EQ(lines[0], "kernel square: x squared  ()->()");
  EXPECT_EQ(lines[1],
            "  input  x: " + path("in.h5").string() + ":/x  i4 (5,), contiguous, axis 0 mapped");
  EXPECT_EQ(lines[2], "  output y: " + path("out.h5").string() + ":/y  i4 (5,), 20 B");
  EXPECT_THAT(lines[3],
              ContainsRegex("^  map    5 rows over 1 rank with [0-9]+ thread.* 5 rows each$"));
  EXPECT_THAT(lines[5],
              ContainsRegex("^done   5 examples, 20 B read, 20 B written, in [0-9.]+ m?s$"));
  EXPECT_EQ(lines[13], "wrote  " + path("out.h5").string());
  EXPECT_EQ(read_values(path("out.h5"), "/y"), squares);
  EXPECT_THAT(files(), ElementsAre("in.h5", "job.yaml", "out.h5"));
}

class RunOnRanks : public Run, public testing::WithParamInterface<int> {};

TEST_P(RunOnRanks, SaysEachLineOnceAndNothingOnStderr) {
  const int ranks = GetParam();
  const CommandResult result = kmap(ranks, {"run", "job.yaml"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(without_warnings(result.err), "");
  const std::vector<std::string> lines = lines_of(result.out);
  EXPECT_EQ(lines.size(), 14u) << result;
  EXPECT_EQ(std::set<std::string>(lines.begin(), lines.end()).size(), lines.size()) << result;
  EXPECT_THAT(result.out, HasSubstr(" over " + std::to_string(ranks) + " rank"));
  EXPECT_EQ(read_values(path("out.h5"), "/y"), squares);
}

INSTANTIATE_TEST_SUITE_P(All, RunOnRanks, testing::Values(1, 2, 3, 4));

TEST_F(Run, DryRunWritesNothing) {
  const CommandResult result = kmap(2, {"run", "--dry-run", "job.yaml"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(lines_of(result.out).size(), 10u) << result;
  EXPECT_THAT(result.out, HasSubstr("  there  no " + path("out.h5").string() + " yet\n"));
  EXPECT_THAT(result.out, HasSubstr("  output y: "));
  EXPECT_THAT(result.out, Not(HasSubstr("done")));
  EXPECT_THAT(files(), ElementsAre("in.h5", "job.yaml"));
}

TEST_F(Run, DryRunFindsWhatIsWrongWithTheData) {
  EXPECT_TRUE(fails_saying(kmap({"run", "job.yaml", "--dry-run", "--set", "inputs.x=in.h5:/y"}),
                           no_input, {"in.h5 has no dataset /y"}));
}

TEST_F(Run, OptionsReplaceKeysOfTheConfig) {
  const CommandResult result =
      kmap({"run", "--set", "inputs.x.slice=1:-1", "job.yaml", "--set", "outputs.datasets.y=/a/z",
            "--set", "inputs.x.dtype=f4", "--set", "run.memory=8"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.out, HasSubstr("read as f4, axis 0 mapped, 1 to 4"));
  EXPECT_THAT(result.out, HasSubstr("blocks 3 per rank of up to 1 row, 8 B of memory of 8 B"));
  EXPECT_EQ(read_values(path("out.h5"), "/a/z"), (std::vector<double>{4, 9, 16}));
}

TEST_F(Run, PathsAreRelativeToTheConfig) {
  std::filesystem::create_directory(path("elsewhere"));
  CommandOptions there = options();
  there.folder = path("elsewhere");
  const CommandResult result = run_command(kmap_words({"run", "../job.yaml"}), there);
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(read_values(path("out.h5"), "/y"), squares);
}

TEST_F(Run, AnOutputThatExistsIsLeftAlone) {
  write("out.h5", "precious");
  for (const int ranks : {1, 3}) {
    EXPECT_TRUE(fails_saying(kmap(ranks, {"run", "job.yaml"}), create,
                             {"out.h5 exists already", "remedy: "}));
    EXPECT_EQ(content_of(path("out.h5")), "precious");
  }
  EXPECT_THAT(files(), ElementsAre("in.h5", "job.yaml", "out.h5"));
}

TEST_F(Run, OverwriteReplacesAtTheEnd) {
  write("out.h5", "old");
  const CommandResult refused =
      kmap({"run", "job.yaml", "--overwrite", "--set", "inputs.x.slice=7", "--set", "kernel=x"});
  EXPECT_EQ(refused.exit_code, config);
  EXPECT_EQ(content_of(path("out.h5")), "old") << "a run that fails replaces nothing";
  EXPECT_EQ(kmap({"run", "job.yaml", "--overwrite"}).exit_code, ok);
  EXPECT_EQ(read_values(path("out.h5"), "/y"), squares);
  EXPECT_EQ(kmap({"run", "job.yaml", "--set", "outputs.if_exists=overwrite"}).exit_code, ok);
}

TEST_F(Run, NoRows) {
  const CommandResult result = kmap(3, {"run", "job.yaml", "--set", "inputs.x.slice=5:"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.out, HasSubstr("map    0 rows over 3 ranks"));
  EXPECT_TRUE(read_values(path("out.h5"), "/y").empty());
}

// Open MPI 4 overruns a buffer at some 240 bytes unless it is kept from it.
TEST_F(Run, OutputsWithLongPaths) {
  const std::filesystem::path folder = path(std::string(200, 'e')) / std::string(200, 'f');
  std::filesystem::create_directories(folder);
  const std::string output = (folder / (std::string(240, 'g') + ".h5")).string();
  for (const int ranks : {1, 2}) {
    const CommandResult result =
        kmap(ranks, {"run", "job.yaml", "--overwrite", "--set", "outputs=" + output});
    EXPECT_EQ(result.exit_code, ok) << result;
    EXPECT_EQ(result.err, "");
    EXPECT_EQ(read_values(output, "/y"), squares);
  }
  EXPECT_TRUE(
      fails_saying(kmap({"run", "job.yaml", "--set", "outputs=" + std::string(251, 'g')}), create,
                   {"its name is too long\n  remedy: kmap needs five characters more, for .part"}));
}

TEST_F(Run, ASliceThatTakesNothingIsWarnedOf) {
  const CommandResult result = kmap(2, {"run", "job.yaml", "--set", "inputs.x.slice=10:"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.err, HasSubstr("kmap: warning: nothing of input x is taken: "));
  EXPECT_THAT(result.out, HasSubstr("axis 0 mapped, none of it"));
}

TEST_F(Run, DryRunFindsADiskThatIsTooSmall) {
  const io::PropertyHandle sparse = chunked({1024});
  Hdf5Writer(path("large.h5"))
      .dataset("/x", H5T_IEEE_F64LE, {std::int64_t{1} << 45}, H5T_NATIVE_DOUBLE, nullptr,
               sparse.get());
  EXPECT_TRUE(fails_saying(kmap({"run", "job.yaml", "--dry-run", "--set", "inputs.x=large.h5:/x"}),
                           create, {"out.h5 needs 256.0 TiB", "free"}));
}

TEST_F(Run, StagedThroughTheHost) {
  const CommandResult result = kmap(2, {"run", "job.yaml", "--set", "run.staging=always"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.out, HasSubstr("(staged through the host)"));
  EXPECT_EQ(read_values(path("out.h5"), "/y"), squares);
}

// ---- Threads

std::string threads_text(int threads) {
  return "with " + std::to_string(threads) + (threads == 1 ? " thread on" : " threads on");
}

TEST_F(Run, ThreadsAreTheShareOfTheCores) {
  CommandOptions unset = options();
  unset.unset = {"OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"};
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  for (const int ranks : {1, 2, 3}) {
    const CommandResult result =
        run_command(kmap_words(ranks, {"run", "job.yaml", "--dry-run"}), unset);
    EXPECT_EQ(result.exit_code, ok) << result;
    EXPECT_EQ(without_warnings(result.err), "");
    if (result.out.find("OpenMP") == std::string::npos) GTEST_SKIP() << "Kokkos has no OpenMP here";
    EXPECT_THAT(result.out, HasSubstr(threads_text(std::max(1, cores / ranks))));
  }
}

TEST_F(Run, ThreadsAreWhatTheUserSays) {
  CommandOptions three = options();
  three.environment["OMP_NUM_THREADS"] = "3";
  const CommandResult by_variable =
      run_command(kmap_words({"run", "job.yaml", "--dry-run"}), three);
  if (by_variable.out.find("OpenMP") == std::string::npos)
    GTEST_SKIP() << "Kokkos has no OpenMP here";
  EXPECT_THAT(by_variable.out, HasSubstr(threads_text(3)));
  const CommandResult by_flag =
      run_command(kmap_words({"run", "job.yaml", "--dry-run", "--kokkos-num-threads=2"}), three);
  EXPECT_THAT(by_flag.out, HasSubstr(threads_text(2)));
}

}  // namespace
}  // namespace kmap::test
