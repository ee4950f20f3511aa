// Outputs that cannot be written to their end.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <sys/mount.h>

#include <cerrno>
#include <cstring>
#include <thread>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr std::int64_t values = 8 << 20;  // 64 MiB
// In blocks of 512 bytes; less than this the files of MPI itself, in shared memory, could not be.
constexpr int quota = 48 << 11;

class Writing : public JobFolder {
 protected:
  Writing() {
    // Of zeros that take no room.
    const io::PropertyHandle sparse = chunked({1 << 20});
    Hdf5Writer(path("in.h5"))
        .dataset("/x", H5T_IEEE_F64LE, {values}, H5T_NATIVE_DOUBLE, nullptr, sparse.get());
    fs::create_directory(path("disk"));
    write("job.yaml", "kernel: square\ninputs: {x: in.h5:/x}\noutputs: disk/out.h5\n");
  }

  // Runs the job with a last rank that cannot write beyond some blocks of 512 bytes, as if a quota
  // ended there. A shell asks for its rank: Open MPI 5.0.7's launcher crashes where ranks have
  // words of their own.
  CommandResult run_with_last_limited(int ranks, const Words& words) const {
    Words all = kmap_words(ranks, {});
    const std::string command = all.back();
    all.back() = "sh";
    all.insert(all.end(), {"-c",
                           "if [ $OMPI_COMM_WORLD_RANK = " + std::to_string(ranks - 1) +
                               " ]; then trap '' XFSZ; ulimit -f " + std::to_string(quota) +
                               "; fi; exec \"$@\"",
                           "sh", command});
    all.insert(all.end(), words.begin(), words.end());
    return run_command(all, options());
  }

  void expect_empty_disk() const { EXPECT_TRUE(fs::is_empty(path("disk"))); }
};

TEST_F(Writing, AQuotaThatOneRankMeets) {
  for (const int ranks : {2, 4}) {
    const std::string place =
        "[rank " + std::to_string(ranks - 1) + "/" + std::to_string(ranks) + "] ";
    EXPECT_TRUE(fails_saying(run_with_last_limited(ranks, {"run", "job.yaml"}), io,
                             {place, "out.h5.part", "/y"}));
    expect_empty_disk();
  }
  EXPECT_TRUE(
      fails_saying(run_with_last_limited(3, {"run", "job.yaml", "--set", "run.memory=1 MB"}), io,
                   {"[rank 2/3] "}));
  expect_empty_disk();
}

TEST_F(Writing, AnOldOutputStaysWhenTheNewOneFails) {
  write("disk/out.h5", "old");
  EXPECT_TRUE(
      fails_saying(run_with_last_limited(2, {"run", "job.yaml", "--overwrite"}), io, {"out.h5"}));
  EXPECT_EQ(content_of(path("disk/out.h5")), "old");
  EXPECT_FALSE(fs::exists(path("disk/out.h5.part")));
}

// The folder vanishes while the job runs: a job that takes a while, of many blocks.
TEST_F(Writing, AFolderThatIsRemoved) {
  Hdf5Writer(path("states.h5")).doubles("/initial", {40'000, 3}, counting(120'000));
  write("slow.yaml",
        "kernel: lorenz\nparams: {steps: 1000}\ninputs: {initial: states.h5:/initial}\n"
        "outputs: disk/out.h5\nrun: {memory: 480}\n");
  CommandResult result;
  std::thread job([&] { result = kmap(2, {"run", "slow.yaml"}); });
  for (int i = 0; i < 1000 && !fs::exists(path("disk/out.h5.part")); ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  EXPECT_TRUE(fs::exists(path("disk/out.h5.part")));
  fs::remove_all(path("disk"));
  job.join();
  EXPECT_FALSE(result.timed_out) << result;
  EXPECT_THAT(result.exit_code, testing::AnyOf(io, create)) << result;
  EXPECT_THAT(own_words(result), testing::HasSubstr("out.h5")) << result;
  EXPECT_FALSE(fs::exists(path("disk")));
}

// Disks of their own, if this user may mount them.
class Disk : public Writing {
 protected:
  bool mount_disk(unsigned long flags) {
    mounted_ = ::mount("tmpfs", path("disk").c_str(), "tmpfs", flags, "size=1m") == 0;
    reason_ = std::strerror(errno);
    return mounted_;
  }
  void TearDown() override {
    if (!mounted_) return;
    EXPECT_EQ(::umount2(path("disk").c_str(), MNT_DETACH), 0) << std::strerror(errno);
  }
  const std::string& reason() const { return reason_; }

 private:
  bool mounted_ = false;
  std::string reason_;
};

TEST_F(Disk, TooSmallFromTheStart) {
  if (!mount_disk(0)) GTEST_SKIP() << "no small disk can be mounted: " << reason();
  EXPECT_TRUE(
      fails_saying(kmap(2, {"run", "job.yaml"}), create, {"out.h5 needs 64.0 MiB", "free"}));
  expect_empty_disk();
}

TEST_F(Disk, ReadOnly) {
  if (!mount_disk(MS_RDONLY)) GTEST_SKIP() << "no disk can be mounted: " << reason();
  EXPECT_TRUE(fails_saying(kmap(2, {"run", "job.yaml"}), create, {"disk", "Read-only"}));
}

}  // namespace
}  // namespace kmap::test
