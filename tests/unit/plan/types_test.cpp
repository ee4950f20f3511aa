// The element types of inputs and outputs: by the data, by `dtype:`, in groups by same_as.

#include "unit/plan/kernels.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

plan::Plan add_plan(DType x, DType y, const std::vector<std::string>& options = {}) {
  return plan_of(job_of("add", {"x", "y"}, options), {dataset("x", x, {4}), dataset("y", y, {4})});
}

TEST(Types, InputsThatAreTheSameArePromotedTogether) {
  const plan::Plan plan = add_plan(DType::i4, DType::u4);
  EXPECT_EQ(plan.inputs[0].type, DType::i8);
  EXPECT_EQ(plan.inputs[1].type, DType::i8);
  EXPECT_EQ(plan.outputs[0].type, DType::i8);
  EXPECT_EQ(plan.outputs[0].stored, DType::i8);
  EXPECT_EQ(plan.instance->input_types, (std::vector<DType>{DType::i8, DType::i8}));
}

TEST(Types, GroupsAreChosenApart) {
  const plan::Plan plan = plan_of(job_of("project", {"x", "y", "weight"}),
                                  {dataset("x", DType::f4, {4}), dataset("y", DType::f4, {4}),
                                   dataset("weight", DType::i2, {4})});
  EXPECT_EQ(plan.instance->input_types, (std::vector<DType>{DType::f4, DType::f4, DType::i4}));
}

TEST(Types, WhatTheConfigSaysHoldsForTheGroup) {
  const plan::Plan plan =
      add_plan(DType::f8, DType::f4, {"inputs.x.dtype=f4"});  // x is rounded, y stays
  EXPECT_EQ(plan.inputs[0].type, DType::f4);
  EXPECT_EQ(plan.inputs[1].type, DType::f4);
  EXPECT_EQ(plan.inputs[0].row_bytes, 4);
}

TEST(Types, NothingIsConvertedWithLossUnlessTheConfigSaysSo) {
  EXPECT_TRUE(fails_as(
      ExitCode::bad_data,
      "these inputs of kernel add have one type together, but input x with dtype: f4 and input y "
      "(/data/in.h5:/y, type f8) cannot all be f4\n  remedy: say the same `dtype:` under each of "
      "them",
      [] { add_plan(DType::f8, DType::f8, {"inputs.x.dtype=f4"}); }));
  const plan::Plan plan =
      add_plan(DType::f8, DType::f8, {"inputs.x.dtype=i2", "inputs.y.dtype=i2"});
  EXPECT_EQ(plan.outputs[0].type, DType::i2);
}

TEST(Types, ATypeThatTheKernelIsNotCompiledFor) {
  EXPECT_TRUE(fails_as(
      ExitCode::bad_data,
      "kernel project does not take the type of input x (/data/in.h5:/x, type c8) with input y "
      "(/data/in.h5:/y, type f4): it takes f4, f8\n  remedy: give a dataset of the real parts, or "
      "of "
      "the magnitudes",
      [] {
        plan_of(job_of("project", {"x", "y", "weight"}),
                {dataset("x", DType::c8, {4}), dataset("y", DType::f4, {4}),
                 dataset("weight", DType::i4, {4})});
      }));
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set inputs.x.dtype=bool: inputs.x.dtype: kernel scale does not take bool; "
      "expected one of f8",
      [] { plan_of(job_of("scale", {"x"}, {"inputs.x.dtype=bool"}), {doubles("x", {4})}); }));
}

TEST(Types, ComplexNumbersNeverLoseAPart) {
  EXPECT_TRUE(fails_as(ExitCode::bad_config,
                       "--set inputs.x.dtype=f8: inputs.x.dtype: /data/in.h5:/x of type c16 cannot "
                       "become f8: complex "
                       "numbers have no place in it\n  remedy: say c8 or c16",
                       [] { add_plan(DType::c16, DType::f8, {"inputs.x.dtype=f8"}); }));
  EXPECT_TRUE(fails_as(
      ExitCode::bad_config,
      "--set outputs.datasets.sum.dtype=bool: outputs.datasets.sum.dtype: c8 cannot become bool: "
      "complex numbers have no place in it\n  remedy: say c8 or c16",
      [] { add_plan(DType::c8, DType::c8, {"outputs.datasets.sum.dtype=bool"}); }));
}

TEST(Types, OutputsAreStoredAsTheConfigSays) {
  const plan::Plan plan = add_plan(DType::f8, DType::f8, {"outputs.datasets.sum.dtype=f4"});
  EXPECT_EQ(plan.outputs[0].type, DType::f8);
  EXPECT_EQ(plan.outputs[0].stored, DType::f4);
  EXPECT_EQ(plan.outputs[0].row_bytes, 8);
  EXPECT_EQ(plan.outputs[0].whole_bytes, 4 * 4);
}

}  // namespace
}  // namespace kmap::test
