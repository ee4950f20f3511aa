// Shapes of datasets and examples against the kernel's signature: rows, loops, core dimensions.

#include "unit/plan/kernels.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

constexpr auto bad_data = ExitCode::bad_data;
constexpr auto bad_config = ExitCode::bad_config;

struct Fit {
  const char* kernel;
  Shape input;
  std::int64_t rows;
  Shape loops;
  Shape core;
  Shape output;
};

class Fits : public testing::TestWithParam<Fit> {};

TEST_P(Fits, RowsLoopsAndCore) {
  const Fit& fit = GetParam();
  const plan::Plan plan = plan_of(job_of(fit.kernel, {"x"}), {doubles("x", fit.input)});
  EXPECT_EQ(plan.rows, fit.rows);
  EXPECT_EQ(plan.loops, fit.loops);
  EXPECT_EQ(plan.examples(), fit.rows * count(fit.loops));
  EXPECT_EQ(plan.inputs.at(0).core, fit.core);
  EXPECT_EQ(plan.inputs.at(0).whole_bytes, 8 * count(fit.input));
  EXPECT_EQ(plan.inputs.at(0).row_bytes, 8 * count(fit.loops) * count(fit.core));
  EXPECT_EQ(plan.outputs.at(0).shape, fit.output);
}

INSTANTIATE_TEST_SUITE_P(All, Fits,
                         testing::Values(Fit{"scale", {5}, 5, {}, {}, {5}},  // ()
                                         Fit{"scale", {5, 2, 3}, 5, {2, 3}, {}, {5, 2, 3}},
                                         Fit{"scale", {0}, 0, {}, {}, {0}},
                                         Fit{"scale", {4, 0}, 4, {0}, {}, {4, 0}},
                                         Fit{"turn", {7, 3}, 7, {}, {3}, {7, 3}},  // (3)
                                         Fit{"turn", {7, 2, 3}, 7, {2}, {3}, {7, 2, 3}},
                                         Fit{"turn", {0, 3}, 0, {}, {3}, {0, 3}},
                                         Fit{"norm", {6, 4, 5}, 6, {}, {20}, {6}},  // (...)
                                         Fit{"norm", {6}, 6, {}, {1}, {6}},
                                         Fit{"spectrum", {4, 10}, 4, {}, {10}, {4, 6}},  // (t)->(f)
                                         Fit{"spectrum", {4, 2, 10}, 4, {2}, {10}, {4, 2, 6}}));

TEST(Shapes, OutputsOfSeveralSizes) {
  const plan::Plan plan =
      plan_of(job_of("spectrum", {"x"}, {"params.pad=6", "outputs.datasets.power=/a/power"}),
              {doubles("x", {4, 2, 10})});
  ASSERT_EQ(plan.outputs.size(), 2u);
  EXPECT_EQ(plan.outputs[0].path, "/a/power");
  EXPECT_EQ(plan.outputs[0].shape, (Shape{4, 2, 9}));
  EXPECT_EQ(plan.outputs[0].row_bytes, 4 * 2 * 9);
  EXPECT_EQ(plan.outputs[0].whole_bytes, 4 * 4 * 2 * 9);
  EXPECT_EQ(plan.outputs[1].path, "/frequency");
  EXPECT_EQ(plan.outputs[1].shape, (Shape{4, 2, 10}));
  EXPECT_EQ(plan.row_memory, 8 * 2 * 10 + 4 * 2 * 9 + 8 * 2 * 10);
}

