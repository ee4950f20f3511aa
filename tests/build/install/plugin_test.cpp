// The installed package is enough to make a kernel outside the tree, and the installed command runs
// it.

#include "support/command.hpp"
#include "support/paths.hpp"
#include "support/temporary_folder.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

namespace kmap::test {
namespace {

using ::testing::ContainsRegex;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::vector<double> read_doubles(const std::filesystem::path& path, const char* dataset) {
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  const hid_t data = H5Dopen2(file, dataset, H5P_DEFAULT);
  const hid_t space = H5Dget_space(data);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  std::vector<double> values(count > 0 ? static_cast<std::size_t>(count) : 0);
  if (H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
    values.clear();
  H5Sclose(space);
  H5Dclose(data);
  H5Fclose(file);
  return values;
}

class InstalledPackage : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder();
    CommandOptions options;
    options.limit = std::chrono::seconds(250);
    for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
             {CMAKE, "--install", BUILD, "--prefix", prefix().string()},
             {CMAKE, "-S", PLUGIN, "-B", plugin_folder().string(), "-G", GENERATOR,
              "-DCMAKE_PREFIX_PATH=" + prefix().string(),
              std::string("-DCMAKE_CXX_COMPILER=") + COMPILER,
              std::string("-DCMAKE_BUILD_TYPE=") + BUILD_TYPE,
              std::string("-DCMAKE_CXX_FLAGS=") + FLAGS},
             {CMAKE, "--build", plugin_folder().string()}}) {
      const CommandResult result = run_command(words, options);
      ASSERT_EQ(result.exit_code, 0) << words[1] << result;
      said_ = result.out;
    }
  }
  static void TearDownTestSuite() { delete folder_; }

  static std::filesystem::path prefix() { return folder_->path() / "prefix"; }
  static std::filesystem::path plugin_folder() { return folder_->path() / "plugin"; }

  // Runs the installed command with KMAP_PLUGINS set to `plugins`.
  static CommandResult kmap(const std::vector<std::string>& arguments, const std::string& plugins) {
    std::vector<std::string> words{(prefix() / "bin" / "kmap").string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    CommandOptions options;
    options.folder = folder_->path();
    options.environment["KMAP_PLUGINS"] = plugins;
    return run_command(words, options);
  }

  // What the build of the plug-in said.
  static inline std::string said_;

 private:
  static inline TemporaryFolder* folder_ = nullptr;
};

TEST_F(InstalledPackage, ListsAPluginsKernel) {
  EXPECT_THAT(kmap({"list"}, "").out, Not(HasSubstr("cube")));
  const CommandResult by_file = kmap({"list"}, (plugin_folder() / "cube.so").string());
  EXPECT_EQ(by_file.exit_code, 0) << by_file;
  EXPECT_THAT(by_file.out, HasSubstr("x cubed"));
  EXPECT_THAT(by_file.out, HasSubstr("square"));
  EXPECT_THAT(kmap({"list"}, plugin_folder().string()).out, HasSubstr("x cubed"));
  EXPECT_THAT(kmap({"doctor"}, plugin_folder().string()).out, HasSubstr("/cube.so: cube\n"));
}

TEST_F(InstalledPackage, RunsAPluginsKernel) {
  const std::filesystem::path job = plugin_folder() / "job.yaml";
  std::ofstream(job) << "kernel: cube\ninputs:\n  x: "
                     << (source_dir() / "inputs" / "tutorial.h5").string()
                     << ":/x\noutputs: cubes.h5\n";
  const CommandResult result = kmap({"run", job.string()}, (plugin_folder() / "cube.so").string());
  ASSERT_EQ(result.exit_code, 0) << result;
  EXPECT_THAT(read_doubles(plugin_folder() / "cubes.h5", "/y"), ElementsAre(1, 8, 27, 64, 125));
}

TEST_F(InstalledPackage, ReportsWhetherAPluginIsVectorised) {
  if (std::string(COMPILER_ID) != "GNU") GTEST_SKIP() << "there is no report by " << COMPILER_ID;
  if (std::string(BUILD_TYPE) == "Release") {
    EXPECT_THAT(said_, ContainsRegex("cube: Cube of f8: [0-9]+-byte vectors"));
  } else {
    EXPECT_THAT(said_, ContainsRegex("cube: (Cube of f8|nothing is known)"));
  }
}

TEST_F(InstalledPackage, NamesAPluginThatIsMissing) {
  const CommandResult result = kmap({"list"}, (plugin_folder() / "no-such.so").string());
  EXPECT_NE(result.exit_code, 0) << result;
  EXPECT_THAT(result.err, HasSubstr("no-such.so"));
}

}  // namespace
}  // namespace kmap::test
