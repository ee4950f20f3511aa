// --set KEY=VALUE.

#include "config/load.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace kmap::config {
namespace {

namespace fs = std::filesystem;

const fs::path folder = "/kmap-test/configs";

JobConfig with(const std::vector<std::string>& options, const std::string& text =
                                                            "kernel: square\n"
                                                            "inputs: {x: in.h5:/x}\n"
                                                            "outputs: out.h5\n") {
  return parse(text, folder / "job.yaml", options);
}

std::string message_of(const std::vector<std::string>& options) {
  try {
    with(options);
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, SetKeysThatAreThereAndThatAreNot) {
  const JobConfig config = with({"kernel=moments", "params.a=1", "run.memory=2 GiB"});
  EXPECT_EQ(config.kernel, "moments");
  EXPECT_EQ(config.params.at("a").text, "1");
  EXPECT_EQ(config.memory, std::int64_t{2} << 30);
}

TEST(Options, ExpandAShortFormOnTheirWay) {
  const JobConfig config = with({"inputs.x.slice=0:10", "outputs.if_exists=overwrite",
                                 "outputs.datasets.y=/a", "outputs.datasets.y.dtype=f4"});
  EXPECT_EQ(config.inputs.at("x").file, folder / "in.h5") << "still from the config's folder";
  EXPECT_EQ(config.inputs.at("x").dataset, "/x");
  EXPECT_EQ(config.inputs.at("x").slice->stop, 10);
  EXPECT_EQ(config.output_file, folder / "out.h5");
  EXPECT_EQ(config.if_exists, IfExists::overwrite);
  EXPECT_EQ(config.output_datasets.at("y").path, "/a");
  EXPECT_EQ(config.output_datasets.at("y").dtype, DType::f4);
}

TEST(Options, GiveTheMissingPartOfAShortForm) {
  const std::string text = "kernel: a\ninputs: {x: in.h5}\noutputs: c\n";
  EXPECT_EQ(with({"inputs.x.dataset=/y"}, text).inputs.at("x").dataset, "/y");
}

TEST(Options, ExpandAShortFormWithVariables) {
  ::setenv("KMAP_TEST_INPUT", "a.h5:/${no}", 1);
  const std::string text = "kernel: a\ninputs: {x: \"${KMAP_TEST_INPUT}\"}\noutputs: c\n";
  const JobConfig config = with({"inputs.x.dtype=f4"}, text);
  EXPECT_EQ(config.inputs.at("x").file, folder / "a.h5");
  EXPECT_EQ(config.inputs.at("x").dataset, "/${no}") << "replaced once";
}

TEST(Options, TakeYamlInBracketsAndQuotes) {
  const JobConfig config =
      with({"inputs.y={file: a.h5, dataset: /y, in_axis: null}", "params={a: \"1\", b: 2}",
            "params.c='3'", "params.d=\"x\\ty\"", "inputs.x={file: b.h5, dataset: z}"});
  EXPECT_FALSE(config.inputs.at("y").in_axis.mapped);
  EXPECT_TRUE(config.params.at("a").quoted);
  EXPECT_FALSE(config.params.at("b").quoted);
  EXPECT_EQ(config.params.at("c").text, "3");
  EXPECT_TRUE(config.params.at("c").quoted);
  EXPECT_EQ(config.params.at("d").text, "x\ty");
  EXPECT_EQ(config.inputs.at("x").dataset, "/z") << "replaced as a whole";
}

TEST(Options, AreOtherwiseOneScalar) {
  const JobConfig config = with({"params.a=a #b: c", "params.b= - x ", "params.c=*", "params.d=a=b",
                                 "inputs.x.in_axis=null"});
  EXPECT_EQ(config.params.at("a").text, "a #b: c");
  EXPECT_EQ(config.params.at("b").text, "- x");
  EXPECT_EQ(config.params.at("c").text, "*");
  EXPECT_EQ(config.params.at("d").text, "a=b");
  EXPECT_FALSE(config.params.at("a").quoted);
  EXPECT_FALSE(config.inputs.at("x").in_axis.mapped);
}

TEST(Options, LaterOnesWin) {
  EXPECT_EQ(with({"kernel=a", "kernel=b"}).kernel, "b");
  const JobConfig config = with({"inputs.x.slice=0:1", "inputs.x=b.h5:/b"});
  EXPECT_FALSE(config.inputs.at("x").slice);
}

TEST(Options, HavePathsFromTheWorkingFolder) {
  const JobConfig config = with({"inputs.x.file=here.h5", "outputs=../there.h5"});
  EXPECT_EQ(config.inputs.at("x").file, fs::current_path() / "here.h5");
  EXPECT_EQ(config.output_file, fs::current_path().parent_path() / "there.h5");
  EXPECT_EQ(config.inputs.at("x").dataset, "/x");
}

TEST(Options, ReplaceVariables) {
  ::setenv("KMAP_TEST_NAME", "moments", 1);
  EXPECT_EQ(with({"kernel=${KMAP_TEST_NAME}"}).kernel, "moments");
  EXPECT_EQ(with({"params={a: ${KMAP_TEST_NAME}, b: 1}"}).params.at("a").text, "moments");
  // A mistake in the file that the option takes away.
  ::unsetenv("KMAP_TEST_UNSET");
  const std::string text = "kernel: ${KMAP_TEST_UNSET}\ninputs: {x: in.h5:/x}\noutputs: out.h5\n";
  EXPECT_EQ(with({"kernel=a"}, text).kernel, "a");
}

TEST(Options, TakeNullAsYamlWritesIt) {
  for (const char* null : {"null", "Null", "NULL", "~"}) {
    const std::string option = "inputs.x.in_axis=" + std::string(null);
    EXPECT_FALSE(with({option}).inputs.at("x").in_axis.mapped) << null;
    ::setenv("KMAP_TEST_NULL", null, 1);
    EXPECT_FALSE(with({"inputs.x.in_axis=${KMAP_TEST_NULL}"}).inputs.at("x").in_axis.mapped)
        << null;
    EXPECT_NE(message_of({"params.a=" + std::string(null)}), "no error") << null;
    EXPECT_EQ(message_of({"params.a='" + std::string(null) + "'"}), "no error") << null;
  }
}

TEST(Options, FillAnEmptySection) {
  const std::string text = "kernel: a\nparams:\ninputs: {x: in.h5:/x}\noutputs: out.h5\n";
  EXPECT_EQ(with({"params.a=1"}, text).params.at("a").text, "1");
}

struct Case {
  std::string option, message;
};

TEST(Options, AreThePlaceOfTheirMistakes) {
  const std::string form = "; expected KEY=VALUE, such as inputs.x.slice=0:10";
  const std::string input_keys = "; expected one of file, dataset, slice, window, in_axis, dtype";
  const std::vector<Case> cases = {
      {"kernel", "no = in it" + form},
      {"", "no = in it" + form},
      {"=1", "an empty key" + form},
      {"inputs..x=1", "an empty key" + form},
      {"inputs.=1", "an empty key" + form},
      {"inputs.x.slize=0:10", "inputs.x.slize: unknown key" + input_keys + "; did you mean slice?"},
      {"inputs.x.slice.start=0",
       "inputs.x.slice: is a map; expected START:STOP or START:STOP:STEP, such as 0:1000"},
      {"kernel=", "kernel: has no value; expected text, such as square"},
      {"kernel=1", "kernel: 1 is a number unless it is quoted; expected text, such as square"},
      {"inputs=[1, 2]", "inputs: is a list; expected a map of names"},
      {"params={a: 1, a: 2}",
       "params.a: written twice, first at --set params={a: 1, a: 2}; expected each key once"},
      {"params={a: 1",
       "params: { is not closed, or a key in it has no value; expected {KEY: VALUE, …}"},
      {"params.a=\"1", "params.a: the text ends inside quotes; expected a closing quote"},
      {"params.a=\"1\" 2", "params.a: text after the end of the document; expected one document"},
      {"params={a: &b 1}", "params.a: an anchor (&) is not supported; expected the value alone"},
      {"params.a=\xFF",
       "params.a: bytes that are not UTF-8, control characters or deep nesting; expected text"},
      {"inputs.x.in_axis=", "inputs.x.in_axis: has no value; expected an axis, such as 1, or null"},
      {"inputs.x={file: a, dataset: b, in_axis: }",
       "inputs.x.in_axis: has no value; expected an axis, such as 1, or null"},
  };
  for (const Case& one : cases) {
    EXPECT_EQ(message_of({one.option}), "--set " + one.option + ": " + one.message);
  }
}

TEST(Options, AreAllReported) {
  EXPECT_EQ(
      message_of({"b", "a=1"}),
      "--set b: no = in it; expected KEY=VALUE, such as inputs.x.slice=0:10\n"
      "--set a=1: a: unknown key; expected one of kernel, params, inputs, map, seed, outputs, run");
}

}  // namespace
}  // namespace kmap::config