TEST(Shapes, CoordinatesAreThereOnce) {
  const plan::Plan plan =
      plan_of(job_of("graded", {"x"},
                     {"params.rate=20", "outputs.datasets.frequency={path: /axes/f, dtype: f4}"}),
              {doubles("x", {4, 2, 10})});
  ASSERT_EQ(plan.coordinates.size(), 2u);
  const plan::CoordinatePlan& frequency = plan.coordinates[0];
  EXPECT_EQ(frequency.path, "/axes/f");
  EXPECT_EQ(frequency.stored, DType::f4);
  EXPECT_EQ(frequency.unit, "Hz");
  EXPECT_EQ(frequency.shape, Shape{5});
  EXPECT_EQ(frequency.bytes, 4 * 5);
  EXPECT_EQ(frequency.value(0), 0);
  EXPECT_EQ(frequency.value(3), 3 * 20.0 / 10);
  EXPECT_EQ(plan.coordinates[1].path, "/zero");
  EXPECT_EQ(plan.coordinates[1].stored, DType::f8);
  EXPECT_EQ(plan.coordinates[1].shape, Shape{10});
  EXPECT_EQ(plan.coordinates[1].bytes, 8 * 10);
  // They are no part of a block.
  EXPECT_EQ(plan.row_memory, 8 * 2 * (10 + 5 + 10));
  EXPECT_EQ(plan.fixed_memory, 0);
}

TEST(Shapes, CoordinatesOfABatchOfNothing) {
  const plan::Plan plan = plan_of(job_of("graded", {"x"}), {doubles("x", {0, 10})});
  ASSERT_EQ(plan.coordinates.size(), 2u);
  EXPECT_EQ(plan.coordinates[0].shape, Shape{5});
  EXPECT_EQ(plan.coordinates[0].value(4), 4 * 4.0 / 10);
}

TEST(Shapes, AnInputThatGoesWholeToEveryExample) {
  const plan::Plan plan = plan_of(job_of("apply", {"x", "matrix"}, {"inputs.matrix.in_axis=null"}),
                                  {doubles("x", {9}), doubles("matrix", {3, 4})});
  EXPECT_TRUE(plan.inputs[1].replicated);
  EXPECT_EQ(plan.inputs[1].core, (Shape{3, 4}));
  EXPECT_EQ(plan.inputs[1].row_bytes, 0);
  EXPECT_EQ(plan.fixed_memory, 8 * 12);
  EXPECT_EQ(plan.row_memory, 16);
}

TEST(Shapes, TheMappedInputNeedNotBeTheFirst) {
  const plan::Plan plan = plan_of(job_of("apply", {"x", "matrix"}, {"inputs.x.in_axis=null"}),
                                  {doubles("x", {}), doubles("matrix", {5, 3, 4})});
  EXPECT_EQ(plan.rows, 5);
  EXPECT_EQ(plan.inputs[0].core, Shape{});
  EXPECT_EQ(plan.outputs[0].shape, Shape{5});
}

// ---- What does not fit

TEST(Shapes, AScalarHasNoLeadingAxis) {
  EXPECT_TRUE(fails_as(bad_data,
                       "input x: /data/in.h5:/x of shape () is a scalar: it has no leading axis to "
                       "map\n  remedy: give a dataset with examples along its first axis",
                       [] { plan_of(job_of("scale", {"x"}), {doubles("x", {})}); }));
}

TEST(Shapes, TooFewDimensions) {
  EXPECT_TRUE(fails_as(bad_data,
                       "input x: /data/in.h5:/x of shape (3,) has 1 dimension; a batch of (3) "
                       "needs 2 or more\n  remedy: give a dataset whose first axis counts examples",
                       [] { plan_of(job_of("turn", {"x"}), {doubles("x", {3})}); }));
}

TEST(Shapes, AWholeInputOfAnotherRank) {
  EXPECT_TRUE(fails_as(
      bad_data,
      "input matrix: /data/in.h5:/matrix of shape (9, 3, 4) has 3 dimensions; the whole input of "
      "(n, m) needs 2\n  remedy: map it (leave in_axis out), or give a dataset of that rank",
      [] {
        plan_of(job_of("apply", {"x", "matrix"}, {"inputs.matrix.in_axis=null"}),
                {doubles("x", {9}), doubles("matrix", {9, 3, 4})});
      }));
}

