// Broken configs and broken data as tables: each job ends with the code and the exact text that
// stand beside it, and leaves nothing behind. case_file.hpp says how they are written.

#include "case_file.hpp"
#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <functional>
#include <ostream>
#include <set>
#include <sstream>

namespace kmap::test {

void PrintTo(const Case& tested, std::ostream* stream) { *stream << tested.name; }

namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

fs::path configs() { return source_dir() / "tests" / "broken" / "configs"; }
fs::path data() { return source_dir() / "tests" / "broken" / "data"; }

bool is_root() { return ::geteuid() == 0; }

Words joined(Words first, const Words& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

const Words& as_nobody() {
  static const Words words = {"setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"};
  return words;
}

Words on_disk(const Words& disk) {
  return joined({"unshare", "-m", "sh", "-c",
                 "mount -t tmpfs -o \"$1\" none \"$2\" && shift 2 && exec \"$@\"", "sh"},
                disk);
}

bool succeeds(const Words& words) {
  try {
    return run_command(words).exit_code == 0;
  } catch (const std::exception&) {
    return false;  // there is no such program
  }
}

bool can_become_nobody() {
  static const bool can = succeeds(joined(as_nobody(), kmap_words({"--version"})));
  return can;
}

bool can_make_disks() {
  static const bool can = [] {
    const TemporaryFolder folder;
    return is_root() && succeeds(joined(on_disk({"size=4k", folder.path().string()}), {"true"}));
  }();
  return can;
}

// Names and sizes of all that is in a folder.
std::set<std::string> content_of(const fs::path& folder) {
  std::set<std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    std::error_code not_a_file;
    const std::uintmax_t size = fs::file_size(entry.path(), not_a_file);
    content.insert(entry.path().lexically_relative(folder).string() +
                   (not_a_file ? "" : ", " + std::to_string(size) + " bytes"));
  }
  return content;
}

// Those of a run are of the machine: each a line, and its remedy in another.
std::string without_warnings(const std::string& text) {
  std::string rest;
  std::istringstream lines(text);
  bool is_warning = false;
  for (std::string line; std::getline(lines, line);) {
    is_warning = line.starts_with("kmap: warning:") || (is_warning && line.starts_with("  "));
    if (!is_warning) rest += line + "\n";
  }
  return rest;
}

class Broken : public testing::Test {
 protected:
  // As the system says it, without links on the way.
  fs::path folder() const { return fs::canonical(folder_.path()); }
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  CommandOptions options() const {
    CommandOptions options;
    options.folder = folder();
    options.limit = std::chrono::seconds(30);
    options.environment["OMPI_MCA_ess_singleton_isolated"] = "1";  // no daemon for every job
    options.unset = {"KMAP_PLUGINS", "HDF5_PLUGIN_PATH", "HDF5_VDS_PREFIX", "HDF5_EXT_PREFIX"};
    return options;
  }

  std::string shown(const std::string& text) const {
    return replace_all(text, folder().string(), "{folder}");
  }

  void expect(const CommandResult& result, int code, const std::string& err) const {
    EXPECT_FALSE(result.timed_out) << "it hangs";
    EXPECT_EQ(result.exit_code, code) << result;
    const std::string text = shown(without_warnings(result.err));
    EXPECT_TRUE(matches(err, text)) << "expected:\n" << err << "but it said:\n" << text;
  }

 private:
  TemporaryFolder folder_;
};

// ---- The rows in files

class Row : public Broken, public testing::WithParamInterface<Case> {
 protected:
  void prepare() const {
    const Case& row = GetParam();
    const auto is_for_jobs = [](const fs::path& file) {
      return file.extension() != ".yaml" && file.extension() != ".txt" && file.extension() != ".py";
    };
    if (row.folder == data()) {
      for (const auto& entry : fs::directory_iterator(row.folder)) {
        if (entry.is_regular_file() && is_for_jobs(entry.path())) {
          fs::copy_file(entry.path(), path(entry.path().filename().string()));
        }
      }
    }
    fs::copy_file(row.folder / (row.name + ".yaml"), path(row.name + ".yaml"));
    if (row.as_nobody) fs::permissions(folder(), fs::perms::all);
    for (const Words& step : row.steps) take(step);
  }

