// An error in every stage of a run, on every rank of two to four: the job ends soon, says what and
// where once, with the code of its kind, and leaves nothing behind.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <chrono>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;

struct Stage {
  const char* name;
  const char* call;   // that fails, see inject.c
  int count;          // which of its calls
  int count_on_root;  // there; 0: never on rank 0
  int code;
  const char* part;  // of the message
  bool only_root = false;
};

constexpr std::int64_t rows = 4000;  // of 8 bytes, in and out: blocks of 100 rows

class EveryStage : public JobFolder, public testing::WithParamInterface<Stage> {
 protected:
  EveryStage() {
    Hdf5Writer(path("in.h5")).doubles("/x", {rows}, counting(rows));
    fs::create_directory(path("out"));
    write("job.yaml",
          "kernel: square\ninputs: {x: in.h5:/x}\noutputs: out/y.h5\nrun: {memory: 1600 B}\n");
    write("broken.yaml",
          "kernel: broken\ninputs: {x: in.h5:/x}\noutputs: out/y.h5\nrun: {memory: 1600 B}\n");
  }

  CommandResult run(int ranks, const Words& words,
                    const std::map<std::string, std::string>& environment) const {
    CommandOptions with = options();
    with.environment = environment;
    return run_command(kmap_words(ranks, words), with);
  }

  void expect_end(const CommandResult& result, std::chrono::steady_clock::time_point start,
                  const Stage& stage, int rank, int ranks) const {
    const std::string place =
        rank == 0 ? std::string("kmap: ")
                  : "[rank " + std::to_string(rank) + "/" + std::to_string(ranks) + "] ";
    EXPECT_TRUE(fails_saying(result, stage.code, {place, stage.part})) << stage.name;
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5)) << stage.name;
    // A result that is complete stays, although it could not get its name.
    const bool is_complete = std::string(stage.call) == "rename";
    EXPECT_EQ(fs::exists(path("out/y.h5.part")), is_complete) << stage.name;
    EXPECT_FALSE(fs::exists(path("out/y.h5"))) << stage.name;
    fs::remove(path("out/y.h5.part"));
  }
};

TEST_P(EveryStage, OnEveryRank) {
  const Stage& stage = GetParam();
  for (int ranks = 2; ranks <= 4; ++ranks) {
    for (int rank = 0; rank < (stage.only_root ? 1 : ranks); ++rank) {
      SCOPED_TRACE("rank " + std::to_string(rank) + " of " + std::to_string(ranks));
      const int count = rank == 0 ? stage.count_on_root : stage.count;
      if (count == 0) continue;
      const std::string fault =
          std::string(stage.call) + ":" + std::to_string(rank) + ":" + std::to_string(count);
      const auto start = std::chrono::steady_clock::now();
      expect_end(run(ranks, {"run", "job.yaml"},
                     {{"LD_PRELOAD", KMAP_TEST_INJECT}, {"KMAP_TEST_FAULT", fault}}),
                 start, stage, rank, ranks);
    }
  }
}

// Rank 0 looks at an input before all ranks open it.
INSTANTIATE_TEST_SUITE_P(
    All, EveryStage,
    testing::Values(Stage{"Open", "H5Fopen", 1, 2, data, "in.h5"},
                    Stage{"Look", "H5Fopen", 0, 1, data, "in.h5", true},
                    Stage{"FirstRead", "H5Dread", 1, 1, io, "in.h5:/x: cannot read it"},
                    Stage{"LaterRead", "H5Dread", 4, 4, io, "in rows "},
                    Stage{"FirstWrite", "H5Dwrite", 1, 3, io, "/y"},
                    Stage{"LaterWrite", "H5Dwrite", 4, 6, io, "/y"},
                    Stage{"Describe", "H5Dwrite", 0, 1, io, "/kmap/config", true},
                    Stage{"Rename", "rename", 0, 1, create, "out/y.h5", true}),
    [](const auto& tested) { return std::string(tested.param.name); });

using Kernels = EveryStage;

TEST_F(Kernels, ThatThrow) {
  for (int ranks = 2; ranks <= 4; ++ranks) {
    for (int rank = 0; rank < ranks; ++rank) {
      SCOPED_TRACE("rank " + std::to_string(rank) + " of " + std::to_string(ranks));
      const std::int64_t at = rows * rank / ranks + 500;
      const auto start = std::chrono::steady_clock::now();
      const CommandResult result =
          run(ranks, {"run", "broken.yaml", "--set", "params.at=" + std::to_string(at)},
              {{"KMAP_PLUGINS", KMAP_TEST_BROKEN}});
      expect_end(result, start, {"Map", "", 0, 0, internal, "the kernel broke at"}, rank, ranks);
      EXPECT_THAT(own_words(result), testing::HasSubstr("in rows ")) << result;
    }
  }
  const CommandResult result =
      run(2, {"run", "broken.yaml", "--set", "params={at: 3000, unknown: true}"},
          {{"KMAP_PLUGINS", KMAP_TEST_BROKEN}});
  EXPECT_TRUE(
      fails_saying(result, internal, {"[rank 1/2] an exception of unknown type", "in rows "}));
}

}  // namespace
}  // namespace kmap::test