TEST(Shapes, AFixedDimensionOfAnotherSize) {
  EXPECT_TRUE(
      fails_as(bad_data,
               "input x (/data/in.h5:/x of shape (5, 4)): dimension 0 of an example has size "
               "4, the kernel needs 3",
               [] { plan_of(job_of("turn", {"x"}), {doubles("x", {5, 4})}); }));
}

TEST(Shapes, ANamedDimensionThatDiffers) {
  EXPECT_TRUE(fails_as(
      bad_data,
      "dimension t has size 4 in input x (/data/in.h5:/x of shape (5, 4)), but 6 in input y "
      "(/data/in.h5:/y of shape (5, 6))\n  remedy: inputs that share a named dimension must agree "
      "on its size",
      [] { plan_of(job_of("dot", {"x", "y"}), {doubles("x", {5, 4}), doubles("y", {5, 6})}); }));
}

constexpr const char* differing =
    "\n  remedy: give inputs with equal leading axes, cut one with slice, or give one whole to "
    "every example with in_axis: null";

TEST(Shapes, MappedAxesThatDiffer) {
  EXPECT_TRUE(fails_as(
      bad_data,
      std::string("the mapped axes differ: input x (/data/in.h5:/x of shape (5,)) has 5 rows of () "
                  "examples, input y (/data/in.h5:/y of shape (6,)) has 6 rows of ()") +
          differing,
      [] { plan_of(job_of("add", {"x", "y"}), {doubles("x", {5}), doubles("y", {6})}); }));
  EXPECT_TRUE(fails_as(
      bad_data,
      std::string("the mapped axes differ: input x (/data/in.h5:/x of shape (5, 2)) has 5 rows of "
                  "(2,) examples, input y (/data/in.h5:/y of shape (5, 3)) has 5 rows of (3,)") +
          differing,
      [] { plan_of(job_of("add", {"x", "y"}), {doubles("x", {5, 2}), doubles("y", {5, 3})}); }));
  // Nothing is stretched: an axis of length one is not a scalar.
  EXPECT_THROW(plan_of(job_of("add", {"x", "y"}), {doubles("x", {5}), doubles("y", {1})}),
               ShapeError);
}

TEST(Shapes, EmptyExamples) {
  const auto text = [](const std::string& shape, const std::string& dim) {
    return "the examples of input x (/data/in.h5:/x of shape " + shape + ") are empty: dimension " +
           dim +
           " has size 0\n  remedy: an example needs at least one value; a batch may have no "
           "examples";
  };
  EXPECT_TRUE(fails_as(bad_data, text("(5, 0)", "t"),
                       [] { plan_of(job_of("spectrum", {"x"}), {doubles("x", {5, 0})}); }));
  EXPECT_THROW(plan_of(job_of("norm", {"x"}), {doubles("x", {5, 2, 0})}), ShapeError);
}

TEST(Shapes, NothingToMap) {
  EXPECT_TRUE(fails_as(
      bad_config,
      "/data/job.yaml:3:3: inputs: nothing to map: in_axis is null for every input\n  remedy: "
      "leave "
      "in_axis out for the input that has the examples, or say map.axis_size",
      [] { plan_of(job_of("scale", {"x"}, {"inputs.x.in_axis=null"}), {doubles("x", {})}); }));
}

TEST(Shapes, AKernelThatGivesNoSizeForADimension) {
  EXPECT_TRUE(
      fails_as(ExitCode::internal,
               "output y: the kernel gives no size for dimension f\n  remedy: declare it in "
               "the kernel by .dim(\"name\", …)",
               [] { plan_of(job_of("forgetful", {"x"}), {doubles("x", {5, 2})}); }));
}