  void take(const Words& step) const {
    const std::string& what = step.at(0);
    if (what == "folder") fs::create_directory(path(step.at(1)));
    if (what == "copy") fs::copy_file(path(step.at(1)), path(step.at(2)));
    if (what == "symlink") fs::create_symlink(step.at(1), path(step.at(2)));
    if (what == "hardlink") fs::create_hard_link(path(step.at(1)), path(step.at(2)));
    if (what == "mode") {
      fs::permissions(path(step.at(2)), static_cast<fs::perms>(std::stoi(step.at(1), nullptr, 8)));
    }
  }

  CommandResult run() const {
    const Case& row = GetParam();
    const bool is_dry = row.command == "dry-run";
    Words words = kmap_words({is_dry ? "run" : row.command, row.name + ".yaml"});
    if (is_dry) words.emplace_back("--dry-run");
    words = joined(words, row.options);
    if (row.as_nobody && is_root()) words = joined(as_nobody(), words);
    if (!row.disk.empty()) words = joined(on_disk(row.disk), words);
    CommandOptions options = this->options();
    options.environment.insert(row.environment.begin(), row.environment.end());
    for (const auto& [name, value] : row.environment) std::erase(options.unset, name);
    options.unset = joined(options.unset, row.unset);
    if (row.plugin) {
      options.environment["KMAP_PLUGINS"] = KMAP_TEST_PLUGIN;
      std::erase(options.unset, "KMAP_PLUGINS");
    }
    return run_command(words, options);
  }

  bool makes_output() const { return GetParam().exit_code == 0 && GetParam().command == "run"; }
};

TEST_P(Row, EndsAsWritten) {
  const Case& row = GetParam();
  if (row.as_nobody && is_root() && !can_become_nobody()) GTEST_SKIP() << "root may do it";
  if (!row.disk.empty() && !can_make_disks()) GTEST_SKIP() << "no disk can be mounted here";
  prepare();
  const std::set<std::string> before = content_of(folder());
  const CommandResult result = run();
  expect(result, row.exit_code, row.exit_code == 0 ? "" : row.text);
  if (row.exit_code == 0 && row.command == "validate") {
    EXPECT_TRUE(matches(row.text, shown(result.out))) << "expected:\n" << row.text << result;
  }
  if (!makes_output()) {
    EXPECT_EQ(content_of(folder()), before) << "something was left behind";
  }
}

std::string name_of(const testing::TestParamInfo<Case>& tested) { return tested.param.name; }

INSTANTIATE_TEST_SUITE_P(Configs, Row, testing::ValuesIn(cases_in(configs())), name_of);
INSTANTIATE_TEST_SUITE_P(Data, Row, testing::ValuesIn(cases_in(data())), name_of);

std::set<std::string> stems(const fs::path& folder, const std::string& extension) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == extension) names.insert(entry.path().stem().string());
  }
  return names;
}

std::ptrdiff_t failing(const std::vector<Case>& cases) {
  return std::count_if(cases.begin(), cases.end(),
                       [](const Case& row) { return row.exit_code != 0; });
}

TEST(Tables, AreCompleteAndLarge) {
  for (const fs::path& folder : {configs(), data()}) {
    EXPECT_EQ(stems(folder, ".yaml"), stems(folder, ".txt")) << folder;
  }
  EXPECT_GE(failing(cases_in(configs())), 80);
  EXPECT_GE(failing(cases_in(data())), 40);
}

// Each code for scripts to tell the kinds apart, but that of kmap's own faults.
TEST(Tables, HaveEveryCode) {
  std::set<int> codes;
  for (const fs::path& folder : {configs(), data()}) {
    for (const Case& row : cases_in(folder)) codes.insert(row.exit_code);
  }
  EXPECT_EQ(codes, (std::set<int>{0, 64, 65, 66, 73, 74, 78}));
}

// ---- Files that are too large, or too strange, to lie here

class Files : public Broken {
 protected:
  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }

  static std::string repeated(const std::string& text, int times) {
    std::string all;
    for (int i = 0; i < times; ++i) all += text;
    return all;
  }

  CommandResult validate(const std::string& file) const {
    return run_command(kmap_words({"validate", file}), options());
  }

  // That what the file says is refused, and fast: nobody is to wait for a file that is an attack.
  void expect_refused(const std::string& text, const std::string& err) const {
    write("job.yaml", text);
    expect_refused_file(err);
  }
  void expect_refused_file(const std::string& err) const {
    const auto start = std::chrono::steady_clock::now();
    expect(validate("job.yaml"), 78, err);
    // Much less on an idle machine, of which most is the start of MPI.
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
  }
};

