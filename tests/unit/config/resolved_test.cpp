// The resolved config, read again, is the same config.

#include "config/load.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

namespace kmap::config {
namespace {

void expect_same(const JobConfig& a, const JobConfig& b) {
  EXPECT_EQ(a.kernel, b.kernel);
  ASSERT_EQ(a.params.size(), b.params.size());
  for (const auto& [name, param] : a.params) {
    ASSERT_TRUE(b.params.contains(name)) << name;
    EXPECT_EQ(param.text, b.params.at(name).text) << name;
  }
  ASSERT_EQ(a.inputs.size(), b.inputs.size());
  for (const auto& [name, input] : a.inputs) {
    ASSERT_TRUE(b.inputs.contains(name)) << name;
    const InputConfig& other = b.inputs.at(name);
    EXPECT_EQ(input.file, other.file);
    EXPECT_EQ(input.dataset, other.dataset);
    ASSERT_EQ(input.slice.has_value(), other.slice.has_value());
    if (input.slice) {
      EXPECT_EQ(input.slice->start, other.slice->start);
      EXPECT_EQ(input.slice->stop, other.slice->stop);
    }
    EXPECT_EQ(input.in_axis.mapped, other.in_axis.mapped);
    EXPECT_EQ(input.dtype, other.dtype);
  }
  EXPECT_EQ(a.output_file, b.output_file);
  EXPECT_EQ(a.if_exists, b.if_exists);
  ASSERT_EQ(a.output_datasets.size(), b.output_datasets.size());
  for (const auto& [name, output] : a.output_datasets) {
    ASSERT_TRUE(b.output_datasets.contains(name)) << name;
    EXPECT_EQ(output.path, b.output_datasets.at(name).path);
    EXPECT_EQ(output.dtype, b.output_datasets.at(name).dtype);
  }
  EXPECT_EQ(a.memory, b.memory);
  EXPECT_EQ(a.staging, b.staging);
  EXPECT_EQ(a.as_resolved, b.as_resolved);
}

JobConfig round_trip(const std::string& text, const std::vector<std::string>& options = {}) {
  const JobConfig config = parse(text, "configs/job.yaml", options);
  // From elsewhere, with other variables: nothing in it depends on them any more.
  expect_same(config, parse(config.as_resolved, "/elsewhere/copy.yaml", {}));
  return config;
}

TEST(Resolved, HasEveryDefaultInTheOrderOfTheSchema) {
  const JobConfig config =
      parse("outputs: out.h5\ninputs: {x: in.h5:/x}\nkernel: square\n", "/job/job.yaml", {});
  EXPECT_EQ(config.as_resolved,
            "kernel: square\n"
            "params: {}\n"
            "inputs:\n"
            "  x:\n"
            "    file: /job/in.h5\n"
            "    dataset: /x\n"
            "    in_axis: 0\n"
            "map:\n"
            "  axis_name: batch\n"
            "outputs:\n"
            "  file: /job/out.h5\n"
            "  if_exists: error\n"
            "  datasets: {}\n"
            "run:\n"
            "  staging: auto\n"
            "  progress: 10 min\n");
  round_trip("outputs: out.h5\ninputs: {x: in.h5:/x}\nkernel: square\n");
}

TEST(Resolved, HasOptionsAndVariablesApplied) {
  ::setenv("KMAP_TEST_KERNEL", "moments", 1);
  const JobConfig config =
      round_trip("kernel: ${KMAP_TEST_KERNEL}\ninputs: {x: in.h5:/x}\noutputs: out.h5\n",
                 {"inputs.x.slice=0:10", "params.a=1", "run.memory=1.5 GiB"});
  EXPECT_NE(config.as_resolved.find("kernel: moments\n"), std::string::npos);
  EXPECT_NE(config.as_resolved.find("    slice: 0:10\n"), std::string::npos);
  EXPECT_NE(config.as_resolved.find("  memory: 1.5 GiB\n"), std::string::npos);
}

TEST(Resolved, KeepsWhatIsTextAndWhatIsNot) {
  const std::string text =
      "kernel: a\n"
      "params: {n: 1, t: \"1\", b: true, u: 'true', s: no, z: 010, e: '', d: 2024-01-01, i: "
      "-.inf}\n"
      "inputs: {x: in.h5:/x}\n"
      "outputs: out.h5\n";
  const JobConfig config = round_trip(text);
  const JobConfig again = parse(config.as_resolved, "job.yaml", {});
  for (const auto& [name, param] : config.params) {
    EXPECT_EQ(again.params.at(name).quoted, param.quoted) << name;
  }
}

TEST(Resolved, KeepsOddTexts) {
  const std::vector<std::string> odd = {
      "a: b", "a #b",    "#a",      "- a",         "-",     "?",     "null",   "~",     "*a",
      "&a",   "!a",      "[a]",     "{a}",         "a, b",  "'a'",   "\\\"a",  "a\\nb", "a\\tb",
      " a ",  "%a",      "@a",      "`a",          "|",     ">",     "a\\\\b", "größe", "日本",
      "a:",   ":a",      "--- a",   "...",         "${A}",  "$${A}", "$$${A}", "a ${",  "=",
      "<<",   "\\u0085", "\\u2028", "\\uFEFF",     "\\x07", "\\x7f", "55 min", "2 GiB", "a  b",
      "0:10", "x: y: z", "NULL",    "\\U0001F600", "a\\rb"};
  std::string text = "kernel: a\ninputs: {x: in.h5:/x}\noutputs: out.h5\nparams:\n";
  int count = 0;
  for (const std::string& one : odd) {
    // As values of all kinds of text, where ${ is written so that it stays.
    std::string literal = one;
    for (std::size_t at = literal.find("${"); at != literal.npos; at = literal.find("${", at + 3)) {
      literal.insert(at, 1, '$');
    }
    text += "  p" + std::to_string(count++) + ": \"" + literal + "\"\n";
  }
  const JobConfig config = round_trip(text);
  EXPECT_EQ(config.params.size(), odd.size());
  EXPECT_EQ(config.params.at("p33").text, "$$${A}");
}

TEST(Resolved, KeepsOddNamesAndPlainTexts) {
  round_trip(
      "kernel: a b\n"
      "params: {\"a: b\": x y, 1: 2, größe: größe, \"#\": (1 - x) * y, \"<<\": z}\n"
      "inputs: {\"x y\": {file: 'a b #c.h5', dataset: '/x: y', slice: ':', in_axis: null},\n"
      "         z: 'C:/a.h5:/x', u: ü.h5:/ü}\n"
      "outputs: {file: '${KMAP_TEST_UNSET:-o: #.h5}', datasets: {\"a.b\": '/a b', y: }}\n"
      "run: {memory: 1e9, staging: always}\n");
}

}  // namespace
}  // namespace kmap::config
