// Inputs that one rank alone cannot read.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <fstream>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

constexpr std::int64_t rows = 120;

class Reading : public JobFolder {
 protected:
  Reading() {
    write("job.yaml",
          "kernel: square\n"
          "inputs: {x: in.h5:/x}\n"
          "outputs: out.h5\n");
  }

  // Compressed, with check sums, a chunk for every ten rows.
  void make_checked_input() const {
    const io::PropertyHandle properties = chunked({10, 8});
    must(H5Pset_deflate(properties.get(), 1));
    must(H5Pset_fletcher32(properties.get()));
    Hdf5Writer(path("in.h5")).doubles("/x", {rows, 8}, counting(rows * 8), properties.get());
  }

  // Turns bits in the middle of the chunk that `row` is in.
  void damage_chunk_of(std::int64_t row) const {
    haddr_t address = HADDR_UNDEF;
    hsize_t size = 0;
    {
      const io::FileHandle file(must(H5Fopen(path("in.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
      const io::DatasetHandle dataset(must(H5Dopen2(file.get(), "/x", H5P_DEFAULT)));
      const hsize_t place[] = {static_cast<hsize_t>(row / 10 * 10), 0};
      must(H5Dget_chunk_info_by_coord(dataset.get(), place, nullptr, &address, &size));
    }
    std::fstream bytes(path("in.h5"), std::ios::binary | std::ios::in | std::ios::out);
    const auto middle = static_cast<std::streamoff>(address + size / 2);
    bytes.seekg(middle);
    const char byte = static_cast<char>(~bytes.get());
    bytes.seekp(middle);
    bytes.put(byte);
  }

  void expect_no_output() const { EXPECT_THAT(files(), ElementsAre("in.h5", "job.yaml")); }
};

TEST_F(Reading, ADamagedChunk) {
  make_checked_input();
  ASSERT_EQ(kmap(3, {"run", "job.yaml", "--dry-run"}).exit_code, ok);
  damage_chunk_of(rows - 1);
  for (const char* memory : {"run.memory=1 GiB", "run.memory=2560"}) {  // all at once, twenty rows
    EXPECT_TRUE(fails_saying(kmap(3, {"run", "job.yaml", "--set", memory}), io,
                             {"[rank 2/3] " + path("in.h5").string() + ":/x: cannot read it"}));
    expect_no_output();
  }
  EXPECT_TRUE(fails_saying(kmap({"run", "job.yaml"}), io, {path("in.h5").string() + ":/x"}));
  expect_no_output();
}

TEST_F(Reading, ADamagedChunkAtTheFirstRank) {
  make_checked_input();
  damage_chunk_of(0);
  EXPECT_TRUE(fails_saying(kmap(4, {"run", "job.yaml"}), io, {"in.h5:/x: cannot read it"}));
  expect_no_output();
}

// Of a part that is not taken, nobody complains.
TEST_F(Reading, ADamagedChunkThatNobodyReads) {
  make_checked_input();
  damage_chunk_of(rows - 1);
  const CommandResult result = kmap(2, {"run", "job.yaml", "--set", "inputs.x.slice=0:110"});
  EXPECT_EQ(result.exit_code, ok) << result;
}

TEST_F(Reading, AValueThatTheTypeCannotHold) {
  std::vector<double> values = counting(rows);
  values[70] = -1;
  Hdf5Writer(path("in.h5")).doubles("/x", {rows}, values);
  const Words words = {"run", "job.yaml", "--set", "inputs.x.dtype=u2", "--set", "run.memory=40"};
  EXPECT_TRUE(fails_saying(kmap(2, words), data,
                           {"[rank 1/2] " + path("in.h5").string() +
                                ":/x (f8) holds values that u2 "
                                "cannot hold: -1 in row 70",
                            "remedy: "}));
  expect_no_output();
}

// Two ranks fail: one speaks.
TEST_F(Reading, FailuresOfSeveralRanksAreOneMessage) {
  Hdf5Writer(path("in.h5")).doubles("/x", {rows}, std::vector<double>(rows, 0.5));
  EXPECT_TRUE(fails_saying(kmap(4, {"run", "job.yaml", "--set", "inputs.x.dtype=i4"}), data,
                           {"0.5 in row 0"}));
  expect_no_output();
}

TEST_F(Reading, ATruncatedFile) {
  Hdf5Writer(path("in.h5")).doubles("/x", {rows, 1000}, counting(rows * 1000));
  fs::resize_file(path("in.h5"), fs::file_size(path("in.h5")) / 2);
  EXPECT_TRUE(fails_saying(kmap(3, {"run", "job.yaml"}), data, {"in.h5 is cut short"}));
  expect_no_output();
}

}  // namespace
}  // namespace kmap::test
