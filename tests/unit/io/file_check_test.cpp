#include "io/file_check.hpp"

#include "io/find_dataset.hpp"
#include "support/temporary_folder.hpp"
#include "unit/io/files.hpp"

#include <gtest/gtest.h>

#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

namespace kmap::io {
namespace {

namespace fs = std::filesystem;
using namespace std::string_literals;
using test::fails_with;
using test::write_bytes;

class FileCheck : public testing::Test {
 protected:
  FileCheck() { keep_hdf5_quiet(); }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path good_file(const std::string& name) const {
    test::Hdf5Writer(path(name)).doubles("/x", {2}, {1, 2});
    return path(name);
  }

 private:
  test::TemporaryFolder folder_;
};

TEST_F(FileCheck, GoodFileOpens) {
  EXPECT_TRUE(open_for_reading(good_file("good.h5")));
  EXPECT_EQ(foreign_content(path("good.h5")), "");
}

TEST_F(FileCheck, UserBlockBeforeTheSignature) {
  const PropertyHandle creation(H5Pcreate(H5P_FILE_CREATE));
  H5Pset_userblock(creation.get(), 2048);
  test::Hdf5Writer(path("matlab.mat"), creation.get()).doubles("/x", {1}, {1});
  EXPECT_TRUE(open_for_reading(path("matlab.mat")));
}

TEST_F(FileCheck, NamesWhatAFileIsInstead) {
  const std::vector<std::pair<std::string, std::string>> contents = {
      {"CDF\x01 rest", "netCDF-3"},
      {"CDF\x02 rest", "netCDF-3"},
      {"CDF\x05 rest", "netCDF-3"},
      {"version https://git-lfs.github.com/spec/v1\noid sha256:0\n", "git-lfs pointer"},
      {"\x1f\x8b\x08 rest", "gzip"},
      {"\x28\xb5\x2f\xfd rest", "zstd"},
      {"PK\x03\x04 rest", "zip"},
      {"\x93NUMPY\x01", ".npy"},
      {"SIMPLE  =                    T", "FITS"},
      {"1.0, 2.0\n3.0, 4.0\n", "text"},
      {"\x01\x02\x03 who knows"s + '\0', "does not know"},
      {"", "empty"}};
  for (const auto& [bytes, meaning] : contents) {
    write_bytes(path("file.h5"), bytes);
    EXPECT_TRUE(fails_with(ExitCode::bad_data, {"file.h5", "not an HDF5 file", meaning},
                           [&] { open_for_reading(path("file.h5")); }));
  }
}

TEST_F(FileCheck, MissingFileNamesItsNeighbours) {
  good_file("strain.h5");
  EXPECT_TRUE(fails_with(ExitCode::no_input,
                         {"strian.h5 does not exist", "did you mean", "/strain.h5?"},
                         [&] { open_for_reading(path("strian.h5")); }));
}

TEST_F(FileCheck, MissingFolderIsNamed) {
  fs::create_directory(path("runs"));
  EXPECT_TRUE(fails_with(ExitCode::no_input,
                         {"does not exist", "no folder " + path("rums").string(), "did you mean",
                          path("runs").string()},
                         [&] { open_for_reading(path("rums/deep/x.h5")); }));
}

TEST_F(FileCheck, DanglingLinkIsNamedWithItsTarget) {
  fs::create_symlink("nowhere.h5", path("link.h5"));
  EXPECT_TRUE(fails_with(ExitCode::no_input, {"link.h5 is a symbolic link to nowhere.h5"},
                         [&] { open_for_reading(path("link.h5")); }));
}

TEST_F(FileCheck, FolderAndPipeAreNoFiles) {
  EXPECT_TRUE(fails_with(ExitCode::no_input, {"is a folder"},
                         [&] { open_for_reading(path("").parent_path()); }));
  ASSERT_EQ(::mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_TRUE(
      fails_with(ExitCode::no_input, {"no regular file"}, [&] { open_for_reading(path("pipe")); }));
}

TEST_F(FileCheck, UnreadableFile) {
  good_file("secret.h5");
  fs::permissions(path("secret.h5"), fs::perms::none);
  fs::permissions(path("").parent_path(), fs::perms::all);
  const bool was_root = ::geteuid() == 0;
  ASSERT_EQ(was_root ? ::seteuid(65534) : 0, 0);
  EXPECT_TRUE(fails_with(ExitCode::no_input, {"cannot read", "secret.h5", "Permission denied"},
                         [&] { open_for_reading(path("secret.h5")); }));
  ASSERT_EQ(was_root ? ::seteuid(0) : 0, 0);
}

TEST_F(FileCheck, TruncatedFile) {
  good_file("short.h5");
  fs::resize_file(path("short.h5"), fs::file_size(path("short.h5")) - 8);
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"short.h5 is cut short", "eof"},
                         [&] { open_for_reading(path("short.h5")); }));
}

TEST_F(FileCheck, FileWhoseWriterNeverClosedIt) {
  const PropertyHandle access(H5Pcreate(H5P_FILE_ACCESS));
  H5Pset_libver_bounds(access.get(), H5F_LIBVER_LATEST, H5F_LIBVER_LATEST);
  test::Hdf5Writer writer(path("open.h5"), H5P_DEFAULT, access.get());
  writer.doubles("/x", {1}, {1});
  H5Fflush(writer.id(), H5F_SCOPE_GLOBAL);
  fs::copy_file(path("open.h5"), path("copy.h5"));
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"copy.h5", "open for writing", "h5clear -s"},
                         [&] { open_for_reading(path("copy.h5")); }));
}

TEST_F(FileCheck, LockedFileNamesTheVariable) {
  const fs::path file = good_file("locked.h5");
  const int descriptor = ::open(file.c_str(), O_RDWR);
  ASSERT_EQ(::flock(descriptor, LOCK_EX | LOCK_NB), 0);
  EXPECT_TRUE(fails_with(ExitCode::no_input, {"locked.h5 is locked", "HDF5_USE_FILE_LOCKING"},
                         [&] { open_for_reading(file); }));
  ::close(descriptor);
}

TEST_F(FileCheck, DamagedFile) {
  const fs::path file = good_file("damaged.h5");
  std::string bytes = test::read_bytes(file);
  bytes[8] = 99;  // the version of the superblock
  write_bytes(file, bytes);
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"damaged.h5", "cannot be opened", "version"},
                         [&] { open_for_reading(file); }));
}

TEST(AbsolutePath, IsTheSameHoweverWritten) {
  EXPECT_EQ(absolute_path("a/b"), "/a/b");
  EXPECT_EQ(absolute_path("/a/b"), "/a/b");
  EXPECT_EQ(absolute_path("//a//b/"), "/a/b");
  EXPECT_EQ(absolute_path("/"), "/");
  EXPECT_EQ(absolute_path(""), "/");
}

}  // namespace
}  // namespace kmap::io
