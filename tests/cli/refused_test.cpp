// Jobs that cannot run: each has the exit code of its kind and a message that names the place, and
// leaves no file behind.

#include "cli/arrays.hpp"
#include "cli/job_folder.hpp"

#include <unistd.h>

#include <ostream>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

// odd.h5 has what kernels cannot take; in.h5 the tutorial's arrays.
class Refused : public JobFolder {
 protected:
  Refused() {
    make_square_job();
    make_odd_file();
    write("text.h5", "no HDF5");
    before_ = files();
  }

  void TearDown() override { EXPECT_EQ(files(), before_) << "something was left behind"; }

  void expect_as_before() { before_ = files(); }

  CommandResult run_with(const Words& settings) const {
    Words words = {"run", "job.yaml"};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    return kmap(words);
  }

 private:
  void make_odd_file() const {
    Hdf5Writer odd(path("odd.h5"));
    odd.doubles("/scalar", {}, {1.5});
    odd.doubles("/four", {2, 4}, counting(8));
    odd.doubles("/big", {3}, {1, 1e300, 2});
    const io::SpaceHandle null(must(H5Screate(H5S_NULL)));
    const io::DatasetHandle made(must(H5Dcreate2(odd.id(), "/null", H5T_NATIVE_DOUBLE, null.get(),
                                                 H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
    const io::TypeHandle text(must(H5Tcopy(H5T_C_S1)));
    must(H5Tset_size(text.get(), 4));
    odd.dataset("/text", text.get(), {2}, text.get(), "abcdefg");
    const io::PropertyHandle sparse = chunked({1024, 8});
    odd.dataset("/huge", H5T_IEEE_F64LE, {std::int64_t{1} << 62, 8}, H5T_NATIVE_DOUBLE, nullptr,
                sparse.get());
    odd.dataset("/large", H5T_IEEE_F64LE, {std::int64_t{1} << 44, 8}, H5T_NATIVE_DOUBLE, nullptr,
                sparse.get());
  }

  std::vector<std::string> before_;
};

struct Refusal {
  const char* name;
  int code;
  Words settings;
  Words parts;
};

void PrintTo(const Refusal& refusal, std::ostream* stream) { *stream << refusal.name; }

class Settings : public Refused, public testing::WithParamInterface<Refusal> {};

TEST_P(Settings, HaveTheirCodeAndMessage) {
  EXPECT_TRUE(fails_saying(run_with(GetParam().settings), GetParam().code, GetParam().parts));
}

INSTANTIATE_TEST_SUITE_P(
    Data, Settings,
    testing::Values(
        Refusal{"Scalar",
                data,
                {"inputs.x=odd.h5:/scalar"},
                {"input x: ", "odd.h5:/scalar of shape () is a scalar", "remedy: "}},
        Refusal{"Null", data, {"inputs.x=odd.h5:/null"}, {"odd.h5:/null is empty"}},
        Refusal{"NoHdf5", data, {"inputs.x=text.h5:/x"}, {"text.h5 is not an HDF5 file"}},
        Refusal{"Text", data, {"inputs.x=odd.h5:/text"}, {"odd.h5:/text holds strings"}},
        Refusal{"Huge", data, {"inputs.x=odd.h5:/huge"}, {"odd.h5:/huge", "too large"}},
        Refusal{"Shape",
                data,
                {"kernel=lorenz", "inputs={initial: odd.h5:/four}"},
                {"input initial (", "odd.h5:/four of shape (2, 4))", "size 4", "needs 3"}},
        Refusal{"Value",
                data,
                {"inputs.x={file: odd.h5, dataset: /big, dtype: i4}"},
                {"odd.h5:/big", "i4 cannot hold", "1e+300 in row 1", "remedy: "}},
        Refusal{"Result",
                data,
                {"inputs.x=odd.h5:/four", "outputs.datasets.y.dtype=bool"},
                {"/y: 4 cannot be stored as bool"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Input, Settings,
    testing::Values(Refusal{"NoFile", no_input, {"inputs.x=on.h5:/x"}, {"on.h5"}},
                    Refusal{"NoDataset",
                            no_input,
                            {"inputs.x=in.h5:/bach"},
                            {"in.h5 has no dataset /bach", "/batch"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Config, Settings,
    testing::Values(
        Refusal{"Kernel", config, {"kernel=squar"}, {"--set kernel=squar: kernel: ", "square?"}},
        Refusal{"Key", config, {"inputs.x.slize=1:2"}, {"inputs.x.slize: unknown key", "slice?"}},
        Refusal{
            "Several",
            config,
            {"params.a=1", "inputs.z=in.h5:/x"},
            {"params.a: kernel square has no parameters", "inputs.z: kernel square has no input"}},
        Refusal{"Memory", config, {"run.memory=7"}, {"run.memory: 7 bytes are too few", "8 bytes"}},
        Refusal{"Type", config, {"inputs.x.dtype=bool"}, {"inputs.x.dtype", "does not take bool"}},
        Refusal{
            "Provenance", config, {"outputs.datasets.y=/kmap/y"}, {"/kmap/y collides with /kmap"}},
        Refusal{"OutputIsInput", config, {"outputs=in.h5"}, {"in.h5 is the file of input x"}},
        Refusal{"OutputIsConfig", config, {"outputs=./job.yaml"}, {"job.yaml is this run config"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Output, Settings,
    testing::Values(
        Refusal{"NoFolder", create, {"outputs=nowhere/out.h5"}, {"nowhere", "mkdir -p"}},
        Refusal{"InAFile", create, {"outputs=text.h5/out.h5"}, {"text.h5"}},
        Refusal{"Folder", create, {"outputs=."}, {"is a folder"}},
        Refusal{"NoRoom", create, {"inputs.x=odd.h5:/large"}, {"out.h5 needs", "free"}}),
    [](const auto& tested) { return std::string(tested.param.name); });

TEST_F(Refused, MissingConfig) {
  EXPECT_TRUE(fails_saying(kmap({"run", "jobs.yaml"}), no_input, {"jobs.yaml", "job.yaml?"}));
  EXPECT_TRUE(fails_saying(kmap({"run", "."}), no_input, {"a folder"}));
}

TEST_F(Refused, EachKindOnceOnSeveralRanks) {
  EXPECT_TRUE(fails_saying(kmap(2, {"run", "jobs.yaml"}), no_input, {"jobs.yaml"}));
  EXPECT_TRUE(
      fails_saying(kmap(3, {"run", "job.yaml", "--set", "kernel=squar"}), config, {"square?"}));
  EXPECT_TRUE(fails_saying(kmap(4, {"run", "job.yaml", "--set", "inputs.x=odd.h5:/scalar"}), data,
                           {"odd.h5:/scalar"}));
  EXPECT_TRUE(fails_saying(kmap(2, {"run", "job.yaml", "--set", "outputs=nowhere/out.h5"}), create,
                           {"nowhere"}));
}

TEST_F(Refused, OutputThatLeadsToAnInput) {
  const std::string before = content_of(path("in.h5"));
  fs::create_symlink("in.h5", path("link.h5"));
  fs::create_hard_link(path("in.h5"), path("other.h5"));
  fs::create_directory_symlink(".", path("here"));
  expect_as_before();
  for (const char* output : {"link.h5", "other.h5", "here/in.h5", "./nothing/../in.h5"}) {
    EXPECT_TRUE(fails_saying(
        kmap({"run", "job.yaml", "--overwrite", "--set", std::string("outputs=") + output}), config,
        {"is the file of input x", "remedy: write to another file"}));
  }
  EXPECT_EQ(content_of(path("in.h5")), before);
}

// The unfinished output has this name, and what stands there is removed before the run.
TEST_F(Refused, InputUnderTheNameOfTheUnfinishedOutput) {
  fs::rename(path("in.h5"), path("out.h5.part"));
  expect_as_before();
  EXPECT_TRUE(fails_saying(run_with({"inputs.x=out.h5.part:/x"}), config,
                           {"out.h5.part is the file of input x"}));
}

TEST_F(Refused, UnwritableFolder) {
  if (::geteuid() == 0) GTEST_SKIP() << "root may write everywhere";
  fs::create_directory(path("closed"));
  fs::permissions(path("closed"), fs::perms::owner_read | fs::perms::owner_exec);
  expect_as_before();
  EXPECT_TRUE(fails_saying(run_with({"outputs=closed/out.h5"}), create, {"closed", "denied"}));
}

}  // namespace
}  // namespace kmap::test
