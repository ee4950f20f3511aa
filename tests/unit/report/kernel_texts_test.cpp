// Kernels for programs and as example configs, of an invented declaration.

#include "config/load.hpp"
#include "report/example_config.hpp"
#include "report/kernel_json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace kmap::test {
namespace {

KernelInfo invented_kernel() {
  KernelInfo kernel;
  kernel.name = "invented";
  kernel.doc = "two\nlines: # and more";
  kernel.signature = "(n),(3)->()";
  kernel.kind = "team";
  kernel.inputs = {{"x", "", {{"n", {}, false}}, {DType::f4, DType::f8}, "", "f4 f8"},
                   {"point", "where", {{"3", 3, false}}, {DType::f8}, "", "f8"}};
  kernel.outputs = {{"y", "what", {}, {DType::f4, DType::f8}, "x", "type of x"}};
  kernel.params = {{"on", "", "a switch", true, {}, {}, {}},
                   {"count", "1", "", std::int64_t{-7}, {}, 9.0, {}},
                   {"depth", "m", "how deep", 2.5e-300, 0.0, {}, {}},
                   {"limit", "m", "", std::numeric_limits<double>::infinity(), {}, {}, {}},
                   {"mode", "", "how", std::string("a \"${b}\" # c: 'd'\\"), {}, {}, {"x", "y"}}};
  return kernel;
}

TEST(ExampleConfig, IsReadAsItWasMeant) {
  const std::string text = report::example_config(invented_kernel());
  const config::JobConfig job = config::parse(text, "/data/job.yaml", {});
  EXPECT_EQ(job.kernel, "invented");
  EXPECT_EQ(job.params.at("on").text, "true");
  EXPECT_FALSE(job.params.at("on").quoted);
  EXPECT_EQ(job.params.at("count").text, "-7");
  EXPECT_EQ(job.params.at("depth").text, "2.5e-300");
  EXPECT_EQ(job.params.at("limit").text, "inf");
  EXPECT_EQ(job.params.at("mode").text, "a \"${b}\" # c: 'd'\\");
  EXPECT_EQ(job.inputs.at("x").file, "/data/data.h5");
  EXPECT_EQ(job.inputs.at("point").dataset, "/point");
  EXPECT_EQ(job.output_file, "/data/out.h5");
}

TEST(ExampleConfig, ExplainsEachLine) {
  const std::string text = report::example_config(invented_kernel());
  for (const char* part :
       {"# two lines: # and more\nkernel: invented\nparams:  # these are the defaults\n",
        "  on: true ", "# boolean: a switch\n", "# integer, at most 9\n",
        "# number in m, at least 0: how deep\n", "# text, one of x, y: how\n",
        "inputs:\n  x: data.h5:/x          # (n) of f4 f8\n"
        "  point: data.h5:/point  # (3) of f8: where\noutputs: out.h5\n"}) {
    EXPECT_THAT(text, testing::HasSubstr(part));
  }
}

TEST(KernelJson, HasAllOfTheDeclaration) {
  using Json = nlohmann::ordered_json;
  const Json json = report::kernel_json(invented_kernel());
  EXPECT_EQ(json.at("kind"), "team");
  EXPECT_EQ(json.at("inputs").at(0),
            Json::parse(R"({"name": "x", "doc": "", "dims": [{"name": "n", "size": null,
                            "rest": false}], "types": ["f4", "f8"], "same_as": null})"));
  EXPECT_EQ(json.at("inputs").at(1).at("dims").at(0).at("size"), 3);
  EXPECT_EQ(json.at("outputs").at(0).at("same_as"), "x");
  EXPECT_EQ(json.at("outputs").at(0).at("dims"), Json::array());
  EXPECT_EQ(json.at("params").at(0).at("type"), "boolean");
  EXPECT_EQ(json.at("params").at(1).at("unit"), nullptr);
  EXPECT_EQ(json.at("params").at(2).at("unit"), "m");
  EXPECT_EQ(json.at("params").at(2).at("default"), 2.5e-300);
  EXPECT_EQ(json.at("params").at(4).at("choices"), Json({"x", "y"}));
}

TEST(KernelJson, TextOfAnyBytes) {
  KernelInfo kernel = invented_kernel();
  kernel.doc = "no UTF-8: \xff";
  EXPECT_NO_THROW(report::json_text(report::kernel_json(kernel)));
}

}  // namespace
}  // namespace kmap::test
