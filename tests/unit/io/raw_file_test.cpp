#include "io/raw_file.hpp"

#include "support/temporary_folder.hpp"
#include "unit/io/files.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

namespace kmap::io {
namespace {

namespace fs = std::filesystem;
using test::fails_with;
using test::read_bytes;
using test::write_bytes;

class RawFiles : public testing::Test {
 protected:
  RawFiles() { write_bytes(path(), "0123456789"); }
  fs::path path(const std::string& name = "raw") const { return folder_.path() / name; }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(RawFiles, WritesAtPlaces) {
  RawFile file(path());
  file.write_at(3, "abc", 3);
  file.write_at(12, "z", 1);
  file.write_at(0, nullptr, 0);
  file.sync_and_close();
  EXPECT_EQ(read_bytes(path()), std::string("012abc6789\0\0z", 13));
}

TEST_F(RawFiles, FailuresHaveTheSystemsReason) {
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"nothing", "open it", "No such file"},
                         [&] { RawFile file(path("nothing")); }));
  const auto before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  ::getrlimit(RLIMIT_FSIZE, &old);
  rlimit limit = old;
  limit.rlim_cur = 100;
  ::setrlimit(RLIMIT_FSIZE, &limit);
  const RawFile file(path());
  const std::vector<char> bytes(200);
  EXPECT_TRUE(fails_with(ExitCode::io_error, {path().string(), "cannot write", "File too large"},
                         [&] { file.write_at(0, bytes.data(), 200); }));
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"cannot reserve 200 bytes", "File too large"},
                         [&] { file.reserve(0, 200); }));
  ::setrlimit(RLIMIT_FSIZE, &old);
  std::signal(SIGXFSZ, before);
  EXPECT_EQ(fs::file_size(path()), 100u);  // as far as it went
}

TEST_F(RawFiles, FullDisk) {
  const RawFile file("/dev/full");
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"/dev/full", "No space left"},
                         [&] { file.write_at(0, "abc", 3); }));
}

TEST_F(RawFiles, LockIsForOne) {
  {
    const RawFile first(path());
    const RawFile second(path());
    EXPECT_TRUE(first.lock());
    EXPECT_FALSE(second.lock());
  }
  EXPECT_TRUE(RawFile(path()).lock());
}

TEST_F(RawFiles, KnowsItsName) {
  RawFile file(path());
  EXPECT_TRUE(file.is_at(path()));
  file.sync_and_close();
  EXPECT_TRUE(file.is_at(path()));
  write_bytes(path("other"), "");
  EXPECT_FALSE(file.is_at(path("other")));
  fs::rename(path("other"), path());
  EXPECT_FALSE(file.is_at(path()));
  EXPECT_FALSE(RawFile().is_at(path()));
}

TEST_F(RawFiles, Reserves) {
  const RawFile file(path());
  file.reserve(0, 100000);
  EXPECT_EQ(fs::file_size(path()), 100000u);
}

}  // namespace
}  // namespace kmap::io