constexpr int many = 100'000;

TEST_F(Files, NestedFlow) {
  expect_refused("a: " + repeated("[", many) + repeated("]", many) + "\n",
                 "kmap: job.yaml:1:104: nested more than 100 levels deep; expected a run config\n");
  expect_refused(repeated("{a: ", many) + "1" + repeated("}", many) + "\n",
                 "kmap: job.yaml:1:401: nested more than 100 levels deep; expected a run config\n");
}

TEST_F(Files, NestedListsAndKeysOnOneLine) {
  const std::string message =
      "kmap: job.yaml:1:1: nested more than 100 levels deep; expected a run config\n";
  expect_refused(repeated("- ", many) + "a\n", message);
  expect_refused(repeated("? ", many) + "a\n", message);
}

TEST_F(Files, NestedByIndentation) {
  std::string text;
  for (std::size_t level = 0; level < 1000; ++level) text += std::string(level, ' ') + "a:\n";
  expect_refused(text,
                 "kmap: job.yaml:33:33: nested more than 32 levels deep; expected a run config\n");
}

TEST_F(Files, OfHundredMegabytes) {
  write("job.yaml", "kernel: square\ninputs: {x: in.h5:/x}\noutputs: out.h5\n#");
  fs::resize_file(path("job.yaml"), 100'000'000);
  expect_refused_file("kmap: job.yaml:1:1: larger than 1 MiB; expected a run config\n");
}

TEST_F(Files, WithOneLongValue) {
  expect_refused(
      "kernel: " + std::string(900'000, 'x') + "\ninputs: {x: in.h5:/x}\noutputs: out.h5\n",
      "kmap: job.yaml:1:9: kernel: no kernel is named \"" + std::string(60, 'x') +
          "…\"; expected one of {...} (see `kmap list`)\n");
}

TEST_F(Files, OfHdf5) {
  fs::copy_file(data() / "good.h5", path("job.yaml"));
  expect_refused_file("kmap: job.yaml:1:1: an HDF5 file, not a run config; expected UTF-8 text\n");
}

TEST_F(Files, Folder) {
  fs::create_directory(path("job"));
  expect(validate("job"), 66, "kmap: job: a folder, not a run config\n");
  write("job/square.yaml", "");
  expect(validate("job"), 66,
         "kmap: job: a folder, not a run config\n  remedy: run configs there: job/square.yaml\n");
}

TEST_F(Files, Missing) {
  expect(validate("job.yaml"), 66, "kmap: job.yaml: no such file\n");
  write("job.yml", "");
  write("jobs.yaml", "");
  write("other.yaml", "");
  expect(validate("job.yaml"), 66,
         "kmap: job.yaml: no such file\n  remedy: did you mean job.yml or jobs.yaml?\n");
  expect(validate("./squares.yaml"), 66,
         "kmap: ./squares.yaml: no such file\n"
         "  remedy: run configs there: ./job.yml, ./jobs.yaml, ./other.yaml\n");
  expect(validate("jobs/job.yaml"), 66,
         "kmap: jobs/job.yaml: no such file, as there is no folder jobs\n");
}

TEST_F(Files, LinkToNowhere) {
  fs::create_symlink("nowhere.yaml", path("job.yaml"));
  expect(validate("job.yaml"), 66,
         "kmap: job.yaml: a symbolic link to nowhere.yaml, which does not exist\n");
}

TEST_F(Files, Unreadable) {
  if (is_root() && !can_become_nobody()) GTEST_SKIP() << "root may read everything";
  write("job.yaml", "kernel: square\n");
  fs::permissions(folder(), fs::perms::all);
  fs::permissions(path("job.yaml"), fs::perms::none);
  const Words words = kmap_words({"validate", "job.yaml"});
  expect(run_command(is_root() ? joined(as_nobody(), words) : words, options()), 66,
         "kmap: job.yaml: Permission denied\n");
}

}  // namespace
}  // namespace kmap::test
