#pragma once
// A folder for the files of one test.

#include <filesystem>
#include <string>

namespace kmap::test {

// A new, empty folder, removed with all in it at the end (kept when KMAP_KEEP_FILES is set, which
// then says where it is).
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace kmap::test
