// Inputs that cannot be read: the right exit code and words, on all ranks.

#include "io/input.hpp"
#include "mpi/io/fixture.hpp"

#include <gtest/gtest.h>

#include <cstring>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using io::InputDataset;

class InputErrors : public SharedFiles {
 protected:
  // That opening fails so, on every rank alike.
  testing::AssertionResult refuses(ExitCode code, const std::vector<std::string>& parts,
                                   const std::string& file, const std::string& dataset) {
    return fails_with(code, parts, [&] {
      try {
        InputDataset(comm(), path(file), dataset);
      } catch (const Error& error) {
        EXPECT_TRUE(error.agreed());
        throw;
      }
    });
  }
};

TEST_F(InputErrors, MissingFile) {
  on_rank_0([&] { Hdf5Writer(path("data.h5")).doubles("x", {1}, {1}); });
  EXPECT_TRUE(refuses(ExitCode::no_input, {"date.h5 does not exist", "data.h5?"}, "date.h5", "x"));
}

TEST_F(InputErrors, NotHdf5) {
  on_rank_0(
      [&] { write_bytes(path("pointer.h5"), "version https://git-lfs.github.com/spec/v1\n"); });
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"pointer.h5", "git-lfs"}, "pointer.h5", "x"));
}

TEST_F(InputErrors, MissingDatasetNamesTheNearest) {
  on_rank_0([&] {
    Hdf5Writer writer(path("names.h5"));
    writer.doubles("/strain/Strain", {1}, {1});
    writer.doubles("/quality/mask", {1}, {1});
  });
  const auto missing = ExitCode::no_input;
  EXPECT_TRUE(refuses(missing,
                      {"names.h5 has no dataset /strain/Strian", "did you mean /strain/Strain?"},
                      "names.h5", "/strain/Strian"));
  EXPECT_TRUE(refuses(missing, {"did you mean /strain/Strain?"}, "names.h5", "Strain"));
  EXPECT_TRUE(refuses(missing, {"did you mean /quality/mask?"}, "names.h5", "/qualty/mask"));
  EXPECT_TRUE(refuses(missing, {"has no dataset /strain/Strain/deeper"}, "names.h5",
                      "/strain/Strain/deeper"));
  EXPECT_TRUE(refuses(missing,
                      {"has no dataset /zzz", "the file holds /quality/mask, /strain/Strain"},
                      "names.h5", "zzz"));
}

TEST_F(InputErrors, FileWithoutDatasets) {
  on_rank_0([&] { Hdf5Writer(path("bare.h5")); });
  EXPECT_TRUE(refuses(ExitCode::no_input, {"holds no datasets"}, "bare.h5", "x"));
}

