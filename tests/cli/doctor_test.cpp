// `kmap doctor`: what it finds, what it warns of, and the launches and variables that are refused.

#include "cli/job_folder.hpp"

#include <nlohmann/json.hpp>

#include <sched.h>

namespace kmap::test {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;
using Variables = std::map<std::string, std::string>;

class Doctor : public JobFolder {
 protected:
  CommandResult run_with(const Words& words, const Variables& variables) const {
    CommandOptions with = options();
    // What the tests' own environment sets is not what is tested here.
    with.unset = {"OMP_NUM_THREADS", "OMP_PROC_BIND", "KMAP_PLUGINS", "HDF5_USE_FILE_LOCKING"};
    for (const auto& [name, value] : variables) std::erase(with.unset, name);
    with.environment = variables;
    return run_command(words, with);
  }

  Json examine(int ranks, const Variables& variables = {}) const {
    const CommandResult result = run_with(kmap_words(ranks, {"doctor", "--json"}), variables);
    EXPECT_EQ(result.exit_code, ok) << result;
    EXPECT_EQ(result.err, "");
    return Json::parse(result.out);
  }

  // The texts of what was found, each with its remedy.
  std::string findings(int ranks, const Variables& variables) const {
    std::string text;
    const Json json = examine(ranks, variables);
    for (const Json& finding : json.at("findings")) {
      EXPECT_EQ(finding.at("level"), "warning");
      EXPECT_NE(finding.at("remedy"), "");
      text += finding.at("what").get<std::string>() + "\n";
    }
    return text;
  }

  static std::size_t cores() {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    return sched_getaffinity(0, sizeof mask, &mask) == 0
               ? static_cast<std::size_t>(CPU_COUNT(&mask))
               : 0;
  }
};

TEST_F(Doctor, FindsNothingWrongAlone) {
  const CommandResult result = run_with(kmap_words({"doctor"}), {});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
  EXPECT_THAT(result.out, testing::EndsWith("\n\nnothing wrong found\n"));
  for (const char* part :
       {"kmap ", "Kokkos ", "MPI ", "HDF5 ", "processor ", "filters    gzip (1), shuffle (2)",
        "plug-ins are searched in ", "plug-ins   none: KMAP_PLUGINS is not set", "memory ",
        " for each of 1 rank\n", "launch     1 rank on 1 node\n"}) {
    EXPECT_THAT(result.out, HasSubstr(part));
  }
}

TEST_F(Doctor, SpeaksOnceOfAllRanks) {
  const CommandResult result = run_with(kmap_words(3, {"doctor"}), {});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.out.find("filters  "), result.out.rfind("filters  ")) << result;
  EXPECT_THAT(result.out, HasSubstr("launch     3 ranks on 1 node\n"));
}

TEST_F(Doctor, JsonHasEachRank) {
  for (const int ranks : {1, 2, 3}) {
    const Json json = examine(ranks);
    ASSERT_EQ(json.at("ranks").size(), static_cast<std::size_t>(ranks));
    for (int rank = 0; rank < ranks; ++rank) {
      const Json& facts = json.at("ranks").at(static_cast<std::size_t>(rank));
      EXPECT_EQ(facts.at("rank"), rank);
      EXPECT_FALSE(facts.at("cores").empty());
      EXPECT_GE(facts.at("threads"), 1);
    }
    ASSERT_EQ(json.at("nodes").size(), 1u);
    const Json& node = json.at("nodes").at(0);
    EXPECT_EQ(node.at("ranks"), ranks);
    EXPECT_LE(node.at("usable_bytes"), node.at("physical_bytes"));
    EXPECT_EQ(node.at("usable_bytes_per_rank"),
              node.at("usable_bytes").get<std::int64_t>() / ranks);
    EXPECT_EQ(json.at("filters").at(0),
              (Json{{"number", 1}, {"name", "gzip"}, {"available", true}}));
    EXPECT_FALSE(json.at("versions").at("mpi").get<std::string>().empty());
  }
}

TEST_F(Doctor, RanksThatShareCores) {
  const std::string threads = std::to_string(cores());
  const std::string found = findings(2, {{"OMP_NUM_THREADS", threads}});
  EXPECT_THAT(found,
              HasSubstr("ranks 0-1 run " + std::to_string(2 * cores()) + " threads together on "));
  EXPECT_THAT(found, HasSubstr("OMP_NUM_THREADS=" + threads));
}

TEST_F(Doctor, MoreThreadsThanCores) {
  const std::string threads = std::to_string(cores() + 1);
  EXPECT_THAT(findings(1, {{"OMP_NUM_THREADS", threads}}),
              HasSubstr("rank 0 runs " + threads + " threads on "));
}

TEST_F(Doctor, BindingOfAllRanksToTheSamePlaces) {
  EXPECT_THAT(findings(2, {{"OMP_NUM_THREADS", "1"}, {"OMP_PROC_BIND", "close"}}),
              HasSubstr("OMP_PROC_BIND=close binds the threads of ranks 0-1 to the same places"));
  EXPECT_THAT(findings(2, {{"OMP_NUM_THREADS", "1"}, {"OMP_PROC_BIND", "false"}}),
              Not(HasSubstr("binds")));
  EXPECT_EQ(findings(1, {{"OMP_PROC_BIND", "close"}}), "") << "one rank may bind its threads";
}

