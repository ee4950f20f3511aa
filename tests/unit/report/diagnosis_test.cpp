// What the doctor finds wrong, on invented machines.

#include "report/diagnosis.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

using report::Diagnosis;
using report::RankFacts;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

RankFacts rank_on(const std::string& host, int rank, std::vector<int> cores, int threads) {
  RankFacts facts;
  facts.rank = rank;
  facts.host = host;
  facts.cores = std::move(cores);
  facts.threads = threads;
  facts.memory.physical = std::int64_t{8} << 30;
  return facts;
}

std::vector<std::string> problems(const Diagnosis& diagnosis) {
  std::vector<std::string> texts;
  for (const report::Finding& finding : report::find_problems(diagnosis)) {
    EXPECT_NE(finding.remedy, "");
    texts.push_back((finding.is_error ? "error: " : "") + finding.what);
  }
  return texts;
}

std::vector<std::string> problems(std::vector<RankFacts> ranks) {
  Diagnosis diagnosis;
  diagnosis.ranks = std::move(ranks);
  return problems(diagnosis);
}

TEST(FindProblems, NoneOnAGoodMachine) {
  EXPECT_THAT(problems({rank_on("a", 0, {0, 1}, 2), rank_on("a", 1, {2, 3}, 2),
                        rank_on("b", 2, {0, 1}, 2), rank_on("b", 3, {2, 3}, 1)}),
              IsEmpty());
  EXPECT_THAT(problems({rank_on("a", 0, {0, 1}, 1), rank_on("a", 1, {0, 1}, 1)}), IsEmpty())
      << "shared, but enough for all";
  EXPECT_THAT(problems({rank_on("a", 0, {}, 4)}), IsEmpty()) << "the system does not say";
}

TEST(FindProblems, SharedCores) {
  EXPECT_THAT(problems({rank_on("a", 0, {0, 1}, 2), rank_on("a", 1, {0, 1}, 2),
                        rank_on("b", 2, {0, 1}, 2)}),
              ElementsAre("ranks 0-1 run 4 threads together on 2 cores 0-1 of a"));
  EXPECT_THAT(problems({rank_on("a", 0, {0, 1}, 2), rank_on("a", 1, {2, 3}, 2),
                        rank_on("a", 2, {1, 2}, 2)}),
              ElementsAre("ranks 0-2 run 6 threads together on 4 cores 0-3 of a"))
      << "the third joins the others";
}

TEST(FindProblems, TooManyThreads) {
  RankFacts rank = rank_on("a", 0, {5}, 3);
  EXPECT_THAT(problems({rank}), ElementsAre("rank 0 runs 3 threads on core 5 of a"));
  rank.variables["OMP_NUM_THREADS"] = "3";
  EXPECT_THAT(problems({rank}),
              ElementsAre("rank 0 runs 3 threads on core 5 of a (OMP_NUM_THREADS=3)"));
}

TEST(FindProblems, SharedDevices) {
  std::vector<RankFacts> ranks = {rank_on("a", 0, {0}, 1), rank_on("a", 1, {1}, 1),
                                  rank_on("b", 2, {0}, 1)};
  for (RankFacts& rank : ranks) rank.device = 0;
  EXPECT_THAT(problems(ranks), ElementsAre("ranks 0-1 share the device 0 of a"));
  ranks[0].device_name = "0000:01:00.0";
  ranks[1].device_name = "0000:02:00.0";
  EXPECT_THAT(problems(ranks), IsEmpty()) << "each sees its own device as number 0";
  ranks[1].device = 1;
  ranks[1].device_name = "0000:01:00.0";
  EXPECT_THAT(problems(ranks), ElementsAre("ranks 0-1 share the device 0000:01:00.0 of a"));
}

TEST(FindProblems, BindingToTheSamePlaces) {
  std::vector<RankFacts> ranks = {rank_on("a", 0, {0, 1}, 1), rank_on("a", 1, {0, 1}, 1)};
  const auto found_with = [&](const std::string& name, const std::string& value) {
    for (RankFacts& rank : ranks) rank.variables = {{name, value}};
    return problems(ranks);
  };
  for (const char* name : {"OMP_PROC_BIND", "OMP_PLACES", "KMP_AFFINITY", "GOMP_CPU_AFFINITY"}) {
    EXPECT_THAT(
        found_with(name, "cores"),
        ElementsAre(HasSubstr(name + std::string("=cores binds the threads of ranks 0-1"))));
  }
  EXPECT_THAT(found_with("OMP_PROC_BIND", "FALSE"), IsEmpty());
  EXPECT_THAT(found_with("KMP_AFFINITY", "verbose,none"), IsEmpty());
  ranks[1].cores = {2, 3};
  EXPECT_THAT(found_with("OMP_PROC_BIND", "true"), IsEmpty());
}