TEST_F(InputErrors, GroupOrTypeInsteadOfDataset) {
  on_rank_0([&] {
    Hdf5Writer writer(path("group.h5"));
    writer.doubles("/strain/Strain", {1}, {1});
    const io::TypeHandle type(must(H5Tcopy(H5T_NATIVE_INT)));
    must(H5Tcommit2(writer.id(), "type", type.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  EXPECT_TRUE(refuses(ExitCode::no_input, {"/strain is a group", "it holds /strain/Strain"},
                      "group.h5", "strain"));
  EXPECT_TRUE(refuses(ExitCode::no_input, {"is a group"}, "group.h5", "/"));
  EXPECT_TRUE(refuses(ExitCode::no_input, {"named type"}, "group.h5", "type"));
}

TEST_F(InputErrors, NullDataspace) {
  on_rank_0([&] {
    Hdf5Writer writer(path("null.h5"));
    const io::SpaceHandle space(must(H5Screate(H5S_NULL)));
    const io::DatasetHandle dataset(must(H5Dcreate2(writer.id(), "x", H5T_NATIVE_INT, space.get(),
                                                    H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT)));
  });
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"null.h5:/x", "null dataspace"}, "null.h5", "x"));
}

TEST_F(InputErrors, DanglingLinks) {
  on_rank_0([&] {
    Hdf5Writer writer(path("links.h5"));
    must(H5Lcreate_soft("/gone", writer.id(), "soft", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_external("gone.h5", "/data", writer.id(), "other", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_soft("/loop", writer.id(), "loop", H5P_DEFAULT, H5P_DEFAULT));
  });
  const auto missing = ExitCode::no_input;
  EXPECT_TRUE(refuses(missing, {"/soft is a soft link to /gone, which does not exist"}, "links.h5",
                      "soft"));
  EXPECT_TRUE(refuses(missing, {"/soft is a soft link to /gone"}, "links.h5", "soft/deeper"));
  EXPECT_TRUE(refuses(missing, {"/other is an external link to gone.h5:/data", "HDF5_EXT_PREFIX"},
                      "links.h5", "other/x"));
  EXPECT_TRUE(refuses(missing, {"/loop is a soft link to /loop"}, "links.h5", "loop"));
}

io::TypeHandle copied(hid_t type) { return io::TypeHandle(must(H5Tcopy(type))); }

io::TypeHandle text(std::size_t size) {
  io::TypeHandle type = copied(H5T_C_S1);
  must(H5Tset_size(type.get(), size));
  return type;
}

io::TypeHandle record() {
  io::TypeHandle type(must(H5Tcreate(H5T_COMPOUND, 16)));
  must(H5Tinsert(type.get(), "time", 0, H5T_NATIVE_DOUBLE));
  must(H5Tinsert(type.get(), "count", 8, H5T_NATIVE_INT64));
  return type;
}

TEST_F(InputErrors, TypesThatAreNoNumbersAreNamed) {
  const hsize_t three = 3;
  std::vector<std::pair<std::string, io::TypeHandle>> types;
  types.emplace_back("strings of variable length", text(H5T_VARIABLE));
  types.emplace_back("strings of 12 bytes", text(12));
  types.emplace_back("records (a compound type with the members time, count)", record());
  types.emplace_back("sequences of variable length", H5Tvlen_create(H5T_NATIVE_INT));
  types.emplace_back("references to other objects", copied(H5T_STD_REF_OBJ));
  types.emplace_back("fixed-size arrays", H5Tarray_create2(H5T_NATIVE_INT, 1, &three));
  types.emplace_back("opaque bytes", H5Tcreate(H5T_OPAQUE, 7));
  types.emplace_back("bit fields", copied(H5T_STD_B8LE));
  types.emplace_back("floating-point numbers wider than f8", copied(H5T_NATIVE_LDOUBLE));
  for (const auto& [text, type] : types) {
    on_rank_0([&, &t = type] {
      Hdf5Writer(path("types.h5")).dataset("x", t.get(), {2}, t.get(), nullptr);
    });
    EXPECT_TRUE(refuses(ExitCode::bad_data, {"types.h5:/x holds " + text}, "types.h5", "x"));
  }
}

// A filter of our own, which only the writer knows.
std::size_t pass_through(unsigned, std::size_t, const unsigned*, std::size_t bytes, std::size_t*,
                         void**) {
  return bytes;
}

TEST_F(InputErrors, MissingFilterIsNamedWithThePluginFolders) {
  constexpr H5Z_filter_t zstd = 32015;
  on_rank_0([&] {
    const H5Z_class2_t filter = {H5Z_CLASS_T_VERS, zstd,    1,           1, "own",
                                 nullptr,          nullptr, pass_through};
    must(H5Zregister(&filter));
    const io::PropertyHandle properties = chunked({2});
    must(H5Pset_filter(properties.get(), zstd, H5Z_FLAG_MANDATORY, 0, nullptr));
    Hdf5Writer(path("zstd.h5")).doubles("x", {4}, {1, 2, 3, 4}, properties.get());
    must(H5Zunregister(zstd));
  });
  const auto error =
      refuses(ExitCode::no_input,
              {"zstd.h5:/x", "filter 32015 (zstd)", "plugin", "HDF5_PLUGIN_PATH"}, "zstd.h5", "x");
  EXPECT_TRUE(error);
  EXPECT_NE(std::string(error.message()).find("searched in /"), std::string::npos);
}

// The chunks of rows 8 and on are damaged: only ranks that read them fail, and then all are told.
TEST_F(InputErrors, DamagedChunkFailsOnAllRanks) {
  std::vector<double> values(16);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  on_rank_0([&] {
    const io::PropertyHandle properties = chunked({4});
    must(H5Pset_fletcher32(properties.get()));
    Hdf5Writer(path("damaged.h5")).doubles("x", {16}, values, properties.get());
    std::string bytes = read_bytes(path("damaged.h5"));
    const double wanted = 14;
    std::string pattern(sizeof wanted, '\0');
    std::memcpy(pattern.data(), &wanted, sizeof wanted);
    const std::size_t at = bytes.find(pattern);
    ASSERT_NE(at, std::string::npos);
    bytes[at] = 1;
    write_bytes(path("damaged.h5"), bytes);
  });
  const InputDataset input(comm(), path("damaged.h5"), "x");
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"damaged.h5:/x", "cannot read it"},
                         [&] { read_own<double>(input); }));
  std::vector<double> first(4);
  agreed(comm(), [&] { input.read_rows({0, 4}, DType::f8, first.data()); });
  EXPECT_EQ(first, (std::vector<double>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace kmap::test
