// Jobs whose kernel calls collectives wrongly, on one rank alone, or with too little memory: every
// rank ends soon, with one message, and leaves nothing behind.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

namespace kmap::test {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t rows = 1000;

class CollectiveFaults : public JobFolder {
 protected:
  // x counts from 1, but for one value.
  void write_input(std::int64_t row, double value) const {
    std::vector<double> x = counting(rows);
    for (double& each : x) each += 1;
    x[static_cast<std::size_t>(row)] = value;
    Hdf5Writer(path("in.h5")).doubles("/x", {rows}, x);
  }

  CommandResult run(int ranks, const std::string& kernel, const std::string& memory,
                    const std::vector<std::string>& flags = {}) const {
    write("job.yaml", "kernel: " + kernel +
                          "\ninputs: {x: in.h5:/x}\noutputs: y.h5\nrun: {memory: " + memory +
                          "}\n");
    CommandOptions with = options();
    with.environment = {{"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
    std::vector<std::string> words = {"run", "job.yaml"};
    words.insert(words.end(), flags.begin(), flags.end());
    return run_command(ranks == 1 ? kmap_words(words) : kmap_words(ranks, words), with);
  }

  void expect_nothing_left() const {
    EXPECT_FALSE(fs::exists(path("y.h5")));
    EXPECT_FALSE(fs::exists(path("y.h5.part")));
  }
};

TEST_F(CollectiveFaults, ExamplesThatDiffer) {
  for (const int ranks : {1, 2, 4}) {
    // The last row is neither the first of its block nor on the first rank.
    write_input(rows - 1, -1);
    EXPECT_TRUE(fails_saying(run(ranks, "disagree", "64 KiB"), data,
                             {"collective 1 differs among examples", "batch = 999",
                              "pmax over axis \"batch\"", "psum over axis \"batch\""}))
        << ranks;
    expect_nothing_left();
  }
}

TEST_F(CollectiveFaults, RanksThatDiffer) {
  // The first example of the last rank.
  write_input(750, -1);
  EXPECT_TRUE(fails_saying(run(4, "disagree", "64 KiB"), data,
                           {"collective 1 differs between ranks", "batch = 750", "rank 3"}));
  expect_nothing_left();
}

TEST_F(CollectiveFaults, AnExceptionOnOneRank) {
  for (const double value : {-2.0, -3.0}) {  // before the collective, behind it
    write_input(600, value);
    EXPECT_TRUE(fails_saying(run(3, "fragile", "64 KiB"), internal,
                             {"broke at 600", "in rows 334 to 667"}));
    expect_nothing_left();
  }
}

TEST_F(CollectiveFaults, TooLittleMemory) {
  write_input(0, 1);
  // A sum of fewer examples than a leaf has keeps all operands. One row takes 16 bytes in a block,
  // a run of one row 8, the sum of the leaf 8.
  EXPECT_TRUE(fails_saying(
      run(1, "disagree", "8000 B"), config,
      {"run.memory: 8000 bytes are too few: collective 1 of kernel disagree, psum over axis "
       "\"batch\" of f8 with shape () for 1000 examples, needs 8016 bytes on every rank",
       "allow at least 8032 bytes"}));
  expect_nothing_left();
  EXPECT_EQ(run(1, "disagree", "8032 B").exit_code, 0);
  fs::remove(path("y.h5"));
  // The leaf is summed by the first rank, which sends and gets the operands.
  EXPECT_TRUE(fails_saying(run(2, "disagree", "8032 B"), config,
                           {"needs 16024 bytes on every rank", "allow at least 16040 bytes"}));
  EXPECT_EQ(run(2, "disagree", "16040 B").exit_code, 0);
}

// All collectives are known before any pass, and before the output is made: a dry run says it too.
TEST_F(CollectiveFaults, TooLittleMemoryForALaterOne) {
  Hdf5Writer(path("in.h5")).doubles("/x", {rows, 3}, counting(3 * rows));
  const std::vector<std::string> words = {
      "run.memory: 48055 bytes are too few: collective 2 of kernel gathered, all_gather over axis "
      "\"batch\" of f8 with shape (3,) for 1000 examples, needs 48024 bytes on every rank",
      "allow at least 48056 bytes"};
  EXPECT_TRUE(fails_saying(run(1, "gathered", "48055 B"), config, words));
  expect_nothing_left();
  EXPECT_TRUE(fails_saying(run(1, "gathered", "48055 B", {"--dry-run"}), config, words));
  EXPECT_EQ(run(1, "gathered", "48056 B").exit_code, 0);
  fs::remove(path("y.h5"));
  // What arrives from other ranks is put in its place.
  EXPECT_TRUE(fails_saying(run(2, "gathered", "72055 B"), config, {"allow at least 72056 bytes"}));
  expect_nothing_left();
  EXPECT_EQ(run(2, "gathered", "72056 B").exit_code, 0);
}

}  // namespace
}  // namespace kmap::test
