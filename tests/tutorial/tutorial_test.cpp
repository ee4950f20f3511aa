// The programs and jobs of the tutorial, at several numbers of ranks; what the README and the
// tutorial's page show is what is there.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;

// A folder with what the commands of the pages want: inputs and configs, and places for outputs.
class Tutorial : public JobFolder {
 protected:
  Tutorial() {
    fs::copy(source_dir() / "inputs", path("inputs"));
    for (const char* folder : {"configs", "apps/tutorial"}) {
      fs::create_directories(path(folder) / "out");
      for (const auto& entry : fs::directory_iterator(source_dir() / folder)) {
        if (entry.path().extension() != ".yaml") continue;
        fs::copy_file(entry.path(), path(folder) / entry.path().filename());
      }
    }
  }

  // Runs a command as the pages write it: from the root of the sources, with what is built in
  // build/release.
  CommandResult run(const std::string& line) const {
    const std::string folder = "build/release/";
    Words words;
    std::istringstream stream(line);
    for (std::string word; stream >> word;) {
      if (word == folder + "kmap") {
        word = kmap_command().string();
      } else if (word.starts_with(folder)) {
        word = (kmap_command().parent_path() / word.substr(folder.size())).string();
      } else if (word == "mpirun") {
        word = kmap_words(1, {}).front();
      }
      words.push_back(word);
    }
    return run_command(words, options());
  }

  CommandResult run_on(int ranks, const std::string& command) const {
    return run("mpirun -n " + std::to_string(ranks) + " build/release/" + command);
  }

  std::vector<double> values(const std::string& job, const std::string& dataset,
                             Shape* shape = nullptr) const {
    return read_values(path("apps/tutorial/out/" + job + ".h5"), dataset, shape);
  }
};

std::string page(const std::string& name) { return content_of(source_dir() / name); }

// ---- What the pages show

struct Shown {
  std::string command;
  Words lines;  // below it
};

// The commands in the blocks of a page that are marked as "console".
std::vector<Shown> commands_in(const std::string& text) {
  std::vector<Shown> commands;
  bool inside = false;
  for (const std::string& line : lines_of(text)) {
    if (line.starts_with("```")) {
      inside = line == "```console";
    } else if (inside && line.starts_with("$ ")) {
      commands.push_back({line.substr(2), {}});
    } else if (inside) {
      commands.back().lines.push_back(line);
    }
  }
  return commands;
}

std::string replaced(std::string text, const std::string& old, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size()) {
    text.replace(at, old.size(), by);
  }
  return text;
}

// Whether a line is as shown; "…" at the end stands for the rest of it.
bool is_as_shown(const std::string& shown, const std::string& said) {
  const std::string rest = "…";
  if (!shown.ends_with(rest)) return said.substr(0, said.find_last_not_of(' ') + 1) == shown;
  return said.starts_with(shown.substr(0, shown.size() - rest.size()));
}

// Whether `said` is what is shown, where a line "…" is any number of lines.
bool are_as_shown(const Words& shown, const Words& said) {
  auto next = said.begin();
  bool any = false;
  for (const std::string& line : shown) {
    if (line == "…") {
      any = true;
      continue;
    }
    const auto is_this = [&](const std::string& other) { return is_as_shown(line, other); };
    if (any) next = std::find_if(next, said.end(), is_this);
    if (next == said.end() || !is_this(*next)) return false;
    ++next;
    any = false;
  }
  return any || next == said.end();
}

TEST_F(Tutorial, ThePagesShowWhatTheCommandsSay) {
  for (const char* name : {"README.md", "docs/tutorial.md"}) {
    const std::vector<Shown> commands = commands_in(page(name));
    EXPECT_GE(commands.size(), 4u) << name;
    for (const Shown& shown : commands) {
      const CommandResult result = run(shown.command);
      const std::string said =
          replaced(result.out + without_warnings(result.err), path().string(), "…/");
      const bool is_mistake =
          std::any_of(shown.lines.begin(), shown.lines.end(),
                      [](const std::string& line) { return line.starts_with("kmap: "); });
      EXPECT_EQ(result.exit_code != ok, is_mistake) << name << ": " << shown.command << result;
      if (shown.lines.empty()) continue;
      EXPECT_TRUE(are_as_shown(shown.lines, lines_of(said)))
          << name << ": " << shown.command << "\nsays\n"
          << said;
    }
  }
}

TEST(TutorialPages, ShowTheFilesAsTheyAre) {
  const std::map<std::string, Words> files = {
      {"README.md",
       {"apps/tutorial/01_vmap.cpp", "apps/tutorial/04_pmap.cpp", "apps/heavy_task/kernel.cpp",
        "configs/square.yaml"}},
      {"docs/tutorial.md",
       {"apps/tutorial/07_jobs.cpp", "apps/tutorial/07_jobs.yaml", "apps/tutorial/07_pairs.yaml",
        "apps/tutorial/07_share.yaml"}}};
  for (const auto& [name, shown] : files) {
    for (const std::string& file : shown) {
      const std::string text = page(file);
      ASSERT_FALSE(text.empty()) << file;
      EXPECT_THAT(page(name), ::testing::HasSubstr(text)) << file;
    }
  }
}

