// Disks that fill up and ranks that fail alone: an error with the right code, no file, no waiting.

#include "io/output.hpp"
#include "mpi/io/fixture.hpp"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using io::IfExists;
using io::OutputFile;

class OutputFaults : public SharedFiles {};

// A disk of a few MiB, if this user may mount one.
class SmallDisk : public OutputFaults {
 protected:
  void SetUp() override {
    bool mounted = false;
    if (comm().is_root()) {
      fs::create_directory(path("disk"));
      mounted = ::mount("tmpfs", path("disk").c_str(), "tmpfs", 0, "size=4m") == 0;
      reason_ = std::strerror(errno);
    }
    mounted_ = comm().max(mounted ? 1 : 0) == 1;
    if (!mounted_) GTEST_SKIP() << "no small disk can be mounted: " << comm().broadcast(reason_);
  }
  void TearDown() override {
    comm().barrier();
    if (mounted_ && comm().is_root()) {
      EXPECT_EQ(::umount2(path("disk").c_str(), MNT_DETACH), 0) << std::strerror(errno);
    }
    comm().barrier();
  }

  // Takes all room that is left.
  void fill_disk() const {
    on_rank_0([&] {
      const int file = ::open(path("disk/filler").c_str(), O_CREAT | O_WRONLY, 0600);
      const std::string page(4096, 'x');
      while (::write(file, page.data(), page.size()) > 0) {
      }
      ::close(file);
    });
  }

  void expect_nothing_left(const std::string& name) const {
    comm().barrier();
    EXPECT_FALSE(fs::exists(path("disk/" + name)));
    EXPECT_FALSE(fs::exists(path("disk/" + name + ".part")));
  }

 private:
  bool mounted_ = false;
  std::string reason_;
};

TEST_F(SmallDisk, NoRoomIsSaidBeforeAnyWork) {
  {
    OutputFile file(comm(), path("disk/out.h5"), IfExists::error);
    file.create_dataset("x", DType::f8, {100000});
    EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"disk/out.h5 needs", "MiB", "are free"},
                           [&] { file.create_dataset("y", DType::f8, {1000000}); }));
  }
  expect_nothing_left("out.h5");
}

// The room that was reserved stays, whoever else fills the disk.
TEST_F(SmallDisk, ReservedRoomCannotBeTaken) {
  const std::vector<double> values(300000, 1.5);
  OutputFile file(comm(), path("disk/out.h5"), IfExists::error);
  const int x = file.create_dataset("/x", DType::f8, {300000});
  fill_disk();
  const Range rows = shard_of(300000, comm().size(), comm().rank());
  file.write_rows(x, rows, DType::f8, values.data() + rows.begin);
  on_rank_0([&] { fs::remove(path("disk/filler")); });
  file.commit();
  const io::InputDataset input(comm(), path("disk/out.h5"), "x");
  EXPECT_EQ(read_own<double>(input), own_part(input, values));
}

TEST_F(SmallDisk, NoRoomToReserve) {
  {
    OutputFile file(comm(), path("disk/out.h5"), IfExists::error);
    fill_disk();
    EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"disk/out.h5", "needs", "are free"},
                           [&] { file.create_dataset("/x", DType::f8, {1000}); }));
  }
  expect_nothing_left("out.h5");
}

TEST_F(SmallDisk, DiskFullAtTheEnd) {
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"out.h5.part"}, [&] {
    OutputFile file(comm(), path("disk/out.h5"), IfExists::error);
    fill_disk();
    for (int i = 0; i < 200; ++i) {
      file.write_text("/texts/" + std::to_string(i), std::string(1000, 'x'));
    }
    file.commit();
  }));
  expect_nothing_left("out.h5");
}

TEST_F(SmallDisk, OnlyDescriptionsDoNotFit) {
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"out.h5.part"}, [&] {
    OutputFile file(comm(), path("disk/out.h5"), IfExists::error);
    fill_disk();
    for (int i = 0; i < 500; ++i) file.create_group("/group" + std::to_string(i));
    file.commit();
  }));
  expect_nothing_left("out.h5");
}

// The last rank alone cannot write beyond some bytes, as if its quota were used up.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(rlim_t bytes) {
    before_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &old_);
    rlimit limit = old_;
    limit.rlim_cur = bytes;
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, before_);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;

 private:
  rlimit old_{};
  void (*before_)(int) = nullptr;
};

TEST_F(OutputFaults, OneRankThatCannotWriteStopsAll) {
  const std::vector<double> values(100000, 1.5);
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"out.h5.part:/x", "cannot write"}, [&] {
    OutputFile file(comm(), path("out.h5"), IfExists::error);
    const int x = file.create_dataset("/x", DType::f8, {100000});
    const Range rows = shard_of(100000, comm().size(), comm().rank());
    file.write_rows(x, {0, 0}, DType::f8, nullptr);
    const bool last = comm().rank() == comm().size() - 1;
    const FileSizeLimit limit(last ? 700000 : RLIM_INFINITY);
    file.write_rows(x, rows, DType::f8, values.data());
  }));
  comm().barrier();
  EXPECT_FALSE(fs::exists(path("out.h5")));
  EXPECT_FALSE(fs::exists(path("out.h5.part")));
}

// A rank with an error of its own unwinds while the others are elsewhere: it must get to the end of
// its program, which ends the job.
TEST_F(OutputFaults, RankThatLeavesAloneDoesNotWaitForTheOthers) {
  const bool alone = comm().rank() == comm().size() - 1;
  auto file = std::make_unique<OutputFile>(comm(), path("out.h5"), IfExists::error);
  const int x = file->create_dataset("x", DType::f8, {3});
  file->write_rows(x, {0, 0}, DType::f8, nullptr);
  if (alone) {
    const auto start = std::chrono::steady_clock::now();
    file.reset();
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
    EXPECT_FALSE(fs::exists(path("out.h5.part")));
  } else {
    file.release();  // as if it stood in another call until the job is ended
  }
  comm().barrier();
}

}  // namespace
}  // namespace kmap::test
