// Signatures of kernels, and the registry.

#include "kmap/detail/signature.hpp"

#include "kmap/kernel.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace kmap::test {
namespace {

constexpr detail::ParsedSignature parse(std::string_view text) {
  return detail::SignatureParser(text).parse();
}

TEST(Signature, ReadsNumPysForm) {
  constexpr auto s = parse("(t, 3),()->(f),(...)");
  static_assert(s.valid);
  EXPECT_EQ(s.input_count, 2);
  EXPECT_EQ(s.output_count, 2);
  EXPECT_EQ(s.inputs[0].rank, 2);
  EXPECT_EQ(s.inputs[0].dims[0].name, "t");
  EXPECT_EQ(s.inputs[0].dims[1].fixed, 3);
  EXPECT_EQ(s.inputs[1].rank, 0);
  EXPECT_EQ(s.outputs[0].dims[0].name, "f");
  EXPECT_TRUE(s.outputs[1].dims[0].rest);
}

TEST(Signature, MayHaveNoInputs) {
  constexpr auto s = parse("->(),(3)");
  static_assert(s.valid);
  EXPECT_EQ(s.input_count, 0);
  EXPECT_EQ(s.output_count, 2);
}

TEST(Signature, RefusesOtherForms) {
  for (const char* text : {"", "()", "->", "()->", "(t->()", "()->() x", "(t,)->()", "(0)->()",
                           "(3a)->()", "(...,t)->()", "() ->> ()", "(a,b,c,d,e,f,g,h)->()"}) {
    EXPECT_FALSE(parse(text).valid) << text;
  }
}

enum class Taper { none, hann };

struct Scale {
  double factor = 2;
  std::int8_t times = 1;
  bool negate = false;
  Taper taper = Taper::hann;
  template <class T>
  KOKKOS_FUNCTION void operator()(const Example<const T, 1>& x, const out<T, 1>& y) const {
    for (std::int64_t i = 0; i < y.extent(0); ++i) {
      y(i) = static_cast<T>(factor) * x(i) * static_cast<T>(negate ? -times : times);
    }
  }
};

KernelInfo make_scale() {
  return detail::declare_kernel<Scale, "(t)->(f)">("scale", "scaled")
      .input<"x">(kmap::real, "what to scale")
      .output<"y">(kmap::same_as<"x">)
      .param("factor", &Scale::factor, "m", "factor", at_least(0))
      .param("times", &Scale::times, "1", "times")
      .param("negate", &Scale::negate, "1", "whether to change the sign")
      .param("taper", &Scale::taper, choices("none", "hann"), "a window")
      .dim("f", [](const DimSizes& sizes, const Scale&) { return sizes.at("t") / 2; })
      .finish();
}

TEST(Kernel, IsDataWithAnInstancePerType) {
  const KernelInfo info = make_scale();
  EXPECT_EQ(info.kind, "example");
  ASSERT_EQ(info.instances.size(), 2u);
  EXPECT_EQ(info.instances[0].input_types, std::vector{DType::f4});
  EXPECT_EQ(info.instances[1].output_types, std::vector{DType::f8});
  EXPECT_EQ(info.outputs[0].same_as, "x");
  ASSERT_EQ(info.params.size(), 4u);
  EXPECT_EQ(std::get<double>(info.params[0].fallback), 2);
  EXPECT_EQ(info.params[1].most, 127);
  EXPECT_EQ(std::get<std::string>(info.params[3].fallback), "hann");
  EXPECT_EQ(info.params[3].choices, (std::vector<std::string>{"none", "hann"}));
}

TEST(Kernel, RunsABlockWithItsParameters) {
  const KernelInfo info = make_scale();
  const auto params = info.make_params({{"factor", 3.0},
                                        {"times", std::int64_t{2}},
                                        {"negate", true},
                                        {"taper", std::string("none")}});
  EXPECT_EQ(static_cast<const Scale*>(params.get())->taper, Taper::none);
  DimSizes sizes = {{"t", 4}};
  info.size_outputs(sizes, params.get());
  EXPECT_EQ(sizes.at("f"), 2);

  const double x[] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  double y[8] = {};
  BlockArguments block;
  block.params = params.get();
  block.inputs = {x};
  block.outputs = {y};
  block.input_layouts = {packed_layout({2, 2}, {4})};
  block.output_layouts = {packed_layout({2, 2}, {2})};
  block.levels.levels = {{"batch", 2}, {"", 2}};
  block.rows = {0, 2};
  info.instances[1].run(block);
  EXPECT_THAT(y, ::testing::ElementsAre(-6, -12, -30, -36, -54, -60, -78, -84));

  block.input_layouts = {shared_layout(2, {4})};
  info.instances[1].run(block);
  EXPECT_THAT(y, ::testing::ElementsAre(-6, -12, -6, -12, -6, -12, -6, -12));
}

TEST(Kernel, TwoOfOneNameAreReported) {
  register_kernel(make_scale());
  EXPECT_NE(find_kernel("scale"), nullptr);
  EXPECT_EQ(find_kernel("scal"), nullptr);
  EXPECT_EQ(all_kernels().size(), 1u);
  register_kernel(make_scale());
  EXPECT_THROW(all_kernels(), Error);
}

}  // namespace
}  // namespace kmap::test