// ---- Programs

TEST_F(Tutorial, PmapMapsRowsOverRanks) {
  for (const int ranks : {1, 2, 4}) {
    const CommandResult result = run_on(ranks, "tutorial/04_pmap");
    EXPECT_EQ(result.exit_code, ok) << result;
    EXPECT_EQ(result.out, "10 rows on " + std::to_string(ranks) + " ranks, the last value is 1\n");
    EXPECT_EQ(result.err, "");
  }
}

TEST_F(Tutorial, ProgramsSayTheSameOnAnyRanks) {
  for (const std::string name : {"05_collectives", "06_random", "08_from_jax"}) {
    const CommandResult alone = run("build/release/tutorial/" + name);
    EXPECT_EQ(alone.exit_code, ok) << alone;
    EXPECT_NE(alone.out, "") << name;
    for (const int ranks : {1, 3}) {
      const CommandResult result = run_on(ranks, "tutorial/" + name);
      EXPECT_EQ(result.exit_code, ok) << result;
      EXPECT_EQ(result.out, alone.out) << name;
      EXPECT_EQ(result.err, "") << name;
    }
  }
}

// Below each line of JAX stand its values and ours; where they are not the same, it says why.
TEST_F(Tutorial, ValuesAreJaxsOrTheDifferenceIsExplained) {
  const Words lines = lines_of(run("build/release/tutorial/08_from_jax").out);
  const std::string jax = "  JAX  ";
  const std::string ours = "  kmap ";
  int rows = 0;
  int differences = 0;
  for (std::size_t i = 0; i + 2 < lines.size(); ++i) {
    if (!lines[i + 1].starts_with(jax)) continue;
    ++rows;
    ASSERT_TRUE(lines[i + 2].starts_with(ours)) << lines[i];
    const bool explained = i + 3 < lines.size() && lines[i + 3].starts_with("  differs: ");
    differences += explained;
    EXPECT_EQ(lines[i + 1].substr(jax.size()) != lines[i + 2].substr(ours.size()), explained)
        << lines[i];
  }
  EXPECT_GE(rows, 30);
  EXPECT_EQ(differences, 4);
}

// ---- Jobs

TEST_F(Tutorial, EachThrowHasItsOwnSpeedAndAngle) {
  for (const int ranks : {1, 2, 4}) {
    ASSERT_EQ(run_on(ranks, "kmap run apps/tutorial/07_jobs.yaml").exit_code, ok);
    const std::vector<double> range = values("07_jobs", "/range");
    const std::vector<double> height = values("07_jobs", "/height");
    ASSERT_EQ(range.size(), 5u);
    ASSERT_EQ(height.size(), 5u);
    for (int i = 0; i < 5; ++i) {
      const double v = i + 1;
      const double a = (i + 1) * M_PI / 12;
      const auto at = static_cast<std::size_t>(i);
      EXPECT_NEAR(range[at], v * v * std::sin(2 * a) / 9.81, 1e-15);
      EXPECT_NEAR(height[at], std::pow(v * std::sin(a), 2) / (2 * 9.81), 1e-15);
    }
  }
}

TEST_F(Tutorial, EverySpeedWithEveryAngle) {
  for (const int ranks : {1, 2, 4}) {
    ASSERT_EQ(run_on(ranks, "kmap run apps/tutorial/07_pairs.yaml").exit_code, ok);
    Shape shape;
    const std::vector<double> range = values("07_pairs", "/range", &shape);
    ASSERT_EQ(shape, (Shape{5, 5}));
    for (int i = 0; i < 25; ++i) {
      const double v = i / 5 + 1;
      const double a = (i % 5 + 1) * M_PI / 12;
      EXPECT_NEAR(range[static_cast<std::size_t>(i)], v * v * std::sin(2 * a) / 9.81, 1e-15);
    }
  }
}

TEST_F(Tutorial, SharesAreOfTheSumOverAllRanks) {
  for (const int ranks : {1, 2, 4}) {
    ASSERT_EQ(run_on(ranks, "kmap run apps/tutorial/07_share.yaml").exit_code, ok);
    Shape shape;
    EXPECT_EQ(values("07_share", "/total", &shape), (std::vector<double>{15}));
    EXPECT_EQ(shape, Shape{}) << "stored once";
    EXPECT_EQ(values("07_share", "/share"),
              (std::vector<double>{1. / 15, 2. / 15, 3. / 15, 4. / 15, 5. / 15}));
  }
}

}  // namespace
}  // namespace kmap::test
