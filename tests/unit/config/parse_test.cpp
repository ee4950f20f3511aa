// YAML text -> JobConfig, where nothing is wrong.

#include "config/load.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace kmap::config {
namespace {

namespace fs = std::filesystem;

// The folder of the config exists nowhere: nothing is opened.
const fs::path folder = "/kmap-test/configs";
const fs::path file = folder / "job.yaml";

TEST(Parse, FillsInDefaultsOfTheShortForms) {
  const JobConfig config = parse(
      "kernel: square\n"
      "inputs:\n"
      "  x: data/in.h5:/group/x\n"
      "outputs: out/y.h5\n",
      file, {});
  EXPECT_EQ(config.kernel, "square");
  EXPECT_TRUE(config.params.empty());
  ASSERT_EQ(config.inputs.size(), 1U);
  const InputConfig& x = config.inputs.at("x");
  EXPECT_EQ(x.file, folder / "data/in.h5");
  EXPECT_EQ(x.dataset, "/group/x");
  EXPECT_FALSE(x.slice);
  EXPECT_TRUE(x.in_axis.mapped);
  EXPECT_FALSE(x.dtype);
  EXPECT_EQ(config.output_file, folder / "out/y.h5");
  EXPECT_EQ(config.if_exists, IfExists::error);
  EXPECT_TRUE(config.output_datasets.empty());
  EXPECT_FALSE(config.memory);
  EXPECT_EQ(config.staging, Staging::automatic);
}

TEST(Parse, TakesEveryKey) {
  const std::string text =
      "kernel: lorenz\n"
      "params: {rho: 28, name: \"01\", on: true}\n"
      "inputs:\n"
      "  a: {file: a.h5, dataset: d/a, slice: \"-10:\", in_axis: 0, dtype: f8}\n"
      "  b: {file: /abs/b.h5, dataset: /b, slice: 1e1:20, in_axis: null}\n"
      "outputs:\n"
      "  file: out.h5\n"
      "  if_exists: overwrite\n"
      "  datasets:\n"
      "    y: {path: results/y, dtype: f4}\n"
      "    z: /zz\n"
      "    w:\n"
      "run: {memory: 2 GiB, staging: always}\n";
  const JobConfig config = parse(text, file, {});
  EXPECT_EQ(config.params.at("rho").text, "28");
  EXPECT_FALSE(config.params.at("rho").quoted);
  EXPECT_EQ(config.params.at("name").text, "01");
  EXPECT_TRUE(config.params.at("name").quoted);
  EXPECT_EQ(config.params.at("on").text, "true");
  const InputConfig& a = config.inputs.at("a");
  EXPECT_EQ(a.dataset, "/d/a");
  EXPECT_EQ(a.slice->start, -10);
  EXPECT_FALSE(a.slice->stop);
  EXPECT_TRUE(a.in_axis.mapped);
  EXPECT_EQ(a.dtype, DType::f8);
  const InputConfig& b = config.inputs.at("b");
  EXPECT_EQ(b.file, "/abs/b.h5");
  EXPECT_EQ(b.slice->start, 10);
  EXPECT_EQ(b.slice->stop, 20);
  EXPECT_FALSE(b.in_axis.mapped);
  EXPECT_EQ(config.if_exists, IfExists::overwrite);
  EXPECT_EQ(config.output_datasets.at("y").path, "/results/y");
  EXPECT_EQ(config.output_datasets.at("y").dtype, DType::f4);
  EXPECT_EQ(config.output_datasets.at("z").path, "/zz");
  EXPECT_EQ(config.output_datasets.at("w").path, "/w") << "named after it";
  EXPECT_EQ(config.memory, std::int64_t{2} << 30);
  EXPECT_EQ(config.staging, Staging::always);
  EXPECT_EQ(config.as_written, text);
}

TEST(Parse, TakesEmptySectionsAsNothing) {
  const JobConfig config = parse(
      "kernel: a\nparams:\ninputs: {x: a:/b}\noutputs: {file: c, datasets: }\nrun:\n", file, {});
  EXPECT_TRUE(config.params.empty());
  EXPECT_TRUE(config.output_datasets.empty());
}

TEST(Parse, SplitsTheShortFormAtItsLastColon) {
  const JobConfig config =
      parse("kernel: a\ninputs: {x: \"C:/d/a:b.h5:/x/y\"}\noutputs: c\n", file, {});
  EXPECT_EQ(config.inputs.at("x").file, folder / "C:/d/a:b.h5");
  EXPECT_EQ(config.inputs.at("x").dataset, "/x/y");
}

TEST(Parse, ResolvesPathsFromTheFolderOfTheConfig) {
  const auto input_file = [](const std::string& written, const fs::path& config) {
    return parse("kernel: a\ninputs: {x: \"" + written + ":/x\"}\noutputs: c\n", config, {})
        .inputs.at("x")
        .file;
  };
  EXPECT_EQ(input_file("./a.h5", file), folder / "a.h5");
  EXPECT_EQ(input_file("../in/a.h5", file), "/kmap-test/in/a.h5");
  EXPECT_EQ(input_file("/a/../b.h5", file), "/a/../b.h5") << "an absolute path is left as it is";
  EXPECT_EQ(input_file("a.h5", "job.yaml"), fs::current_path() / "a.h5");
  EXPECT_EQ(input_file("a.h5", "sub/../job.yaml"), fs::current_path() / "a.h5");
}

TEST(Parse, LeavesALinkedFolderAsTheFileSystemDoes) {
  const fs::path base = fs::temp_directory_path() / ("kmap_links_" + std::to_string(::getpid()));
  fs::create_directories(base / "real/configs");
  fs::create_directory_symlink(base / "real/configs", base / "configs");
  const std::string text = "kernel: a\ninputs: {x: ../a.h5:/x, y: a.h5:/x}\noutputs: c\n";
  const JobConfig config = parse(text, base / "configs/job.yaml", {});
  EXPECT_EQ(config.inputs.at("x").file, fs::canonical(base) / "real/a.h5");
  EXPECT_EQ(config.inputs.at("y").file, base / "configs/a.h5");
  fs::remove_all(base);
}

TEST(Parse, ReplacesVariables) {
  ::setenv("KMAP_TEST_FILE", "a.h5:/from/env", 1);
  ::setenv("KMAP_TEST_EMPTY", "", 1);
  ::setenv("KMAP_TEST_NESTED", "${KMAP_TEST_FILE}", 1);
  ::setenv("KMAP_TEST_NULL", "null", 1);
  ::unsetenv("KMAP_TEST_UNSET");
  const JobConfig config = parse(
      "kernel: ${KMAP_TEST_UNSET:-square}\n"
      "params:\n"
      "  nested: ${KMAP_TEST_NESTED}\n"
      "  empty: \"<${KMAP_TEST_EMPTY}>\"\n"
      "  default: <${KMAP_TEST_EMPTY:-1}>\n"
      "  literal: $${HOME} $HOME $$ $\n"
      "  number: ${KMAP_TEST_UNSET:-1e3}\n"
      "  single: '${KMAP_TEST_UNSET:-}'\n"
      "inputs:\n"
      "  x: ${KMAP_TEST_FILE}\n"
      "  y: {file: ${KMAP_TEST_UNSET:-in}/a.h5, dataset: /x, in_axis: ${KMAP_TEST_NULL}}\n"
      "outputs: out.h5\n",
      file, {});
  EXPECT_EQ(config.kernel, "square");
  EXPECT_EQ(config.params.at("nested").text, "${KMAP_TEST_FILE}") << "looked at once";
  EXPECT_EQ(config.params.at("empty").text, "<>");
  EXPECT_EQ(config.params.at("default").text, "<1>");
  EXPECT_EQ(config.params.at("literal").text, "${HOME} $HOME $$ $");
  EXPECT_EQ(config.params.at("number").text, "1e3");
  EXPECT_FALSE(config.params.at("number").quoted);
  EXPECT_EQ(config.params.at("single").text, "");
  EXPECT_TRUE(config.params.at("single").quoted);
  EXPECT_EQ(config.inputs.at("x").dataset, "/from/env");
  EXPECT_EQ(config.inputs.at("y").file, folder / "in/a.h5") << "inside { }";
  EXPECT_FALSE(config.inputs.at("y").in_axis.mapped);
}

TEST(Parse, KeepsPlaces) {
  const JobConfig config = parse(
      "kernel:   square\n"
      "params:\n"
      "  a: 1\n"
      "inputs:\n"
      "  x:  {file: a, dataset: b, slice: 0:1}\n"
      "outputs:\n"
      "  file: c\n"
      "  datasets: {y: /y}\n",
      "configs/job.yaml", {"params.b=2", "inputs.x.dtype=f8"});
  const auto at = [](int line, int column) { return Location{"configs/job.yaml", line, column}; };
  const Location first_option{"--set params.b=2", 0, 1};
  const Location second_option{"--set inputs.x.dtype=f8", 0, 2};
  EXPECT_EQ(config.kernel_location, at(1, 11));
  EXPECT_EQ(config.params.at("a").location, at(3, 6));
  EXPECT_EQ(config.params.at("a").name_location, at(3, 3));
  EXPECT_EQ(config.params.at("b").location, first_option);
  EXPECT_EQ(config.inputs.at("x").location, at(5, 7));
  EXPECT_EQ(config.inputs.at("x").name_location, at(5, 3));
  EXPECT_EQ(config.output_location, at(7, 9));
  EXPECT_EQ(config.output_datasets.at("y").location, at(8, 17));
  EXPECT_EQ(config.where("inputs.x.slice"), at(5, 36));
  EXPECT_EQ(config.where("inputs.x.dtype"), second_option);
  EXPECT_EQ(config.where("inputs.x.window.size"), at(5, 7)) << "what is around it";
  EXPECT_EQ(config.where("inputs.z"), at(5, 3)) << "the map of inputs";
  EXPECT_EQ(config.where("nothing"), at(1, 1));
  EXPECT_EQ(to_string(at(5, 7)), "configs/job.yaml:5:7");
  EXPECT_EQ(to_string(second_option), "--set inputs.x.dtype=f8");
}

}  // namespace
}  // namespace kmap::config
