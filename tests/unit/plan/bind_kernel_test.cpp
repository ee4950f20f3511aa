// The run config against the kernel's declaration, without any data.

#include "plan/bind_kernel.hpp"

#include "unit/plan/kernels.hpp"

#include <gtest/gtest.h>

#include <ostream>

namespace kmap::test {
namespace {

using Options = std::vector<std::string>;

plan::BoundKernel bind(const std::string& text, const Options& options = {}) {
  return plan::bind_kernel(config::parse(text, "/data/job.yaml", options));
}

plan::BoundKernel bind_scale(const Options& options) {
  return plan::bind_kernel(job_of("scale", {"x"}, options));
}

TEST(BindKernel, DefaultsAreThoseOfTheStruct) {
  const plan::BoundKernel bound = bind_scale({});
  EXPECT_EQ(bound.info->name, "scale");
  ASSERT_EQ(bound.values.size(), 5u);
  EXPECT_EQ(bound.values.at("factor"), ParamValue(2.0));
  EXPECT_EQ(bound.values.at("count"), ParamValue(std::int64_t{3}));
  EXPECT_EQ(bound.values.at("flip"), ParamValue(false));
  EXPECT_EQ(bound.values.at("mode"), ParamValue(std::string("plain")));
  EXPECT_NE(bound.params, nullptr);
}

TEST(BindKernel, ParametersTakeTheirDeclaredTypes) {
  const plan::BoundKernel bound =
      bind_scale({"params.factor=3", "params.count=1e3", "params.flip=true", "params.mode=mirror",
                  "params.level=255"});
  EXPECT_EQ(bound.values.at("factor"), ParamValue(3.0));
  EXPECT_EQ(bound.values.at("count"), ParamValue(std::int64_t{1000}));
  EXPECT_EQ(bound.values.at("flip"), ParamValue(true));
  EXPECT_EQ(bound.values.at("mode"), ParamValue(std::string("mirror")));
  EXPECT_EQ(bound.values.at("level"), ParamValue(std::int64_t{255}));
}

TEST(BindKernel, UnknownKernel) {
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "/data/job.yaml:1:9: kernel: no kernel is named \"scael\"; expected one of add, apply, dot, "
      "forgetful, graded, graded_along_nothing, graded_as_output, graded_twice, norm, project, "
      "scale, spectrum, turn (see `kmap list`); did you mean scale?",
      [] { bind("kernel: scael\ninputs: {x: in.h5:/x}\noutputs: out.h5\n"); }));
}

struct WrongParam {
  const char* value;
  const char* message;
};

void PrintTo(const WrongParam& param, std::ostream* stream) { *stream << param.value; }

class WrongParams : public testing::TestWithParam<WrongParam> {};

TEST_P(WrongParams, AreNamedWithWhatWasExpected) {
  const std::string option = std::string("params.") + GetParam().value;
  EXPECT_TRUE(fails_as(ExitCode::bad_config, "--set " + option + ": params." + GetParam().message,
                       [&] { bind_scale({option}); }));
}

INSTANTIATE_TEST_SUITE_P(
    All, WrongParams,
    testing::Values(
        WrongParam{"factor=abc", "factor: \"abc\" is text; expected a number in m, -10 to 10"},
        WrongParam{"factor=true", "factor: true is a boolean; expected a number in m, -10 to 10"},
        WrongParam{"factor=10.5", "factor: 10.5 is not allowed; expected -10 to 10"},
        WrongParam{"factor=nan", "factor: nan is not allowed; expected -10 to 10"},
        WrongParam{"factor=.inf", "factor: .inf is not allowed; expected -10 to 10"},
        WrongParam{"count=1.5",
                   "count: 1.5 is a number with a fraction; expected an integer, -2147483648 to "
                   "2147483647"},
        WrongParam{"count=3e9", "count: 3e9 is not allowed; expected -2147483648 to 2147483647"},
        WrongParam{"count=010",
                   "count: 010 is not a plain decimal number; expected an integer, -2147483648 to "
                   "2147483647"},
        WrongParam{"level=0", "level: 0 is not allowed; expected 1 to 255"},
        WrongParam{"level=256", "level: 256 is not allowed; expected 1 to 255"},
        WrongParam{"flip=yes", "flip: \"yes\" is text; expected true or false; did you mean true?"},
        WrongParam{"flip=1", "flip: 1 is a number; expected true or false"},
        WrongParam{"mode=miror",
                   "mode: miror is not allowed; expected one of plain, mirror; did you mean "
                   "mirror?"},
        WrongParam{"mode=1",
                   "mode: 1 is a number unless it is quoted; expected one of plain, mirror"},
        WrongParam{"factr=1",
                   "factr: kernel scale has no parameter of that name; expected one of factor, "
                   "count, level, flip, mode; did you mean factor?"}));

TEST(BindKernel, KernelWithoutParameters) {
  EXPECT_TRUE(fails_as(ExitCode::bad_config,
                       "--set params.scale=1: params.scale: kernel norm has no parameters",
                       [] { plan::bind_kernel(job_of("norm", {"x"}, {"params.scale=1"})); }));
}