// GNU's OpenMP binds the first thread before main, which must not hide the other cores.
TEST_F(Doctor, BindingOfOneRankLeavesItsCores) {
  for (const Variables& variables :
       {Variables{{"OMP_PROC_BIND", "true"}}, Variables{{"OMP_PLACES", "threads"}}}) {
    const Json rank = examine(1, variables).at("ranks").at(0);
    EXPECT_EQ(rank.at("cores").size(), cores()) << rank;
    EXPECT_EQ(rank.at("threads"), cores());
  }
}

TEST_F(Doctor, VariablesOfHdf5) {
  EXPECT_THAT(findings(2, {{"HDF5_USE_FILE_LOCKING", "FALSE"}}),
              HasSubstr("HDF5_USE_FILE_LOCKING=FALSE lets another program change a file"));
  EXPECT_THAT(findings(1, {{"HDF5_USE_FILE_LOCKING", "TRUE"}}), Not(HasSubstr("LOCKING")));
  EXPECT_THAT(findings(1, {{"HDF5_DISABLE_VERSION_CHECK", "1"}}),
              HasSubstr("HDF5_DISABLE_VERSION_CHECK=1 hides"));
}

TEST_F(Doctor, FoldersOfFilters) {
  const Json json = examine(2, {{"HDF5_PLUGIN_PATH", "/one/folder:/and/another"}});
  EXPECT_EQ(json.at("filter_folders"), Json({"/one/folder", "/and/another"}));
  EXPECT_EQ(json.at("ranks").at(1).at("variables").at("HDF5_PLUGIN_PATH"),
            "/one/folder:/and/another");
}

TEST_F(Doctor, ThreadsThatAreNoNumber) {
  // OpenMP itself says so too, on the standard error.
  const CommandResult result = run_with(kmap_words({"doctor"}), {{"OMP_NUM_THREADS", "all"}});
  EXPECT_EQ(result.exit_code, ok);
  EXPECT_THAT(result.out, HasSubstr("warning: OMP_NUM_THREADS=all is not a number of threads"));
  EXPECT_THAT(result.out, Not(HasSubstr("nothing wrong found")));
}

TEST_F(Doctor, PluginsThatCannotBeLoaded) {
  const CommandResult result = run_with(kmap_words({"doctor"}), {{"KMAP_PLUGINS", "nowhere.so"}});
  EXPECT_EQ(result.exit_code, ok) << "a warning";
  EXPECT_THAT(result.out, HasSubstr("plug-ins   KMAP_PLUGINS=nowhere.so"));
  EXPECT_THAT(
      result.out,
      HasSubstr("warning: KMAP_PLUGINS: there is no file or folder nowhere.so\n  remedy: "));
}

class WrongLaunch : public Doctor, public testing::WithParamInterface<Variables> {};

TEST_P(WrongLaunch, IsAnError) {
  make_square_job();
  const auto before = files();
  const CommandResult run = run_with(kmap_words({"run", "job.yaml"}), GetParam());
  EXPECT_TRUE(fails_saying(run, internal, {"rank 0 of 1, but ", " were started", "remedy: "}));
  EXPECT_EQ(files(), before);
  const CommandResult doctor = run_with(kmap_words({"doctor"}), GetParam());
  EXPECT_EQ(doctor.exit_code, internal) << doctor;
  EXPECT_THAT(doctor.out, HasSubstr("error: MPI says that this process is alone"));
  EXPECT_EQ(run_with(kmap_words({"list"}), GetParam()).exit_code, ok) << "that does no harm";
}

INSTANTIATE_TEST_SUITE_P(Variables, WrongLaunch,
                         testing::Values(Variables{{"PMI_SIZE", "2"}, {"PMI_RANK", "0"}},
                                         Variables{{"MPI_LOCALNRANKS", "4"}},
                                         Variables{{"SLURM_STEP_ID", "0"},
                                                   {"SLURM_PROCID", "1"},
                                                   {"SLURM_STEP_NUM_TASKS", "2"}}));

TEST_F(Doctor, ABatchScriptMayStartOneProcess) {
  make_square_job();
  const CommandResult run =
      run_with(kmap_words({"run", "job.yaml"}), {{"SLURM_NTASKS", "4"}, {"SLURM_PROCID", "0"}});
  EXPECT_EQ(run.exit_code, ok) << run;
}

TEST_F(Doctor, WrongVariablesOfKokkosAreRefusedByAllCommands) {
  for (const char* value : {"abc", "0", "-1", "2x", ""}) {
    for (const Words& words : {Words{"list"}, Words{"doctor"}, Words{"--version"}}) {
      EXPECT_TRUE(fails_saying(
          run_with(kmap_words(words), {{"KOKKOS_NUM_THREADS", value}}), usage,
          {std::string("KOKKOS_NUM_THREADS=") + value + ": expected a number of at least 1"}));
    }
  }
  EXPECT_TRUE(fails_saying(run_with(kmap_words(2, {"list"}), {{"KOKKOS_DEVICE_ID", "first"}}),
                           usage, {"KOKKOS_DEVICE_ID=first: expected"}));
  EXPECT_EQ(run_with(kmap_words({"list"}), {{"KOKKOS_NUM_THREADS", "1"}}).exit_code, ok);
}

}  // namespace
}  // namespace kmap::test
