// What Kokkos Tools see of a program that uses the library: program.cpp, on one rank and two.

#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"
#include "tools/events.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace kmap::test {
namespace {

using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::SizeIs;
using testing::StartsWith;
using Texts = std::vector<std::string>;

std::vector<Events> run(int ranks) {
  const TemporaryFolder folder;
  CommandOptions options;
  options.environment = tool_environment(folder.path());
  Texts words = kmap_words(ranks, {});
  words.back() = KMAP_TEST_PROGRAM;
  const CommandResult result = run_command(words, options);
  EXPECT_EQ(result.exit_code, 0) << result;
  EXPECT_EQ(result.out, "");
  return read_events(folder.path());
}

// All tests look at the same runs.
class Library : public testing::TestWithParam<int> {
 protected:
  // Of each rank.
  static const std::vector<Events>& seen() {
    static const std::vector<Events> alone = run(1);
    static const std::vector<Events> together = run(2);
    return GetParam() == 1 ? alone : together;
  }

  // On one of the ranks.
  static Texts in(const std::string& name) { return inside(seen().at(0), "test:" + name); }
  static Texts in(const std::string& name, const std::string& kind) {
    const Texts all = in(name);
    Texts found;
    std::copy_if(all.begin(), all.end(), std::back_inserter(found),
                 [&](const std::string& text) { return text.starts_with(kind + " "); });
    return found;
  }
};

TEST(WellLabelled, RefusesWhatHasNoLabelOrNoEnd) {
  const Event region = {"push", "kmap:map"};
  const Event pop = {"pop", ""};
  const Event launch = {"for", "kmap:map:square", 1};
  const Event end = {"end", "", 1};
  const Event copy = {"for", "Kokkos::ViewCopy-2D", 1};
  EXPECT_TRUE(well_labelled({region, launch, end, pop, launch, end}));
  EXPECT_TRUE(well_labelled({region, copy, end, {"allocate", "kmap:output"}, pop}));
  EXPECT_FALSE(well_labelled({{"for", "square", 1}, end}));
  EXPECT_FALSE(well_labelled({{"push", "map"}, pop}));
  EXPECT_FALSE(well_labelled({region, {"allocate", "output"}, pop}));
  EXPECT_FALSE(well_labelled({copy, end}));
  EXPECT_FALSE(well_labelled({region}));
  EXPECT_FALSE(well_labelled({region, launch, pop, end}));
  EXPECT_FALSE(well_labelled({launch, {"end", "", 2}}));
  EXPECT_FALSE(well_labelled({region, pop, pop}));
}

TEST_P(Library, NothingIsUnlabelled) {
  ASSERT_THAT(seen(), SizeIs(GetParam()));
  for (const Events& events : seen()) EXPECT_TRUE(well_labelled(events, "test:"));
}

TEST_P(Library, AMapIsARegionAlsoWithoutALaunch) {
  EXPECT_THAT(in("vmap"), ElementsAre("push kmap:vmap:Scale", "allocate kmap:output", "pop"));
  EXPECT_THAT(in("map"), ElementsAre("push kmap:map:Scale", "allocate kmap:output", "pop"));
  EXPECT_THAT(in("vmap of a block"), ElementsAre("push kmap:vmap:Block", "pop"));
}

TEST_P(Library, ALaunchHasTheNameOfTheMap) {
  EXPECT_THAT(in("vmap of many"),
              ElementsAre("push kmap:vmap:Scale", "for kmap:vmap:Scale", "pop"));
  EXPECT_THAT(in("vmap by teams", "for"), ElementsAre("for kmap:vmap:TeamSum"));
  EXPECT_THAT(in("pmap"), ElementsAre("push kmap:pmap:Scale", "allocate kmap:shard",
                                      "for kmap:pmap:Scale", "pop"));
}

TEST_P(Library, TheNameIsThatOfTheFunctionInNestsAndWithStructures) {
  EXPECT_THAT(in("vmap of rows", "push"), ElementsAre("push kmap:vmap:Scale"));
  EXPECT_THAT(in("vmap of a structure", "push"), ElementsAre("push kmap:vmap:Add"));
}

// Threads may not tell tools of regions.
TEST_P(Library, AMapWithinAFunctionIsPartOfTheOuterOne) {
  EXPECT_THAT(in("vmap in a vmap", "push"), ElementsAre("push kmap:vmap:Nested"));
}

TEST_P(Library, OutputsWithoutAnAxisAreCompared) {
  EXPECT_THAT(in("vmap without an axis"),
              ElementsAre("push kmap:vmap:Constant", "allocate kmap:output",
                          "allocate kmap:uniform_output", "reduce kmap:uniform_output", "pop"));
  EXPECT_THAT(in("pmap without an axis", "push"), ElementsAre("push kmap:pmap:Constant"));
}

TEST_P(Library, ExceptionsEndRegionsAndLaunches) {
  EXPECT_THAT(in("vmap that throws"), ElementsAre("push kmap:vmap:Throws", "pop"));
  EXPECT_THAT(in("vmap of many that throws"),
              ElementsAre("push kmap:vmap:Throws", "for kmap:vmap:Throws", "pop"));
  EXPECT_THAT(in("vmap of a block that throws"), ElementsAre("push kmap:vmap:Block", "pop"));
  EXPECT_THAT(in("pmap that throws", "push"), ElementsAre("push kmap:pmap:Throws"));
}

TEST_P(Library, CollectivesAreRegionsByName) {
  EXPECT_THAT(in("vmap with a collective", "push"),
              ElementsAre("push kmap:vmap:Center", "push kmap:collect:pmean"));
  EXPECT_THAT(in("pmap with a collective", "push"),
              ElementsAre("push kmap:pmap:Center", "push kmap:collect:pmean"));
  EXPECT_THAT(in("psum", "push"), ElementsAre("push kmap:collect:psum"));
  EXPECT_THAT(in("psum", "for"), Contains("for kmap:collect:leaves"));
  EXPECT_THAT(in("psum", "for"), Each(StartsWith("for kmap:collect:")));
}

TEST_P(Library, DistributingIsARegion) {
  EXPECT_THAT(in("scatter", "push"), ElementsAre("push kmap:scatter"));
  EXPECT_THAT(in("gather", "push"), ElementsAre("push kmap:gather"));
}

TEST_P(Library, RandomArraysHaveTheNameOfTheDistribution) {
  EXPECT_THAT(in("normal"), ElementsAre("allocate kmap:random", "push kmap:random:Normal",
                                        "for kmap:random:Normal", "pop"));
  EXPECT_THAT(in("few uniform"),
              ElementsAre("allocate kmap:random", "push kmap:random:Uniform", "pop"));
  EXPECT_THAT(in("choice", "push"),
              ElementsAre("push kmap:random:choice", "push kmap:random:Randint"));
  EXPECT_THAT(in("choice", "for"), ElementsAre("for kmap:random:take"));
  EXPECT_THAT(in("permutation", "push"), ElementsAre("push kmap:random:permutation"));
  EXPECT_THAT(in("shuffle", "push"),
              ElementsAre("push kmap:random:shuffle", "push kmap:random:permutation"));
}

INSTANTIATE_TEST_SUITE_P(Ranks, Library, testing::Values(1, 2));

}  // namespace
}  // namespace kmap::test
