// Files that are text of the wrong kind, or none.

#include "config/load.hpp"
#include "config/yaml.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace kmap::config {
namespace {

using namespace std::string_view_literals;

const std::string good = "kernel: square\ninputs: {x: in.h5:/x}\noutputs: out.h5\n";

std::string message_of(const std::string& text) {
  try {
    parse(text, "job.yaml", {});
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(std::string_view part, std::size_t times) {
  std::string text;
  for (std::size_t i = 0; i < times; ++i) text += part;
  return text;
}

TEST(Text, MayHaveAByteOrderMarkAndAnyLineEnds) {
  const std::string resolved = parse(good, "job.yaml", {}).as_resolved;
  for (const std::string_view end : {"\n"sv, "\r\n"sv, "\r"sv}) {
    std::string text = "\xEF\xBB\xBF";
    for (const char c : good) c == '\n' ? text += end : text += c;
    const JobConfig config = parse(text, "job.yaml", {});
    EXPECT_EQ(config.as_resolved, resolved);
    EXPECT_EQ(config.as_written, text) << "every byte of it";
    EXPECT_EQ(config.kernel_location, (Location{"job.yaml", 1, 9}));
    EXPECT_EQ(config.output_location, (Location{"job.yaml", 3, 10}));
  }
}

TEST(Text, MayLackTheLastLineEndAndHaveTabsInside) {
  EXPECT_EQ(
      message_of("kernel: square # no\tcomment\n\t\n\t# indented by a tab\ninputs: {x: in.h5:/x}\n"
                 "outputs:\tout.h5"),
      "no error");
}

TEST(Text, IsUtf8) {
  const std::string expected = " is not UTF-8; expected UTF-8 text";
  const auto with = [](std::string_view bytes) {
    return message_of("kernel: " + std::string(bytes) + "\n");
  };
  EXPECT_EQ(with("gr\xF6\xDF"
                 "e"),
            "job.yaml:1:11: byte 0xF6" + expected)
      << "Latin-1";
  EXPECT_EQ(with("\xC3\xA4\xE4"), "job.yaml:1:10: byte 0xE4" + expected) << "counts characters";
  EXPECT_EQ(with("\xC0\x80"), "job.yaml:1:9: byte 0xC0" + expected) << "overlong";
  EXPECT_EQ(with("\xE0\x80\x80"), "job.yaml:1:9: byte 0xE0" + expected) << "overlong";
  EXPECT_EQ(with("\xED\xA0\x80"), "job.yaml:1:9: byte 0xED" + expected) << "surrogate";
  EXPECT_EQ(with("\xF4\x90\x80\x80"), "job.yaml:1:9: byte 0xF4" + expected) << "beyond Unicode";
  EXPECT_EQ(with("\x80"), "job.yaml:1:9: byte 0x80" + expected) << "no lead byte";
  EXPECT_EQ(message_of("kernel: \xF0\x9F\x98"), "job.yaml:1:9: byte 0xF0" + expected) << "cut";
  EXPECT_EQ(message_of("\xFF\xFEk\0"), "job.yaml:1:1: UTF-16 text; expected UTF-8 text");
  EXPECT_EQ(message_of("kernel: \xF0\x9F\x98\x80\n" + good.substr(good.find('\n') + 1)),
            "no error");
}

TEST(Text, IsText) {
  EXPECT_EQ(message_of(std::string("kernel: a\0b", 11)),
            "job.yaml:1:10: a control character (0x00); expected text");
  EXPECT_EQ(message_of("kernel: a\nb\x1B[0m"),
            "job.yaml:2:2: a control character (0x1B); expected text");
  EXPECT_EQ(message_of("\x89HDF\r\n\x1A\n"),
            "job.yaml:1:1: an HDF5 file, not a run config; expected UTF-8 text");
}

TEST(Text, HasNoTabsInTheIndentation) {
  EXPECT_EQ(message_of("kernel: a\ninputs:\n\tx: a:/b\n  \ty: a:/b\noutputs: c\n"),
            "job.yaml:3:1: a tab in the indentation; expected spaces\n"
            "job.yaml:4:3: a tab in the indentation; expected spaces");
}

TEST(Text, HasALimitedSize) {
  const std::string comment = "#" + std::string(max_config_bytes - good.size() - 1, 'x');
  EXPECT_EQ(message_of(good + comment), "no error");
  EXPECT_EQ(message_of(good + comment + "x"),
            "job.yaml:1:1: larger than 1 MiB; expected a run config");
}

TEST(Text, IsNotDeeplyNested) {
  constexpr std::size_t deep = 100000;
  const std::string expected = " levels deep; expected a run config";
  EXPECT_EQ(message_of(repeated("[", deep)), "job.yaml:1:101: nested more than 100" + expected);
  EXPECT_EQ(message_of(repeated("{a: ", deep)), "job.yaml:1:401: nested more than 100" + expected);
  EXPECT_EQ(message_of(repeated("- ", deep)), "job.yaml:1:1: nested more than 100" + expected);
  EXPECT_EQ(message_of("a:\n  " + repeated("? ", deep)),
            "job.yaml:2:3: nested more than 100" + expected);
  EXPECT_EQ(message_of("a: " + repeated("[", 40) + repeated("]", 40)),
            "job.yaml:1:35: nested more than 32" + expected);
  std::string steps;
  for (std::size_t i = 0; i < 1000; ++i) steps += std::string(i, ' ') + "a:\n";
  EXPECT_EQ(message_of(steps), "job.yaml:33:33: nested more than 32" + expected);
  EXPECT_EQ(message_of("# " + repeated("[]", deep) + "\n" + good), "no error");
}

// One line as long as the file: everything has to be linear.
TEST(Text, MayBeOneLongLine) {
  std::string params;
  for (int i = 0; params.size() < max_config_bytes / 2; ++i) {
    params += "ä" + std::to_string(i) + ": 1, ";
  }
  const JobConfig config =
      parse("{kernel: a, params: {" + params + "}, inputs: {x: a:/b}, outputs: c}", "job.yaml", {});
  EXPECT_GT(config.params.size(), 10000U);
  EXPECT_EQ(config.params.at("ä1").name_location, (Location{"job.yaml", 1, 29}));
}

}  // namespace
}  // namespace kmap::config