TEST(BindKernel, AllMistakesAtOnceInTheirOrder) {
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "/data/job.yaml:3:3: params.mod: kernel scale has no parameter of that name; expected one of "
      "factor, count, level, flip, mode; did you mean mode?\n"
      "/data/job.yaml:4:10: params.count: 0.5 is a number with a fraction; expected an integer, "
      "-2147483648 to 2147483647\n"
      "/data/job.yaml:6:3: inputs.z: kernel scale has no input of that name; expected one of x\n"
      "/data/job.yaml:6:3: inputs.x: missing: kernel scale needs this input; expected "
      "FILE:/DATASET\n"
      "/data/job.yaml:10:5: outputs.datasets.w: kernel scale has no output of that name; expected "
      "one of y\n"
      "/data/job.yaml:11:8: outputs.datasets.y.path: /kmap/y collides with /kmap, where kmap keeps "
      "the provenance; expected another path",
      [] {
        bind(
            "kernel: scale\n"
            "params:\n"
            "  mod: plain\n"
            "  count: 0.5\n"
            "inputs:\n"
            "  z: in.h5:/z\n"
            "outputs:\n"
            "  file: out.h5\n"
            "  datasets:\n"
            "    w: /w\n"
            "    y: /kmap/y\n");
      }));
}

struct Path {
  const char* power;
  const char* frequency;
  const char* wrong;  // or empty
};

void PrintTo(const Path& path, std::ostream* stream) {
  *stream << path.power << " and " << path.frequency;
}

class OutputPaths : public testing::TestWithParam<Path> {};

TEST_P(OutputPaths, MustNotMeet) {
  const Path& path = GetParam();
  const auto bind_both = [&] {
    plan::bind_kernel(job_of("spectrum", {"x"},
                             {std::string("outputs.datasets.power=") + path.power,
                              std::string("outputs.datasets.frequency=") + path.frequency}));
  };
  if (*path.wrong == '\0') {
    EXPECT_NO_THROW(bind_both());
    return;
  }
  try {
    bind_both();
    FAIL() << "no error";
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string(error.what()).find(path.wrong), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, OutputPaths,
    testing::Values(Path{"/a", "/b", ""}, Path{"/a/x", "/a/y", ""}, Path{"/ab", "/a", ""},
                    Path{"/kmaps", "/a/kmap", ""}, Path{"/.hidden", "/a..b", ""},
                    Path{"/a", "/a", "/a collides with /a;"},
                    Path{"/a", "/a/b", "/a/b collides with /a;"},
                    Path{"/a/b", "/a", "/a collides with /a/b;"},
                    Path{"/kmap", "/b", "/kmap collides with /kmap, where kmap keeps"},
                    Path{"/a", "/kmap/x/y", "/kmap/x/y collides with /kmap, where kmap keeps"},
                    Path{"/a//b", "/b", "/a//b has an empty part, . or .. in it"},
                    Path{"/./kmap", "/b", "/./kmap has an empty part, . or .. in it"},
                    Path{"/a/../b", "/b", "/a/../b has an empty part, . or .. in it"}));

TEST(BindKernel, APathThatMeetsTheDefaultOfAnother) {
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set outputs.datasets.power=/frequency: outputs.datasets.frequency.path: "
      "/frequency collides with /frequency; expected another path",
      [] { plan::bind_kernel(job_of("spectrum", {"x"}, {"outputs.datasets.power=/frequency"})); }));
}

TEST(BindKernel, ABoundThatIsNotAllowedItself) {
  EXPECT_NO_THROW(plan::bind_kernel(job_of("graded", {"x"}, {"params.rate=1e-300"})));
  for (const std::string value : {"0", "-1"}) {
    EXPECT_TRUE(
        fails_as(ExitCode::bad_config,
                 "--set params.rate=" + value + ": params.rate: " + value +
                     " is not allowed; expected above 0",
                 [&] { plan::bind_kernel(job_of("graded", {"x"}, {"params.rate=" + value})); }));
  }
}

// ---- Coordinates

TEST(BindKernel, CoordinatesHavePathsToo) {
  EXPECT_NO_THROW(plan::bind_kernel(
      job_of("graded", {"x"}, {"outputs.datasets.frequency={path: /axes/f, dtype: f4}"})));
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set outputs.datasets.power=/frequency: outputs.datasets.frequency.path: "
      "/frequency collides with /frequency; expected another path",
      [] { plan::bind_kernel(job_of("graded", {"x"}, {"outputs.datasets.power=/frequency"})); }));
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set outputs.datasets.frequency=/kmap/f: outputs.datasets.frequency.path: /kmap/f collides "
      "with /kmap, where kmap keeps the provenance; expected another path",
      [] { plan::bind_kernel(job_of("graded", {"x"}, {"outputs.datasets.frequency=/kmap/f"})); }));
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set outputs.datasets.freqency=/f: outputs.datasets.freqency: kernel graded has no output "
      "of that name; expected one of power, smooth, frequency, zero; did you mean frequency?",
      [] { plan::bind_kernel(job_of("graded", {"x"}, {"outputs.datasets.freqency=/f"})); }));
}

TEST(BindKernel, CoordinatesThatTheDeclarationGetsWrong) {
  EXPECT_TRUE(fails_as(ExitCode::internal,
                       "coordinate zero of kernel graded_along_nothing: no output has a named "
                       "dimension z\n  remedy: name one of f, t in .coordinate(\"zero\", …)",
                       [] { plan::bind_kernel(job_of("graded_along_nothing", {"x"})); }));
  for (const std::string kernel : {"graded_as_output smooth", "graded_twice frequency"}) {
    const std::size_t space = kernel.find(' ');
    EXPECT_TRUE(fails_as(ExitCode::internal,
                         "coordinate " + kernel.substr(space + 1) + " of kernel " +
                             kernel.substr(0, space) +
                             ": an output or another coordinate has this name\n  remedy: give "
                             "each of them a name of its own",
                         [&] { plan::bind_kernel(job_of(kernel.substr(0, space), {"x"})); }));
  }
}

}  // namespace
}  // namespace kmap::test
