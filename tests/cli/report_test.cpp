// --report: the run for programs.

#include "cli/job_folder.hpp"

#include <nlohmann/json.hpp>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using testing::HasSubstr;

class Report : public JobFolder {
 protected:
  Report() { make_square_job(); }
  Json report() const { return Json::parse(content_of(path("r.json"))); }
};

TEST_F(Report, OfARun) {
  const CommandResult result = kmap(2, {"run", "job.yaml", "--report", "r.json"});
  ASSERT_EQ(result.exit_code, ok) << result;
  const Json json = report();
  EXPECT_EQ(json["format"], "kmap-report");
  EXPECT_EQ(json["status"], "done");
  EXPECT_EQ(json["output"], path("out.h5").string());
  EXPECT_EQ(json["plan"]["rows"], 5);
  EXPECT_EQ(json["plan"]["rows_per_rank"], Json({2, 3}));
  EXPECT_EQ(json["result"]["examples"], 5);
  ASSERT_EQ(json["result"]["ranks"].size(), 2u);
  for (const Json& rank : json["result"]["ranks"]) {
    EXPECT_GT(rank["peak_memory_bytes"].get<double>(), 1e6);
    EXPECT_GE(rank["wait_seconds"].get<double>(), 0);
  }
  EXPECT_EQ(json["result"]["ranks"][0]["rows"], 3);
  EXPECT_EQ(json["provenance"]["kernel"], "square");
  EXPECT_GT(json["result"]["seconds"].get<double>(), 0);
  EXPECT_FALSE(fs::exists(path("r.json.part")));
}

TEST_F(Report, OfADryRun) {
  ASSERT_EQ(kmap({"run", "job.yaml", "--dry-run", "--report", "r.json"}).exit_code, ok);
  EXPECT_EQ(report()["status"], "planned");
  EXPECT_FALSE(report().contains("result"));
}

TEST_F(Report, OfARunThatFails) {
  const CommandResult result =
      kmap(3, {"run", "job.yaml", "--report", "r.json", "--set", "inputs.x=in.h5:/bach"});
  EXPECT_TRUE(fails_saying(result, no_input, {"/bach"}));
  const Json json = report();
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["error"]["exit_code"], no_input);
  EXPECT_THAT(json["error"]["message"].get<std::string>(), HasSubstr("/bach"));
}

TEST_F(Report, TellsWarnings) {
  CommandOptions many = options();
  many.environment["OMP_NUM_THREADS"] = "64";
  const CommandResult result =
      run_command(kmap_words({"run", "job.yaml", "--report", "r.json"}), many);
  ASSERT_EQ(result.exit_code, ok) << result;
  if (result.out.find("OpenMP") == std::string::npos) GTEST_SKIP() << "Kokkos has no OpenMP here";
  EXPECT_THAT(result.err, HasSubstr("kmap: warning: rank 0 runs 64 threads on ")) << result;
  ASSERT_EQ(report()["warnings"].size(), 1u);
  EXPECT_THAT(report()["warnings"][0].get<std::string>(), HasSubstr("64 threads"));
}

TEST_F(Report, IsRefusedBeforeAnyWork) {
  fs::create_directory(path("folder"));
  EXPECT_TRUE(fails_saying(kmap({"run", "job.yaml", "--report", ""}), usage, {"--report: "}));
  for (const char* place : {"nowhere/r.json", "folder"}) {
    EXPECT_TRUE(fails_saying(kmap(2, {"run", "job.yaml", "--report", place}), create,
                             {"the report ", place, "remedy: "}));
    EXPECT_FALSE(fs::exists(path("out.h5")));
  }
}

TEST_F(Report, IsNoFileOfTheJob) {
  const std::string input = content_of(path("in.h5"));
  for (const char* place : {"in.h5", "out.h5", "./job.yaml"}) {
    EXPECT_TRUE(
        fails_saying(kmap({"run", "job.yaml", "--report", place}), usage, {"--report", "is "}));
  }
  EXPECT_EQ(content_of(path("in.h5")), input);
  EXPECT_FALSE(fs::exists(path("out.h5")));
}

// A dry run ends as the run would that cannot begin.
TEST_F(Report, DryRunSaysWhatIsThere) {
  write("out.h5", "old");
  const CommandResult result = kmap({"run", "job.yaml", "--dry-run"});
  EXPECT_TRUE(fails_saying(result, create, {"out.h5 exists already"}));
  EXPECT_THAT(result.out, HasSubstr("  there  " + path("out.h5").string() + " exists, 3 B\n"));
  EXPECT_EQ(kmap({"run", "job.yaml", "--dry-run", "--overwrite"}).exit_code, ok);
  EXPECT_EQ(content_of(path("out.h5")), "old");
}

}  // namespace
}  // namespace kmap::test
