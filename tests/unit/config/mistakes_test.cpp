// One mistake, or several, and the exact message.

#include "config/load.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

namespace kmap::config {
namespace {

std::string message_of(const std::string& text, const std::vector<std::string>& options = {}) {
  try {
    parse(text, "job.yaml", options);
  } catch (const ConfigError& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_config);
    return error.what();
  }
  return "no error";
}

struct Case {
  std::string text;
  std::string message;
};

void expect_messages(const std::vector<Case>& cases, const std::string& rest = "") {
  for (const Case& one : cases) EXPECT_EQ(message_of(one.text + rest), one.message) << one.text;
}

const std::string inputs_and_outputs = "inputs: {x: in.h5:/x}\noutputs: out.h5\n";
const std::string kernel_and_outputs = "kernel: square\noutputs: out.h5\n";
const std::string kernel_and_inputs = "kernel: square\ninputs: {x: in.h5:/x}\n";

TEST(Mistakes, ThereAreNoneInTheseParts) {
  EXPECT_EQ(message_of("kernel: square\n" + inputs_and_outputs), "no error");
}

TEST(Mistakes, OfTheDocument) {
  const std::string expected = "; expected a map with the keys kernel, inputs and outputs";
  expect_messages({
      {"", "job.yaml:1:1: the file is empty" + expected},
      {"\n\n# a comment\n", "job.yaml:1:1: the file is empty" + expected},
      {"---\n", "job.yaml:1:1: the file is empty" + expected},
      {"~\n", "job.yaml:1:1: the file is empty" + expected},
      {"- a\n- b\n", "job.yaml:1:1: the file is a list" + expected},
      {"kernel square\n", "job.yaml:1:1: the file \"kernel square\" is text" + expected},
      {"42", "job.yaml:1:1: the file 42 is a number" + expected},
      {"kernel: a\n---\nkernel: b\n", "job.yaml:2:1: a second document; expected one document"},
      {"{kernel: a}\nkernel: b\n",
       "job.yaml:2:1: text after the end of the document; expected one document"},
      {"%YAML 1.2\n---\nkernel: a\n",
       "job.yaml:1:1: a directive (%) is not supported; expected KEY: VALUE"},
      {"kernel: a\n%foo\n", "job.yaml:2:1: a directive (%) is not supported; expected KEY: VALUE"},
  });
}

TEST(Mistakes, OfTheSyntax) {
  expect_messages({
      {"kernel: a: b\n",
       "job.yaml:1:10: a colon where none can be; expected KEY: VALUE, keys at one indentation and "
       "colons in values quoted"},
      {"kernel: \"a\ninputs:\n",
       "job.yaml:3:1: the text ends inside quotes (opened after job.yaml:1:1); expected a closing "
       "quote"},
      {"kernel: 'a",
       "job.yaml:1:11: the text ends inside quotes (opened after job.yaml:1:1); expected a closing "
       "quote"},
      {"inputs: {x: {file: a, dataset: b}\noutputs: c\n",
       "job.yaml:2:1: { is not closed, or a key in it has no value (opened at job.yaml:1:9); "
       "expected {KEY: VALUE, …}"},
      {"params: {a: [1, 2\n",
       "job.yaml:2:1: [ is not closed, or an item is malformed (opened at job.yaml:1:13); expected "
       "[ITEM, …]"},
      {"kernel: a\n}\n", "job.yaml:2:1: a closing bracket without its opening one"},
      {"kernel: - a\n", "job.yaml:1:9: a list item (-) where none can be; expected KEY: VALUE"},
      {"kernel: @a\n",
       "job.yaml:1:9: a character that no value may begin with; expected quotes around the value"},
      {"kernel: \"\\q\"\n",
       "job.yaml:1:12: an unknown \\ sequence in double quotes; expected single quotes, or \\\\ "
       "for "
       "one \\"},
      {"inputs:\n  x: a\n y: b\n",
       "job.yaml:3:2: not at the level of the keys above, or no key; expected KEY: VALUE"},
      {"kernel: a\nsquare\n",
       "job.yaml:2:1: not at the level of the keys above, or no key; expected KEY: VALUE"},
  });
}

TEST(Mistakes, OfWhatYamlCanAndARunConfigCannot) {
  expect_messages(
      {
          {"kernel: &k square\n",
           "job.yaml:1:9: kernel: an anchor (&) is not supported; expected the value alone"},
          {"kernel: *k\n",
           "job.yaml:1:9: kernel: an alias (*) is not supported; expected the value itself"},
          {"kernel: !!str square\n",
           "job.yaml:1:9: kernel: a tag (!) is not supported; expected the value alone, in quotes "
           "if it is text"},
          {"kernel: square\nparams: {<<: {a: 1}}\n",
           "job.yaml:2:10: params.<<: a merge key is not supported; expected the keys themselves"},
          {"kernel: square\nparams: {[a]: 1}\n",
           "job.yaml:2:10: params: a key that is no text; expected KEY: VALUE"},
          {"kernel: square\nparams: {~: 1}\n",
           "job.yaml:2:10: params: a key that is no text; expected KEY: VALUE"},
          {"kernel: square\nkernel: square\n",
           "job.yaml:2:1: kernel: written twice, first at job.yaml:1:1; expected each key once"},
          {"kernel: square\nparams:\n  a: 1\n  \"a\": 2\n",
           "job.yaml:4:3: params.a: written twice, first at job.yaml:3:3; expected each key once"},
      },
      inputs_and_outputs);
}

TEST(Mistakes, OfAnAliasThatIsKnown) {
  EXPECT_EQ(message_of("kernel: &k square\nparams: {a: *k}\n" + inputs_and_outputs),
            "job.yaml:1:9: kernel: an anchor (&) is not supported; expected the value alone\n"
            "job.yaml:2:13: params.a: an alias (*) is not supported; expected the value itself");
}

TEST(Mistakes, OfTheKernel) {
  expect_messages(
      {
          {"", "job.yaml:1:1: kernel: missing; expected text, such as square"},
          {"kernel:\n", "job.yaml:1:1: kernel: has no value; expected text, such as square"},
          {"kernel: ~\n", "job.yaml:1:9: kernel: is null; expected text, such as square"},
          {"kernel: ''\n", "job.yaml:1:9: kernel: is empty; expected text, such as square"},
          {"kernel: 1\n",
           "job.yaml:1:9: kernel: 1 is a number unless it is quoted; expected text, such as "
           "square"},
          {"kernel: true\n",
           "job.yaml:1:9: kernel: true is a boolean unless it is quoted; expected text, such as "
           "square"},
          {"kernel: [square]\n", "job.yaml:1:9: kernel: is a list; expected text, such as square"},
          {"kernel: {name: square}\n",
           "job.yaml:1:9: kernel: is a map; expected text, such as square"},
          {"kernel: |\n  square\n",
           "job.yaml:1:9: kernel: has line breaks or control characters; expected text, such as "
           "square"},
      },
      inputs_and_outputs);
}

TEST(Mistakes, OfParams) {
  expect_messages(
      {
          {"params: [1]\n", "job.yaml:1:9: params: is a list; expected a map of names"},
          {"params: 1\n", "job.yaml:1:9: params: 1 is a number; expected a map of names"},
          {"params: {a: [1, 2]}\n",
           "job.yaml:1:13: params.a: is a list; expected a number, true, false or text"},
          {"params: {a: {b: 1}}\n",
           "job.yaml:1:13: params.a: is a map; expected a number, true, false or text"},
          {"params: {a: }\n",
           "job.yaml:1:10: params.a: has no value; expected a number, true, false or text"},
      },
      "kernel: square\n" + inputs_and_outputs);
}

TEST(Mistakes, OfInputs) {
  const std::string input =
      "; expected data.h5:/x or a map with the keys file, dataset, slice, window, in_axis, dtype";
  expect_messages(
      {
          {"inputs: in.h5:/x\n",
           "job.yaml:1:9: inputs: \"in.h5:/x\" is text; expected a map of names"},
          {"inputs: {x: }\n", "job.yaml:1:10: inputs.x: has no value" + input},
          {"inputs: {x: [in.h5, /x]}\n", "job.yaml:1:13: inputs.x: is a list" + input},
          {"inputs: {x: in.h5}\n",
           "job.yaml:1:13: inputs.x: \"in.h5\" names no dataset; expected FILE:/DATASET, such as "
           "data.h5:/x"},
          {"inputs: {x: \"in.h5:\"}\n",
           "job.yaml:1:13: inputs.x: \"in.h5:\" names no dataset; expected FILE:/DATASET, such as "
           "data.h5:/x"},
          {"inputs: {x: in.h5:x}\n",
           "job.yaml:1:13: inputs.x: \"in.h5:x\" names no dataset; expected FILE:/DATASET, such as "
           "data.h5:/x"},
          {"inputs: {x: \":/x\"}\n",
           "job.yaml:1:13: inputs.x.file: is empty; expected the name of a file, such as data.h5"},
          {"inputs: {x: in.h5:/}\n",
           "job.yaml:1:13: inputs.x.dataset: \"/\" is a group; expected the path of a dataset, "
           "such "
           "as /x"},
          {"inputs: {x: 7}\n",
           "job.yaml:1:13: inputs.x.file: 7 is a number unless it is quoted; expected the name of "
           "a "
           "file, such as data.h5\n"
           "job.yaml:1:13: inputs.x.dataset: missing; expected the path of a dataset, such as /x"},
          {"inputs: {x: {dataset: /x}}\n",
           "job.yaml:1:13: inputs.x.file: missing; expected the name of a file, such as data.h5"},
          {"inputs: {x: {file: a.h5}}\n",
           "job.yaml:1:13: inputs.x.dataset: missing; expected the path of a dataset, such as /x"},
          {"inputs: {x: {file: ~/a.h5, dataset: /x}}\n",
           "job.yaml:1:20: inputs.x.file: ~ is not replaced; use ${HOME}; expected the name of a "
           "file, such as data.h5"},
          {"inputs: {x: {file: a.h5, dataset: 12}}\n",
           "job.yaml:1:35: inputs.x.dataset: 12 is a number unless it is quoted; expected the path "
           "of a dataset, such as /x"},
          {"inputs: {x: {file: a.h5, datset: /x}}\n",
           "job.yaml:1:13: inputs.x.dataset: missing; expected the path of a dataset, such as /x\n"
           "job.yaml:1:26: inputs.x.datset: unknown key; expected one of file, dataset, slice, "
           "window, in_axis, dtype; did you mean dataset?"},
          {"inputs: {x: {file: a.h5, dataset: /x, window: {stride: 1}}}\n",
           "job.yaml:1:47: inputs.x.window.size: missing; expected a positive integer, such as "
           "4096"},
          {"inputs: {x: {file: a.h5, dataset: /x, window: {size: 1.5, stride: 0}}}\n",
           "job.yaml:1:54: inputs.x.window.size: 1.5 is a number with a fraction; expected a "
           "positive "
           "integer, such as 4096\n"
           "job.yaml:1:67: inputs.x.window.stride: 0 is not positive; expected a positive integer, "
           "such as 2048"},
          {"inputs: {x: {file: a.h5, dataset: /x, window: long}}\n",
           "job.yaml:1:47: inputs.x.window.size: \"long\" is text; expected a positive integer, "
           "such as "
           "4096"},
          {"inputs: {x: {file: a.h5, dataset: /x, slice: 5}}\n",
           "job.yaml:1:46: inputs.x.slice: 5 is a number; expected START:STOP or START:STOP:STEP, "
           "such as 0:1000"},
          {"inputs: {x: {file: a.h5, dataset: /x, slice: \"0:10:0\"}}\n",
           "job.yaml:1:46: inputs.x.slice: a step of 0; expected START:STOP or START:STOP:STEP, "
           "such as "
           "0:1000"},
          {"inputs: {x: {file: a.h5, dataset: /x, slice: a:b}}\n",
           "job.yaml:1:46: inputs.x.slice: \"a:b\" is text; expected START:STOP or "
           "START:STOP:STEP, such as 0:1000"},
          {"inputs: {x: {file: a.h5, dataset: /x, in_axis: 99}}\n",
           "job.yaml:1:48: inputs.x.in_axis: 99 is no axis of any dataset; expected an axis, such "
           "as 1, or null"},
          {"inputs: {x: {file: a.h5, dataset: /x, in_axis: \"0\"}}\n",
           "job.yaml:1:48: inputs.x.in_axis: \"0\" is text, as it is quoted; expected an axis, "
           "such as 1, or null"},
          {"inputs: {x: {file: a.h5, dataset: /x, in_axis: none}}\n",
           "job.yaml:1:48: inputs.x.in_axis: \"none\" is text; expected an axis, such as 1, or "
           "null"},
          {"inputs:\n  x:\n    file: a.h5\n    in_axis: # 0\n    dataset: /x\n",
           "job.yaml:4:5: inputs.x.in_axis: has no value; expected an axis, such as 1, or null"},
          {"inputs: {x: {file: a.h5, dataset: /x, dtype: float}}\n",
           "job.yaml:1:46: inputs.x.dtype: \"float\" is unknown; expected one of bool, i1, i2, i4, "
           "i8, u1, u2, u4, u8, f4, f8, c8, c16"},
          {"inputs: {x: {file: a.h5, dataset: /x, dtype: F8}}\n",
           "job.yaml:1:46: inputs.x.dtype: \"F8\" is unknown; expected one of bool, i1, i2, i4, "
           "i8, "
           "u1, u2, u4, u8, f4, f8, c8, c16; did you mean f8?"},
          {"inputs: {x: {file: a.h5, dataset: /x, dtype: 8}}\n",
           "job.yaml:1:46: inputs.x.dtype: 8 is a number; expected one of bool, i1, i2, i4, i8, "
           "u1, "
           "u2, u4, u8, f4, f8, c8, c16"},
      },
      kernel_and_outputs);
}

TEST(Mistakes, OfOutputs) {
  expect_messages(
      {
          {"",
           "job.yaml:1:1: outputs: missing; expected out.h5 or a map with the keys file, "
           "if_exists, "
           "datasets"},
          {"outputs: [a.h5]\n",
           "job.yaml:1:10: outputs: is a list; expected out.h5 or a map with the keys file, "
           "if_exists, datasets"},
          {"outputs: out.h5:/y\n",
           "job.yaml:1:10: outputs: \"out.h5:/y\" names a dataset; expected a file alone; datasets "
           "are named in outputs.datasets"},
          {"outputs: {if_exists: overwrite}\n",
           "job.yaml:1:10: outputs.file: missing; expected the name of a file, such as out.h5"},
          {"outputs: {file: a.h5, if_exists: resume}\n",
           "job.yaml:1:34: outputs.if_exists: \"resume\" is unknown; expected one of error, "
           "overwrite"},
          {"outputs: {file: a.h5, if_exists: overwite}\n",
           "job.yaml:1:34: outputs.if_exists: \"overwite\" is unknown; expected one of error, "
           "overwrite; did you mean overwrite?"},
          {"outputs: {file: a.h5, datasets: {y: 1}}\n",
           "job.yaml:1:37: outputs.datasets.y.path: 1 is a number unless it is quoted; expected "
           "the "
           "path of a dataset, such as /y"},
          {"outputs: {file: a.h5, datasets: {y: {path: /a/}}}\n",
           "job.yaml:1:44: outputs.datasets.y.path: \"/a/\" is a group; expected the path of a "
           "dataset, such as /y"},
          {"outputs: {file: a.h5, datasets: {y: {path: /y, compression: zstd}}}\n",
           "job.yaml:1:48: outputs.datasets.y.compression: unknown key; expected one of path, "
           "out_axis, dtype"},
      },
      kernel_and_inputs);
}

TEST(Mistakes, OfRun) {
  const std::string size =
      "; expected a size, such as 2 GiB (B, kB, MB, GB, TB, KiB, MiB, GiB, TiB)";
  expect_messages(
      {
          {"run: fast\n",
           "job.yaml:1:6: run: \"fast\" is text; expected a map with the keys memory, staging, "
           "progress"},
          {"run: {memory: much}\n", "job.yaml:1:15: run.memory: \"much\" is text" + size},
          {"run: {memory: 2 gb}\n",
           "job.yaml:1:15: run.memory: \"2 gb\" is text" + size + "; did you mean 2 GB?"},
          {"run: {memory: \"1024\"}\n",
           "job.yaml:1:15: run.memory: \"1024\" is text, as it is quoted" + size},
          {"run: {memory: 1.5}\n",
           "job.yaml:1:15: run.memory: 1.5 is not a number of bytes" + size},
          {"run: {memory: 0}\n", "job.yaml:1:15: run.memory: is not positive" + size},
          {"run: {memory: -1}\n", "job.yaml:1:15: run.memory: -1 is not a number of bytes" + size},
          {"run: {memory: true}\n", "job.yaml:1:15: run.memory: true is a boolean" + size},
          {"run: {staging: off}\n",
           "job.yaml:1:16: run.staging: \"off\" is unknown; expected one of auto, always"},
          {"run: {time_limit: 55 min}\n",
           "job.yaml:1:7: run.time_limit: unknown key; expected one of memory, staging, progress"},
          {"runs: {}\n",
           "job.yaml:1:1: runs: unknown key; expected one of kernel, params, inputs, map, seed, "
           "outputs, run; "
           "did you mean run?"},
      },
      "kernel: square\n" + inputs_and_outputs);
}

TEST(Mistakes, OfVariables) {
  ::unsetenv("KMAP_TEST_UNSET");
  const std::string form = "; expected ${NAME} or ${NAME:-DEFAULT}, or $${ for ${ itself";
  expect_messages(
      {
          {"kernel: ${KMAP_TEST_UNSET}\n",
           "job.yaml:1:9: kernel: the environment variable KMAP_TEST_UNSET is not set; expected it "
           "to be set, or ${KMAP_TEST_UNSET:-DEFAULT}"},
          {"kernel: ${}\n", "job.yaml:1:9: kernel: a malformed variable" + form},
          {"kernel: ${1A}\n", "job.yaml:1:9: kernel: a malformed variable" + form},
          {"kernel: a${B\n", "job.yaml:1:9: kernel: a malformed variable" + form},
          {"kernel: \"${A:-${B}}\"\n", "job.yaml:1:9: kernel: a malformed variable" + form},
      },
      inputs_and_outputs);
}

TEST(Mistakes, AreCountedInCharacters) {
  EXPECT_EQ(message_of("kernel: a\ninputs: {größe: {file: ä, dataset: b, x: 1}}\noutputs: c\n"),
            "job.yaml:2:39: inputs.größe.x: unknown key; expected one of file, dataset, slice, "
            "window, in_axis, dtype");
}

TEST(Mistakes, AreShownAllAtOnceInOrder) {
  EXPECT_EQ(
      message_of("run: {memory: x}\n"
                 "kernel: 1\n"
                 "inputs: {x: {file: a, dataset: b, slice: 1}}\n"
                 "kernel: 2\n"
                 "output: a\n",
                 {"params.a=[1]", "run.stagin=auto"}),
      "job.yaml:1:1: outputs: missing; expected out.h5 or a map with the keys file, if_exists, "
      "datasets\n"
      "job.yaml:1:15: run.memory: \"x\" is text; expected a size, such as 2 GiB (B, kB, MB, "
      "GB, TB, KiB, MiB, GiB, TiB)\n"
      "job.yaml:2:9: kernel: 1 is a number unless it is quoted; expected text, such as "
      "square\n"
      "job.yaml:3:42: inputs.x.slice: 1 is a number; expected START:STOP or START:STOP:STEP, such "
      "as 0:1000\n"
      "job.yaml:4:1: kernel: written twice, first at job.yaml:2:1; expected each key once\n"
      "job.yaml:5:1: output: unknown key; expected one of kernel, params, inputs, map, "
      "seed, outputs, run; did you mean outputs?\n"
      "--set params.a=[1]: params.a: is a list; expected a number, true, false or text\n"
      "--set run.stagin=auto: run.stagin: unknown key; expected one of memory, staging, progress; "
      "did "
      "you mean staging?");
}

TEST(Mistakes, AreCountedBeyondTheFirstHundred) {
  std::string text = "kernel: square\n" + inputs_and_outputs;
  for (int i = 0; i < 150; ++i) text += "key" + std::to_string(i) + ": 1\n";
  const std::string message = message_of(text);
  EXPECT_NE(message.find("job.yaml:4:1: key0: unknown key"), std::string::npos);
  EXPECT_TRUE(message.ends_with("\nand 50 more mistakes"));
}

}  // namespace
}  // namespace kmap::config
