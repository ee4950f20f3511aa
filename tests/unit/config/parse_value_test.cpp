#include "config/parse_value.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace kmap::config {
namespace {

template <class T>
struct Case {
  std::string text;
  std::optional<T> value;
};

constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

TEST(ParseInteger, TakesDecimalsAndExactPowersOfTen) {
  const std::vector<Case<std::int64_t>> cases = {
      {"0", 0},
      {"-0", 0},
      {"+5", 5},
      {"1e3", 1000},
      {"1E+3", 1000},
      {"-2e2", -200},
      {"1.5e3", 1500},
      {"0.5e1", 5},
      {"0e99999999999", 0},
      {"0e5", 0},
      {"1.50e1", 15},
      {"9223372036854775807", most},
      {"-9223372036854775808", least},
      {"9.223372036854775807e18", most},
      {"9223372036854775808", {}},
      {"-9223372036854775809", {}},
      {"1e19", {}},
      {"1e400", {}},
      {"1e99999999999999999999", {}},
      {"010", {}},
      {"00", {}},
      {"-01", {}},
      {"0x10", {}},
      {"0o10", {}},
      {"1_000", {}},
      {"1,000", {}},
      {"1.0", {}},
      {"1.", {}},
      {"1.e3", {}},
      {".5e1", {}},
      {"1e-3", {}},
      {"1000e-3", {}},
      {"1.5e0", {}},
      {"1e", {}},
      {"e3", {}},
      {"", {}},
      {"-", {}},
      {"+-1", {}},
      {"--1", {}},
      {" 1", {}},
      {"1 ", {}},
      {"nan", {}},
      {"true", {}},
      {"１", {}},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(parse_integer(text), value) << text;
}

TEST(ParseUnsigned, HasNoMinus) {
  const std::vector<Case<std::uint64_t>> cases = {
      {"18446744073709551615", std::numeric_limits<std::uint64_t>::max()},
      {"18446744073709551616", {}},
      {"1e3", 1000},
      {"+1", 1},
      {"-1", {}},
      {"-0", {}},
      {"99999999999999999999", {}},
      {"1e20", {}},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(parse_unsigned(text), value) << text;
}

TEST(ParseReal, TakesDecimalScientificAndSpecialValues) {
  const std::vector<Case<double>> cases = {
      {"1", 1.0},
      {"1e-3", 1e-3},
      {"-1.5E+2", -150.0},
      {".5", 0.5},
      {"5.", 5.0},
      {"0.1", 0.1},
      {"1e308", 1e308},
      {"4.9e-324", 4.9e-324},
      {"inf", infinity},
      {".inf", infinity},
      {"-.Inf", -infinity},
      {"+inf", infinity},
      {"-Infinity", -infinity},
      {"1e309", {}},
      {"-1e309", {}},
      {"1e-400", {}},
      {"01.5", {}},
      {"0x1p3", {}},
      {"1_0.5", {}},
      {"1,5", {}},
      {".", {}},
      {"", {}},
      {"e5", {}},
      {"1e+", {}},
      {"1.5 ", {}},
      {"infinite", {}},
      {"1.5.1", {}},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(parse_real(text), value) << text;
  for (const char* text : {"nan", ".nan", "NaN", ".NaN", "-nan"}) {
    EXPECT_TRUE(std::isnan(parse_real(text).value_or(0))) << text;
  }
  EXPECT_TRUE(std::signbit(*parse_real("-0.0")));
}

TEST(ParseBoolean, TakesTrueAndFalseOnly) {
  EXPECT_EQ(parse_boolean("true"), true);
  EXPECT_EQ(parse_boolean("false"), false);
  for (const char* text :
       {"True", "TRUE", "yes", "no", "on", "off", "y", "n", "1", "0", "", "truee"}) {
    EXPECT_EQ(parse_boolean(text), std::nullopt) << text;
  }
}

TEST(ParseSize, TakesUnits) {
  constexpr std::int64_t mib = std::int64_t{1} << 20;
  const std::vector<Case<std::int64_t>> cases = {
      {"0", 0},
      {"1024", 1024},
      {"1e9", 1000000000},
      {"1 B", 1},
      {"2 kB", 2000},
      {"2KiB", 2048},
      {"512 MiB", 512 * mib},
      {"2 GB", 2000000000},
      {"1.5 GiB", 1536 * mib},
      {"0.1 kB", 100},
      {"1 TB", 1000000000000},
      {"3 TiB", 3 * mib * mib},
      {"2e3   MB", 2000000000},
      {"8388608 TiB", {}},
      {"8388607 TiB", 8388607 * mib * mib},
      {"9e18 TB", {}},
      {"99999999.5 TiB", {}},
      {"1.5", {}},
      {"1.5 B", {}},
      {"-1 GiB", {}},
      {"2 gb", {}},
      {"2 G", {}},
      {"2 KB", {}},
      {"2\tGB", {}},
      {"2 GB ", {}},
      {"GB", {}},
      {"", {}},
      {"010 MB", {}},
      {"inf GB", {}},
      {"2 GB 1", {}},
      {"1e-3 GB", {}},
  };
  for (const auto& [text, value] : cases) EXPECT_EQ(parse_size(text), value) << text;
}

TEST(LooksLikeNumber, AlsoWhatIsRefusedAsNumber) {
  for (const char* text :
       {"1",     "-1",   "+1",  "1.5",    ".5", "5.",   "1e3",  "1e-3", "1e999", ".inf",
        "-.inf", ".NaN", "010", "0010.5", "00", "0x10", "0b11", "0o7",  "1_000", "0.5"}) {
    EXPECT_TRUE(looks_like_number(text)) << text;
  }
  for (const char* text :
       {"",  "a", "1a", "nan", "inf", "2024-01-01", "1.2.3", "12:30", "0x",  "0xg",
        ".", "-", "+",  "1 2", "e3",  "2 GiB",      "./1",   "1/2",   "--1", "0:10"}) {
    EXPECT_FALSE(looks_like_number(text)) << text;
  }
}

}  // namespace
}  // namespace kmap::config
