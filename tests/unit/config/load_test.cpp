// Reading by rank 0, the same config or the same error on every rank.

#include "config/load.hpp"

#include "support/runtime.hpp"
#include "support/shared_folder.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kmap::config {
namespace {

namespace fs = std::filesystem;

const std::string good = "kernel: square\ninputs: {x: in.h5:/x}\noutputs: out.h5\n";

class Load : public ::testing::Test {
 protected:
  const Communicator& comm() const { return test::runtime().comm(); }
  const fs::path& path() const { return folder_.path(); }

  // Rank 0 makes the file, then all see it.
  fs::path write(const std::string& name, const std::string& text) const {
    if (comm().is_root()) std::ofstream(path() / name, std::ios::binary) << text;
    comm().barrier();
    return path() / name;
  }

  // The same text on all ranks, or the failure of the test.
  void expect_on_all(const std::string& text) const {
    EXPECT_EQ(text, comm().broadcast(text)) << "as on rank 0";
  }

  std::string error_of(const fs::path& file, ExitCode code,
                       const std::vector<std::string>& options = {}) const {
    try {
      load(comm(), file, options);
    } catch (const Error& error) {
      EXPECT_TRUE(error.agreed());
      EXPECT_EQ(error.code(), code);
      expect_on_all(error.what());
      std::string message = error.what();
      for (std::size_t at = message.find(path().string()); at != message.npos;
           at = message.find(path().string())) {
        message.replace(at, path().string().size(), "FOLDER");
      }
      return message;
    }
    ADD_FAILURE() << "no error";
    return "";
  }

 private:
  test::SharedFolder folder_{test::runtime().comm()};
};

TEST_F(Load, GivesTheSameConfigToEveryRank) {
  // What a rank's own environment and working folder are does not matter, but rank 0's do.
  ::setenv("KMAP_TEST_KERNEL", comm().is_root() ? "moments" : "another", 1);
  if (comm().is_root()) ::setenv("KMAP_TEST_DATA", "in", 1);
  const std::string text =
      "kernel: ${KMAP_TEST_KERNEL}\n"
      "params: {a: 1, b: \"2\", text: 'a: \"b\"'}\n"
      "inputs: {x: \"${KMAP_TEST_DATA}/x.h5:/x\"}\n"
      "outputs: out.h5\n";
  const fs::path file = write("job.yaml", text);
  const std::vector<std::string> options = {"inputs.x.slice=0:10", "run.memory=1 MiB"};
  const fs::path home = fs::current_path();
  if (!comm().is_root()) fs::current_path("/");
  const JobConfig config = load(comm(), file, options);
  fs::current_path(home);

  EXPECT_EQ(config.kernel, "moments");
  EXPECT_EQ(config.inputs.at("x").file, path() / "in/x.h5");
  EXPECT_EQ(config.inputs.at("x").slice->stop, 10);
  EXPECT_TRUE(config.params.at("b").quoted);
  EXPECT_EQ(config.params.at("a").location, (Location{file.string(), 2, 13}));
  EXPECT_EQ(config.where("run.memory"), (Location{"--set run.memory=1 MiB", 0, 2}));
  EXPECT_EQ(config.as_written, text);
  expect_on_all(config.as_resolved);
}

TEST_F(Load, TakesTheWorkingFolderOfRank0ForOptions) {
  const fs::path file = write("job.yaml", good);
  const fs::path home = fs::current_path();
  fs::current_path(comm().is_root() ? path() : fs::path("/"));
  const JobConfig config = load(comm(), file, {"outputs=here.h5"});
  fs::current_path(home);
  EXPECT_EQ(config.output_file, fs::canonical(path()) / "here.h5");
}

TEST_F(Load, GivesTheSameMistakesToEveryRank) {
  const fs::path file = write("job.yaml", "kernel: 1\n" + good.substr(good.find('\n') + 1));
  EXPECT_EQ(
      error_of(file, ExitCode::bad_config, {"run.memori=1"}),
      "FOLDER/job.yaml:1:9: kernel: 1 is a number unless it is quoted; expected text, such as "
      "square\n"
      "--set run.memori=1: run.memori: unknown key; expected one of memory, staging, progress; did "
      "you "
      "mean memory?");
}

TEST_F(Load, SaysWhichFilesAreNear) {
  write("lorenz.yaml", good);
  write("square.yaml", good);
  write("square.h5", "");
  EXPECT_EQ(error_of(path() / "sqare.yaml", ExitCode::no_input),
            "FOLDER/sqare.yaml: no such file\n  remedy: did you mean FOLDER/square.yaml?");
  EXPECT_EQ(error_of(path() / "unlike", ExitCode::no_input),
            "FOLDER/unlike: no such file\n  remedy: run configs there: FOLDER/lorenz.yaml, "
            "FOLDER/square.yaml");
  EXPECT_EQ(error_of(path() / "nowhere/job.yaml", ExitCode::no_input),
            "FOLDER/nowhere/job.yaml: no such file, as there is no folder FOLDER/nowhere");
  EXPECT_EQ(error_of(path(), ExitCode::no_input),
            "FOLDER: a folder, not a run config\n  remedy: run configs there: FOLDER/lorenz.yaml, "
            "FOLDER/square.yaml");
  EXPECT_EQ(error_of("", ExitCode::no_input), "the run config has an empty name");
}

TEST_F(Load, SaysThatAFileCannotBeRead) {
  const fs::path file = write("job.yaml", good);
  if (comm().is_root()) fs::permissions(file, fs::perms::none);
  comm().barrier();
  if (::geteuid() == 0) GTEST_SKIP() << "root may read everything";
  EXPECT_EQ(error_of(file, ExitCode::no_input), "FOLDER/job.yaml: Permission denied");
}

TEST_F(Load, DoesNotReadAllOfAHugeFile) {
  const fs::path file = write("job.yaml", good);
  if (comm().is_root()) fs::resize_file(file, std::uintmax_t{1} << 40);
  comm().barrier();
  EXPECT_EQ(error_of(file, ExitCode::bad_config),
            "FOLDER/job.yaml:1:1: larger than 1 MiB; expected a run config");
}

TEST_F(Load, ReadsALinkButNoLoop) {
  write("job.yaml", good);
  if (comm().is_root()) fs::create_symlink("job.yaml", path() / "link.yaml");
  comm().barrier();
  EXPECT_EQ(load(comm(), path() / "link.yaml", {}).kernel, "square");
  if (comm().is_root()) fs::create_symlink("loop.yaml", path() / "loop.yaml");
  comm().barrier();
  EXPECT_EQ(error_of(path() / "loop.yaml", ExitCode::no_input),
            "FOLDER/loop.yaml: Too many levels of symbolic links");
}

}  // namespace
}  // namespace kmap::config
