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

  CommandResult run(int ranks, const std::string& kernel, const std::string& memory) const {
    write("job.yaml", "kernel: " + kernel +
                          "\ninputs: {x: in.h5:/x}\noutputs: y.h5\nrun: {memory: " + memory +
                          "}\n");
    CommandOptions with = options();
    with.environment = {{"KMAP_PLUGINS", KMAP_TEST_PLUGIN}};
    const std::vector<std::string> words = {"run", "job.yaml"};
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
  // One row takes 16 bytes, its block two, and the operands of a rank 8000 or 4000.
  EXPECT_TRUE(fails_saying(
      run(1, "disagree", "8000 B"), config,
      {"run.memory: 8000 bytes are too few", "keeps 8000 bytes", "allow at least 8016 bytes"}));
  EXPECT_TRUE(fails_saying(run(2, "disagree", "4000 B"), config,
                           {"keeps 4000 bytes", "allow at least 4016 bytes"}));
  expect_nothing_left();
  EXPECT_EQ(run(2, "disagree", "4016 B").exit_code, 0);
}

}  // namespace
}  // namespace kmap::test
