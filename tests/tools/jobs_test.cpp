// What Kokkos Tools see of jobs, on one rank and two.

#include "cli/job_folder.hpp"
#include "support/paths.hpp"
#include "tools/events.hpp"

#include <filesystem>

namespace kmap::test {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::ElementsAreArray;
using testing::SizeIs;

class JobEvents : public JobFolder, public testing::WithParamInterface<int> {
 protected:
  JobEvents() { std::filesystem::create_directory(path("events")); }

  // Runs a job on as many ranks as the parameter says; the events of each.
  std::vector<Events> run(const Words& job, const std::string& plugins = {}, int code = ok) {
    CommandOptions with = options();
    with.environment = tool_environment(path("events"));
    with.environment["KMAP_PLUGINS"] = plugins;
    Words words = {"run", "--set", "outputs.file=" + path("out.h5").string()};
    words.insert(words.end(), job.begin(), job.end());
    const CommandResult result = run_command(kmap_words(GetParam(), words), with);
    EXPECT_EQ(result.exit_code, code) << result;
    const std::vector<Events> seen = read_events(path("events"));
    EXPECT_THAT(seen, SizeIs(GetParam()));
    for (const Events& events : seen) EXPECT_TRUE(well_labelled(events));
    return seen;
  }
  std::vector<Events> run_config(const std::string& name) {
    return run({(source_dir() / "configs" / (name + ".yaml")).string()});
  }
};

const Words plain_stages = {"kmap:plan", "kmap:report", "kmap:write", "kmap:read",
                            "kmap:map",  "kmap:wait",   "kmap:write", "kmap:report"};

// Of a kernel with collectives, whose block was read to see them.
const Words collective_stages = {"kmap:plan",  "kmap:report",  "kmap:collect",
                                 "kmap:write", "kmap:collect", "kmap:map",
                                 "kmap:wait",  "kmap:write",   "kmap:report"};

TEST_P(JobEvents, AKernelOfExamples) {
  for (const Events& events : run_config("square")) {
    EXPECT_THAT(stages(events), ElementsAreArray(plain_stages));
    EXPECT_THAT(inside(events, "kmap:map"), Contains("push kmap:map:square"));
  }
}

TEST_P(JobEvents, AKernelOfTeams) {
  for (const Events& events : run_config("moments")) {
    EXPECT_THAT(stages(events), ElementsAreArray(plain_stages));
    EXPECT_THAT(inside(events, "kmap:map:moments"), Contains("for kmap:map:moments"));
  }
}

TEST_P(JobEvents, AKernelOfBlocks) {
  for (const Events& events : run_config("periodogram")) {
    EXPECT_THAT(stages(events), ElementsAreArray(plain_stages));
    EXPECT_THAT(inside(events, "kmap:map"),
                ElementsAre("push kmap:map:periodogram", "for kmap:map:periodogram", "pop"));
  }
}

TEST_P(JobEvents, AKernelWithASum) {
  for (const Events& events : run_config("center")) {
    EXPECT_THAT(stages(events), ElementsAreArray(collective_stages));
    EXPECT_THAT(inside(events, "kmap:map"), Contains("push kmap:map:center"));
    EXPECT_THAT(inside(events, "kmap:collect:pmean"), Contains("for kmap:collect:finish"));
  }
}

TEST_P(JobEvents, AKernelThatAsksItsNeighbours) {
  for (const Events& events : run_config("life")) {
    EXPECT_THAT(stages(events), ElementsAreArray(collective_stages));
    EXPECT_THAT(inside(events, "kmap:map"), Contains("push kmap:map:life"));
    EXPECT_THAT(inside(events, "kmap:collect:ppermute"), Contains("for kmap:collect:copy"));
  }
}

// On the first rank alone: the others find nothing wrong with their blocks.
TEST_P(JobEvents, AKernelThatThrows) {
  write("job.yaml", "kernel: broken\nparams: {at: 1}\ninputs: {x: " +
                        (source_dir() / "inputs/tutorial.h5").string() + ":/x}\n");
  for (const Events& events : run({"job.yaml"}, KMAP_TEST_BROKEN, internal)) {
    EXPECT_THAT(stages(events), ElementsAre("kmap:plan", "kmap:report", "kmap:write", "kmap:read",
                                            "kmap:map", "kmap:wait"));
    EXPECT_THAT(inside(events, "kmap:map"), ElementsAre("push kmap:map:broken", "pop"));
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, JobEvents, testing::Values(1, 2));

}  // namespace
}  // namespace kmap::test