// Sizes that a sparse file can claim: bytes would overflow.
TEST(Shapes, TooLargeForAnyMachine) {
  const std::int64_t huge = std::int64_t{1} << 62;
  EXPECT_TRUE(fails_as(bad_data,
                       "input x: /data/in.h5:/x of shape (4611686018427387904, 8) is too large for "
                       "any machine",
                       [&] { plan_of(job_of("scale", {"x"}), {doubles("x", {huge, 8})}); }));
  EXPECT_THROW(plan_of(job_of("scale", {"x"}), {doubles("x", {huge, 8, 0})}), ShapeError);
}

// ---- Slices, by Python's rules for the indices of a list

struct Cut {
  const char* slice;
  Range rows;  // of ten
};

class Slices : public testing::TestWithParam<Cut> {};

TEST_P(Slices, CutTheBatchAsPython) {
  const plan::Plan plan =
      plan_of(job_of("scale", {"x"}, {std::string("inputs.x.slice=") + GetParam().slice}),
              {doubles("x", {10, 2})});
  if (plan.rows > 0) {
    EXPECT_EQ(plan.inputs[0].rows.first, GetParam().rows.begin);
  }
  EXPECT_EQ(plan.inputs[0].rows.step, 1);
  EXPECT_EQ(plan.rows, GetParam().rows.size());
  EXPECT_EQ(plan.outputs[0].shape, (Shape{GetParam().rows.size(), 2}));
}

INSTANTIATE_TEST_SUITE_P(
    All, Slices,
    testing::Values(Cut{":", {0, 10}}, Cut{"0:10", {0, 10}}, Cut{"3:", {3, 10}}, Cut{":3", {0, 3}},
                    Cut{"2:5", {2, 5}}, Cut{"-3:", {7, 10}}, Cut{":-3", {0, 7}},
                    Cut{"-5:-2", {5, 8}}, Cut{"5:100", {5, 10}}, Cut{"-100:2", {0, 2}},
                    Cut{"4:4", {4, 4}}, Cut{"5:2", {5, 5}}, Cut{"100:", {10, 10}},
                    Cut{":-100", {0, 0}}, Cut{"9223372036854775807:", {10, 10}},
                    Cut{"-9223372036854775808:1", {0, 1}}));

TEST(Slices, MakeInputsOfDifferentLengthFit) {
  const plan::Plan plan = plan_of(job_of("add", {"x", "y"}, {"inputs.y.slice=-5:"}),
                                  {doubles("x", {5}), doubles("y", {8})});
  EXPECT_EQ(plan.rows, 5);
  EXPECT_EQ(plan.inputs[1].rows.span({0, plan.rows}), (Range{3, 8}));
}

TEST(Slices, AreOfTheBatchOnly) {
  EXPECT_TRUE(fails_as(
      bad_config,
      "--set inputs.matrix.slice=0:1: inputs.matrix.slice: a slice is of the batch, but in_axis: "
      "null gives this input whole to every example\n  remedy: leave out one of the two",
      [] {
        plan_of(job_of("apply", {"x", "matrix"},
                       {"inputs.matrix.in_axis=null", "inputs.matrix.slice=0:1"}),
                {doubles("x", {9}), doubles("matrix", {3, 4})});
      }));
}

TEST(Slices, TakeSteps) {
  const plan::Plan plan =
      plan_of(job_of("scale", {"x"}, {"inputs.x.slice=8:1:-3"}), {doubles("x", {10, 2})});
  EXPECT_EQ(plan.rows, 3);
  EXPECT_EQ(plan.inputs[0].rows.first, 8);
  EXPECT_EQ(plan.inputs[0].rows.step, -3);
  EXPECT_EQ(plan.inputs[0].rows.span({0, 3}), (Range{2, 9}));
  EXPECT_EQ(plan_of(job_of("scale", {"x"}, {"inputs.x.slice=::-9223372036854775808"}),
                    {doubles("x", {10})})
                .rows,
            1);
}

// ---- Axes and windows

