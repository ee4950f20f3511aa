// Damaged configs: an error or a config that reads the same again, never a crash or a hang.

#include "config/load.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>

namespace kmap::config {
namespace {

using namespace std::string_view_literals;

constexpr std::array seeds = {
    "kernel: periodogram\nparams: {sample_rate: 4096, taper: hann}\ninputs:\n  x:\n    file: "
    "run.h5\n"
    "    dataset: /strain/Strain\n    slice: \"0:1000\"\n    in_axis: 0\n    dtype: f8\noutputs:\n"
    "  file: out/psd.h5\n  if_exists: error\n  datasets:\n    psd: {path: /psd, dtype: f4}\n"
    "run: {memory: 2 GiB, staging: auto}\n"sv,
    "kernel: square\ninputs:\n  x: in.h5:/x\noutputs: out.h5\n"sv,
    "# comment\nkernel: 'a''b'\nparams:\n  a: \"q\\n\\\"x\"\n  b: true\n  c: 1e3\n  d: |\n    "
    "text\n"
    "    more\n  e: >-\n    x\n    y\ninputs: {x: {file: \"${HOME:-a}/a.h5\", dataset: /x, "
    "in_axis: null},"
    " y: ${HOME:-b}.h5:/y}\noutputs: {file: o.h5}\n"sv};

constexpr std::array pieces = {"&a "sv,         "*a"sv,
                               "<<: "sv,        "!!str "sv,
                               "- "sv,          "? "sv,
                               ": "sv,          "{"sv,
                               "}"sv,           "["sv,
                               "]"sv,           ", "sv,
                               "\n"sv,          "  "sv,
                               "\t"sv,          "\""sv,
                               "'"sv,           "|"sv,
                               "> "sv,          "#"sv,
                               " #"sv,          "---\n"sv,
                               "...\n"sv,       "%"sv,
                               "@"sv,           "`"sv,
                               "${A}"sv,        "${"sv,
                               "$${"sv,         "null"sv,
                               "~"sv,           "\\"sv,
                               "\r\n"sv,        "\xC3\xA9"sv,
                               "\xFF"sv,        "\0"sv,
                               "0"sv,           "1e3"sv,
                               "true"sv,        "x: "sv,
                               "kernel: a\n"sv, "inputs: "sv,
                               "run:"sv,        "-"sv,
                               "\xC2\x85"sv,    "\xE2\x80\xA8"sv,
                               "\xEF\xBB\xBF"sv};

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  std::size_t below(std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random_);
  }

  std::string_view piece() { return pieces[below(pieces.size())]; }

  std::string soup(std::size_t most) {
    std::string text;
    for (std::size_t i = below(most); i > 0; --i) text += piece();
    return text;
  }

  std::string config() {
    std::string text(seeds[below(seeds.size())]);
    for (std::size_t i = below(6) + 1; i > 0; --i) change(text);
    return text;
  }

 private:
  void change(std::string& text) {
    const std::size_t at = below(text.size() + 1);
    switch (below(5)) {
      case 0:
        text.erase(at, below(4));
        break;
      case 1:
        text.insert(at, 1, static_cast<char>(below(256)));
        break;
      case 2:
        text.insert(at, text.substr(below(text.size() + 1), below(30)));
        break;
      case 3:
        text.resize(below(8) == 0 ? at : text.size());
        break;
      default:
        text.insert(at, piece());
    }
  }

  std::mt19937 random_;
};

// True if it is a config.
bool try_it(const std::string& text, const std::vector<std::string>& options) {
  JobConfig config;
  try {
    config = parse(text, "job.yaml", options);
  } catch (const ConfigError& error) {
    EXPECT_NE(std::string_view(error.what()), "");
    return false;
  }
  EXPECT_EQ(parse(config.as_resolved, "job.yaml", {}).as_resolved, config.as_resolved) << text;
  return true;
}

TEST(Fuzz, DamagedConfigs) {
  Damage damage(1);
  int fine = 0;
  for (int i = 0; i < 4000; ++i) fine += try_it(damage.config(), {}) ? 1 : 0;
  EXPECT_GT(fine, 100) << "some of them stay configs";
}

TEST(Fuzz, DamagedOptions) {
  Damage damage(2);
  for (int i = 0; i < 4000; ++i) {
    const std::string_view key = damage.below(2) == 0 ? "inputs.x=" : "params.";
    try_it(std::string(seeds[1]), {std::string(key) + damage.soup(8)});
  }
}

TEST(Fuzz, PiecesOfYaml) {
  Damage damage(3);
  for (int i = 0; i < 4000; ++i) try_it(damage.soup(40), {});
}

TEST(Fuzz, RandomBytes) {
  Damage damage(4);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(damage.below(200), ' ');
    for (char& byte : bytes) byte = static_cast<char>(damage.below(256));
    try_it(bytes, {});
  }
}

}  // namespace
}  // namespace kmap::config
