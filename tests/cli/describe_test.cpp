// `kmap list` and `kmap describe`: for people, for programs, and as configs to begin with.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <nlohmann/json.hpp>

namespace kmap::test {
namespace {

using testing::HasSubstr;
using Json = nlohmann::json;

class Kernels : public JobFolder {
 protected:
  Json json_of(const Words& words) const {
    const CommandResult result = kmap(words);
    EXPECT_EQ(result.exit_code, ok) << result;
    EXPECT_EQ(result.err, "");
    return Json::parse(result.out);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const Json& kernel : json_of({"list", "--json"}))
      names.push_back(kernel.at("name").get<std::string>());
    return names;
  }
};

TEST_F(Kernels, ListForPrograms) {
  EXPECT_THAT(names(), testing::IsSupersetOf({"heavy_task", "lorenz", "moments", "square"}));
  const CommandResult two = kmap(2, {"list", "--json"});
  EXPECT_EQ(two.out, kmap({"list", "--json"}).out) << "once, whatever the number of ranks";
}

TEST_F(Kernels, AKernelForPrograms) {
  const Json lorenz = json_of({"describe", "lorenz", "--json"});
  EXPECT_EQ(lorenz.at("name"), "lorenz");
  EXPECT_EQ(lorenz.at("signature"), "(3)->(3)");
  EXPECT_EQ(lorenz.at("kind"), "example");
  EXPECT_THAT(lorenz.at("doc").get<std::string>(), HasSubstr("Lorenz system"));
  const Json& input = lorenz.at("inputs").at(0);
  EXPECT_EQ(input.at("name"), "initial");
  EXPECT_EQ(input.at("doc"), "x, y, z at the start");
  EXPECT_EQ(input.at("types"), Json({"f4", "f8"}));
  EXPECT_EQ(input.at("dims").at(0).at("size"), 3);
  EXPECT_TRUE(input.at("same_as").is_null());
  EXPECT_EQ(lorenz.at("outputs").at(0).at("same_as"), "initial");
  const Json& steps = lorenz.at("params").at(4);
  EXPECT_EQ(steps, (Json{{"name", "steps"},
                         {"type", "integer"},
                         {"unit", nullptr},
                         {"doc", "number of time steps"},
                         {"default", 1000},
                         {"least", 0.0},
                         {"above_least", false},
                         {"most", nullptr},
                         {"choices", Json::array()}}));
  EXPECT_TRUE(
      json_of({"describe", "moments", "--json"}).at("inputs").at(0).at("dims").at(0).at("rest"));
}

TEST_F(Kernels, AListedKernelIsTheDescribedOne) {
  for (Json listed : json_of({"list", "--json"})) {
    Json described = json_of({"describe", listed.at("name").get<std::string>(), "--json"});
    described.erase("example_config");
    EXPECT_EQ(listed, described);
  }
}

TEST_F(Kernels, ExampleConfigsAreValid) {
  for (const std::string& name : names()) {
    write(name + ".yaml",
          json_of({"describe", name, "--json"}).at("example_config").get<std::string>());
    const CommandResult result = kmap({"validate", name + ".yaml"});
    EXPECT_EQ(result.exit_code, ok) << content_of(path(name + ".yaml")) << result;
    EXPECT_THAT(result.out, HasSubstr("kernel " + name + ","));
  }
}

TEST_F(Kernels, AnExampleConfigRuns) {
  write("job.yaml",
        json_of({"describe", "lorenz", "--json"}).at("example_config").get<std::string>());
  {
    Hdf5Writer data(path("data.h5"));
    data.doubles("/initial", {2, 3}, {1, 1, 1, 2, 2, 2});
  }
  const CommandResult result = kmap(2, {"run", "job.yaml", "--set", "params.steps=0"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(read_values(path("out.h5"), "/final"), (std::vector<double>{1, 1, 1, 2, 2, 2}));
}

TEST_F(Kernels, DescribeShowsTheExampleConfig) {
  const std::string said = kmap({"describe", "square"}).out;
  EXPECT_THAT(said, HasSubstr("example of a config:\n  # x squared\n  kernel: square\n  inputs:\n"
                              "    x: data.h5:/x  # () of "));
  EXPECT_THAT(said, testing::EndsWith("\n  outputs: out.h5\n"));
}

TEST_F(Kernels, ErrorsStayText) {
  EXPECT_TRUE(fails_saying(kmap({"describe", "squar", "--json"}), usage, {"did you mean square?"}));
}

// Printed from the schema, and the page for users is that print.
TEST_F(Kernels, WithoutOneTheKeysOfTheConfig) {
  const CommandResult result = kmap({"describe"});
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_THAT(result.out,
              HasSubstr("inputs.NAME.window.size\n    a positive integer, such as 4096; "
                        "required\n"));
  EXPECT_THAT(content_of(source_dir() / "docs" / "config.md"),
              HasSubstr("```text\n" + result.out + "```\n"))
      << "copy what `kmap describe` prints into docs/config.md";
  EXPECT_TRUE(fails_saying(kmap({"describe", "--json"}), usage, {"--json is of a kernel"}));
}

}  // namespace
}  // namespace kmap::test