TEST(Axes, AnyMayBeTheBatch) {
  for (const char* axis : {"1", "-2"}) {
    const plan::Plan plan =
        plan_of(job_of("turn", {"x"}, {std::string("inputs.x.in_axis=") + axis}),
                {doubles("x", {2, 7, 3})});
    EXPECT_EQ(plan.rows, 7);
    EXPECT_EQ(plan.loops, (Shape{2}));
    EXPECT_EQ(plan.inputs[0].rows.axis, 1u);
    EXPECT_EQ(plan.outputs[0].shape, (Shape{7, 2, 3}));
  }
}

TEST(Axes, ThatTheDatasetDoesNotHave) {
  EXPECT_TRUE(fails_as(
      bad_config,
      "--set inputs.x.in_axis=2: inputs.x.in_axis: /data/in.h5:/x of shape (5, 3) "
      "has no axis 2\n  remedy: say one of -2 to 1",
      [] { plan_of(job_of("turn", {"x"}, {"inputs.x.in_axis=2"}), {doubles("x", {5, 3})}); }));
}

TEST(Windows, AreExamples) {
  const plan::Plan plan = plan_of(
      job_of("spectrum", {"x"}, {"inputs.x.window={size: 10, stride: 4}"}), {doubles("x", {31})});
  EXPECT_EQ(plan.rows, 6);  // 0, 4, … 20
  EXPECT_EQ(plan.inputs[0].core, (Shape{10}));
  EXPECT_EQ(plan.outputs[0].shape, (Shape{6, 6}));
}

TEST(Windows, FollowEachOtherWithoutAStride) {
  const plan::Plan plan =
      plan_of(job_of("spectrum", {"x"}, {"inputs.x.window=10"}), {doubles("x", {31})});
  EXPECT_EQ(plan.rows, 3);
}

TEST(Windows, OfTheLastAxisOfSeveralChannels) {
  const plan::Plan plan =
      plan_of(job_of("spectrum", {"x"}, {"inputs.x.window=10", "inputs.x.in_axis=-1"}),
              {doubles("x", {4, 31})});
  EXPECT_EQ(plan.rows, 3);
  EXPECT_EQ(plan.loops, (Shape{4}));
  EXPECT_EQ(plan.outputs[0].shape, (Shape{3, 4, 6}));
}

TEST(Windows, ThatAKernelWouldNotSee) {
  EXPECT_TRUE(fails_as(
      bad_data,
      "input x: the windows along axis 0 of /data/in.h5:/x of shape (31, 4) have the shape (10, "
      "4), "
      "and an example (t) is the end of that shape, without the window's axis\n  remedy: store the "
      "signal along the last axis and say in_axis: -1",
      [] { plan_of(job_of("spectrum", {"x"}, {"inputs.x.window=10"}), {doubles("x", {31, 4})}); }));
}

TEST(Windows, ForAKernelOfSingleNumbers) {
  try {
    plan_of(job_of("scale", {"x"}, {"inputs.x.window=4"}), {doubles("x", {100})});
    ADD_FAILURE() << "no error";
  } catch (const ShapeError& error) {
    EXPECT_NE(std::string(error.what()).find("remedy: leave window out: the kernel takes single"),
              std::string::npos)
        << error.what();
  }
}

TEST(Windows, LongerThanTheSignal) {
  EXPECT_TRUE(fails_as(
      bad_config,
      "--set inputs.x.window=32: inputs.x.window: a window of 32 is longer than axis 0 of "
      "/data/in.h5:/x of shape (31,)\n  remedy: say a size of at most 31",
      [] { plan_of(job_of("spectrum", {"x"}, {"inputs.x.window=32"}), {doubles("x", {31})}); }));
  EXPECT_EQ(plan_of(job_of("spectrum", {"x"}, {"inputs.x.window=32"}), {doubles("x", {0})}).rows,
            0);
}

}  // namespace
}  // namespace kmap::test
