#include "config/param_value.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kmap::config {
namespace {

const Location place{"job.yaml", 3, 7};

std::string error_of(const Mistakes& mistakes) {
  try {
    mistakes.throw_if_any();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

struct Good {
  std::string text;
  bool quoted;
  ParamType type;
  ParamValue value;
};

TEST(ParamValue, IsOfTheDeclaredType) {
  const std::vector<Good> cases = {
      {"true", false, ParamType::boolean, true},
      {"1e3", false, ParamType::integer, std::int64_t{1000}},
      {"-7", false, ParamType::integer, std::int64_t{-7}},
      {"1e-3", false, ParamType::real, 1e-3},
      {"28", false, ParamType::real, 28.0},
      {"hann", false, ParamType::text, std::string("hann")},
      {"1", true, ParamType::text, std::string("1")},
      {"true", true, ParamType::text, std::string("true")},
      {"no", false, ParamType::text, std::string("no")},
      {"2024-01-01", false, ParamType::text, std::string("2024-01-01")},
      {"1.2.3", false, ParamType::text, std::string("1.2.3")},
      {"", true, ParamType::text, std::string()},
      {"nan", false, ParamType::text, std::string("nan")},
  };
  for (const Good& good : cases) {
    Mistakes mistakes;
    const auto value =
        param_value("p", {good.text, good.quoted, place, place}, good.type, mistakes);
    ASSERT_TRUE(value.has_value()) << good.text;
    EXPECT_EQ(*value, good.value) << good.text;
    EXPECT_TRUE(mistakes.empty()) << good.text;
  }
}

struct Bad {
  std::string text;
  bool quoted;
  ParamType type;
  std::string message;
};

TEST(ParamValue, SaysWhatIsWrongAndWhatIsExpected) {
  const std::vector<Bad> cases = {
      {"1", true, ParamType::integer, "\"1\" is text, as it is quoted; expected an integer"},
      {"1.5", false, ParamType::integer, "1.5 is a number with a fraction; expected an integer"},
      {"1e-3", false, ParamType::integer, "1e-3 is a number with a fraction; expected an integer"},
      {"1e30", false, ParamType::integer, "1e30 does not fit into 64 bits; expected an integer"},
      {"9223372036854775808", false, ParamType::integer,
       "9223372036854775808 does not fit into 64 bits; expected an integer"},
      {".inf", false, ParamType::integer, ".inf is not finite; expected an integer"},
      {"010", false, ParamType::integer, "010 is not a plain decimal number; expected an integer"},
      {"1_000", false, ParamType::real, "1_000 is not a plain decimal number; expected a number"},
      {"1e999", false, ParamType::real, "1e999 is out of range; expected a number"},
      {"2,5", false, ParamType::real, "\"2,5\" is text; expected a number"},
      {"1.5", true, ParamType::real, "\"1.5\" is text, as it is quoted; expected a number"},
      {"true", false, ParamType::real, "true is a boolean; expected a number"},
      {"yes", false, ParamType::boolean,
       "\"yes\" is text; expected true or false; did you mean true?"},
      {"Off", false, ParamType::boolean,
       "\"Off\" is text; expected true or false; did you mean false?"},
      {"1", false, ParamType::boolean, "1 is a number; expected true or false"},
      {"true", true, ParamType::boolean,
       "\"true\" is text, as it is quoted; expected true or false"},
      {"1", false, ParamType::text, "1 is a number unless it is quoted; expected text"},
      {"010", false, ParamType::text, "010 is a number unless it is quoted; expected text"},
      {"false", false, ParamType::text, "false is a boolean unless it is quoted; expected text"},
  };
  for (const Bad& bad : cases) {
    Mistakes mistakes;
    EXPECT_FALSE(param_value("p", {bad.text, bad.quoted, place, place}, bad.type, mistakes));
    EXPECT_EQ(error_of(mistakes), "job.yaml:3:7: params.p: " + bad.message);
  }
}

}  // namespace
}  // namespace kmap::config
