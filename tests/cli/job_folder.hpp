#pragma once
// A folder with a job in it, the command to run there, and what it says.

#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

namespace kmap::test {

using Words = std::vector<std::string>;

// Exit codes of the command, as scripts see them.
enum Code {
  ok = 0,
  usage = 64,
  data = 65,
  no_input = 66,
  internal = 70,
  create = 73,
  io = 74,
  config = 78
};

// Without the ends of lines.
std::vector<std::string> lines_of(const std::string& text);

// What is left of a text without kmap's warnings and their remedies: tests start more ranks than
// there are cores.
std::string without_warnings(const std::string& text);

// The lines that kmap wrote, its warnings left out; mpirun has words of its own about codes other
// than 0.
std::string own_words(const CommandResult& result);

std::string content_of(const std::filesystem::path& file);

class JobFolder : public testing::Test {
 protected:
  std::filesystem::path path(const std::string& name = "") const { return folder_.path() / name; }

  void write(const std::string& name, const std::string& text) const;

  // A job of square over the tutorial's vector, as job.yaml.
  void make_square_job() const;

  CommandOptions options() const {
    CommandOptions options;
    options.folder = path();
    options.limit = std::chrono::seconds(30);
    return options;
  }

  CommandResult kmap(const Words& words) const { return run_command(kmap_words(words), options()); }
  CommandResult kmap(int ranks, const Words& words) const {
    return run_command(kmap_words(ranks, words), options());
  }

  // The names in the folder, sorted.
  std::vector<std::string> files() const;

 private:
  TemporaryFolder folder_;
};

// That a command failed with this code and wrote one message, which has all these parts.
testing::AssertionResult fails_saying(const CommandResult& result, int code, const Words& parts);

}  // namespace kmap::test
