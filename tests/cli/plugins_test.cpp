// KMAP_PLUGINS: what cannot be loaded is named. That plug-ins work is tested with the installed
// package.

#include "cli/job_folder.hpp"

namespace kmap::test {
namespace {

class Plugins : public JobFolder {
 protected:
  CommandResult list_with(const std::string& plugins) const {
    CommandOptions with = options();
    with.environment["KMAP_PLUGINS"] = plugins;
    return run_command(kmap_words({"list"}), with);
  }
};

TEST_F(Plugins, MissingFile) {
  EXPECT_TRUE(fails_saying(list_with("nowhere.so"), usage,
                           {"KMAP_PLUGINS: there is no file or folder nowhere.so"}));
}

TEST_F(Plugins, NoLibrary) {
  write("text.so", "hello");
  EXPECT_TRUE(fails_saying(list_with(path("text.so").string()), usage,
                           {"KMAP_PLUGINS: cannot load " + path("text.so").string(),
                            "remedy: build the plug-in against this kmap"}));
  EXPECT_TRUE(fails_saying(list_with("::" + path().string()), usage, {"cannot load", "text.so"}))
      << "a folder is searched";
}

TEST_F(Plugins, NothingToLoad) {
  const CommandResult result = list_with(path().string() + "::");
  EXPECT_EQ(result.exit_code, ok) << result;
  EXPECT_EQ(result.err, "");
}

TEST_F(Plugins, ErrorsAreOfAllRanks) {
  CommandOptions with = options();
  with.environment["KMAP_PLUGINS"] = "nowhere.so";
  EXPECT_TRUE(fails_saying(run_command(kmap_words(2, {"list"}), with), usage, {"nowhere.so"}));
}

}  // namespace
}  // namespace kmap::test