TEST(FindProblems, VariablesNameTheirRanks) {
  std::vector<RankFacts> ranks = {rank_on("a", 0, {0}, 1), rank_on("a", 1, {1}, 1),
                                  rank_on("b", 2, {0}, 1)};
  ranks[1].variables["OMP_NUM_THREADS"] = ranks[2].variables["OMP_NUM_THREADS"] = "four";
  EXPECT_THAT(problems(ranks), ElementsAre(HasSubstr("OMP_NUM_THREADS=four on ranks 1-2 is not")));
  for (const char* value : {"4", "4,2", " 4 , 2 "}) {
    ranks[1].variables["OMP_NUM_THREADS"] = ranks[2].variables["OMP_NUM_THREADS"] = value;
    EXPECT_THAT(problems(ranks), IsEmpty()) << value;
  }
  for (const char* value : {"", "0", "-4", "4,", "4;2", "1e1"}) {
    ranks[1].variables["OMP_NUM_THREADS"] = ranks[2].variables["OMP_NUM_THREADS"] = value;
    EXPECT_THAT(problems(ranks), testing::SizeIs(1)) << value;
  }
}

TEST(FindProblems, Libraries) {
  Diagnosis diagnosis;
  diagnosis.ranks = {rank_on("a", 0, {0}, 1)};
  diagnosis.versions.hdf5 = "1.14.5";
  diagnosis.versions.hdf5_headers = "1.10.8";
  diagnosis.plugin_failure = "cannot load x.so\n  remedy: build it";
  EXPECT_THAT(
      problems(diagnosis),
      ElementsAre("kmap was compiled for HDF5 1.10.8 and runs with 1.14.5", "cannot load x.so"));
}

TEST(FindProblems, ALaunchThatIsNotMpis) {
  Diagnosis diagnosis;
  diagnosis.ranks = {rank_on("a", 0, {0}, 1)};
  diagnosis.launch = detail::Launch{"PMI_SIZE=4", 4};
  EXPECT_THAT(problems(diagnosis), ElementsAre(HasSubstr("error: MPI says that this process")));
  diagnosis.ranks.push_back(rank_on("a", 1, {1}, 1));
  EXPECT_THAT(problems(diagnosis), IsEmpty()) << "MPI knows of several";
}

TEST(DiagnosisText, JoinsRanksThatAreAlike) {
  Diagnosis diagnosis;
  for (int rank = 0; rank < 4; ++rank) {
    diagnosis.ranks.push_back(rank_on(rank < 3 ? "a" : "b", rank, {0, 1, 2, 3}, 1));
  }
  diagnosis.ranks[3].memory.group = std::int64_t{1} << 30;
  const std::string text = report::diagnosis_text(diagnosis, {}, false);
  EXPECT_THAT(text, HasSubstr("  ranks host cores threads device\n"
                              "  0-2   a    0-3   1       -\n"
                              "  3     b    0-3   1       -\n"));
  EXPECT_THAT(text, HasSubstr("memory     a: 8.00 GiB usable of 8.00 GiB; 2.67 GiB for each of 3 "
                              "ranks\n"
                              "           b: 1.00 GiB usable of 8.00 GiB, control group 1.00 GiB; "
                              "1.00 GiB for each of 1 rank\n"));
  EXPECT_THAT(text, HasSubstr("4 ranks on 2 nodes"));
  EXPECT_THAT(text, testing::EndsWith("nothing wrong found\n"));
}

TEST(DiagnosisText, ShowsEachFinding) {
  Diagnosis diagnosis;
  diagnosis.ranks = {rank_on("a", 0, {0}, 1)};
  const std::vector<report::Finding> findings = {{true, "bad", "stop"}, {false, "odd", "look"}};
  EXPECT_THAT(report::diagnosis_text(diagnosis, findings, false),
              testing::EndsWith("\n\nerror: bad\n  remedy: stop\nwarning: odd\n  remedy: look\n"));
  EXPECT_THAT(report::diagnosis_text(diagnosis, findings, true), HasSubstr("\x1b[1;31merror:"));
  const auto json = report::diagnosis_json(diagnosis, findings);
  EXPECT_EQ(json.at("findings").at(1).at("level"), "warning");
  EXPECT_EQ(json.at("findings").at(1).at("remedy"), "look");
}

}  // namespace
}  // namespace kmap::test
