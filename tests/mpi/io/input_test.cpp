// Reading what is there: every type, byte order and layout, at any number of ranks and rows.

#include "io/input.hpp"

#include "io/stored_type.hpp"
#include "mpi/io/fixture.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <cstring>
#include <limits>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using io::InputDataset;

class Input : public SharedFiles {};

// Values with the extremes of the type among them.
template <class T>
std::vector<T> sample(std::int64_t count) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    values.push_back(static_cast<T>(i * 37 % 101));
    if (i % 11 == 3) values.back() = std::numeric_limits<T>::lowest();
    if (i % 11 == 7) values.back() = std::numeric_limits<T>::max();
  }
  return values;
}

template <class T>
class EveryNumber : public SharedFiles {};

using Numbers = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, std::uint8_t,
                               std::uint16_t, std::uint32_t, std::uint64_t, float, double>;
TYPED_TEST_SUITE(EveryNumber, Numbers);

template <class T>
io::TypeHandle in_order(H5T_order_t order) {
  io::TypeHandle type = io::native_type(dtype_of<T>);
  must(H5Tset_order(type.get(), order));
  return type;
}

TYPED_TEST(EveryNumber, BothByteOrdersAtAnyNumberOfRows) {
  using T = TypeParam;
  for (const std::int64_t rows : {0, 1, 2, 7, 40}) {
    const std::vector<T> values = sample<T>(rows * 3);
    const fs::path file = this->path(std::to_string(rows) + ".h5");
    this->on_rank_0([&] {
      Hdf5Writer writer(file);
      const io::TypeHandle memory = io::native_type(dtype_of<T>);
      for (const H5T_order_t order : {H5T_ORDER_LE, H5T_ORDER_BE}) {
        writer.dataset(order == H5T_ORDER_BE ? "big" : "little", in_order<T>(order).get(),
                       {rows, 3}, memory.get(), values.data());
      }
    });
    for (const std::string name : {"little", "big"}) {
      const InputDataset input(comm(), file, name);
      EXPECT_EQ(input.info().dtype, dtype_of<T>);
      EXPECT_EQ(input.info().shape, (Shape{rows, 3}));
      const std::string prefix = name == "big" && sizeof(T) > 1 ? "big-endian " : "";
      EXPECT_EQ(input.info().stored_type, prefix + std::string(kmap::name(dtype_of<T>)));
      EXPECT_EQ(read_own<T>(input), own_part(input, values));
      EXPECT_EQ(read_own<T>(input, 1), own_part(input, values));
    }
  }
}

TEST_F(Input, SaysWhatIsKnownOfADataset) {
  on_rank_0([&] {
    const io::PropertyHandle properties = chunked({4, 2});
    must(H5Pset_shuffle(properties.get()));
    must(H5Pset_deflate(properties.get(), 3));
    must(H5Pset_fletcher32(properties.get()));
    Hdf5Writer(path("info.h5"))
        .doubles("/deep/x", {10, 3}, std::vector<double>(30, 1.5), properties.get());
  });
  const InputDataset input(comm(), path("info.h5"), "deep//x/");
  const io::DatasetInfo& info = input.info();
  EXPECT_EQ(info.file, path("info.h5").string());
  EXPECT_EQ(info.dataset, "/deep/x");
  EXPECT_EQ(info.chunk, (Shape{4, 2}));
  EXPECT_EQ(info.filters, (std::vector<std::string>{"shuffle", "gzip", "fletcher32"}));
  EXPECT_GT(info.stored_bytes, 0);
  EXPECT_LT(info.stored_bytes, 10 * 3 * 8 * 4);
  EXPECT_EQ(info.cache_bytes, 2 * 4 * 2 * 8);  // the two chunks beside each other
}

TEST_F(Input, EightDimensions) {
  const Shape shape = {3, 1, 2, 1, 2, 2, 1, 2};
  std::vector<double> values(48);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  on_rank_0([&] { Hdf5Writer(path("deep.h5")).doubles("x", shape, values); });
  const InputDataset input(comm(), path("deep.h5"), "/x");
  EXPECT_EQ(input.info().shape, shape);
  EXPECT_EQ(read_own<double>(input), own_part(input, values));
}

TEST_F(Input, FilteredChunksInSmallBlocks) {
  std::vector<double> values(1000 * 7);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i % 97) / 8;
  on_rank_0([&] {
    const io::PropertyHandle properties = chunked({64, 3});
    must(H5Pset_shuffle(properties.get()));
    must(H5Pset_deflate(properties.get(), 1));
    must(H5Pset_fletcher32(properties.get()));
    Hdf5Writer(path("chunks.h5")).doubles("x", {1000, 7}, values, properties.get());
  });
  const InputDataset input(comm(), path("chunks.h5"), "x");
  for (const std::int64_t block : {1, 10, 64, 333, 1000}) {
    EXPECT_EQ(read_own<double>(input, block), own_part(input, values)) << block;
  }
  // Ranks may also call a different number of times, or not at all.
  agreed(comm(), [&] {
    for (int i = 0; i < comm().rank(); ++i) {
      double value = 0;
      input.read_rows({0, 0}, DType::f8, &value);
    }
  });
}

TEST_F(Input, CompactNeverWrittenAndResizable) {
  const std::vector<double> values = {1, 2, 3, 4};
  on_rank_0([&] {
    Hdf5Writer writer(path("layouts.h5"));
    const io::PropertyHandle compact = dataset_properties();
    must(H5Pset_layout(compact.get(), H5D_COMPACT));
    writer.doubles("compact", {4}, values, compact.get());
    const io::PropertyHandle filled = dataset_properties();
    const double fill = 2.5;
    must(H5Pset_fill_value(filled.get(), H5T_NATIVE_DOUBLE, &fill));
    writer.dataset("never", H5T_IEEE_F64LE, {4}, H5T_NATIVE_DOUBLE, nullptr, filled.get());
  });
  const InputDataset compact(comm(), path("layouts.h5"), "compact");
  EXPECT_EQ(read_own<double>(compact), own_part(compact, values));
  const InputDataset never(comm(), path("layouts.h5"), "never");
  EXPECT_EQ(read_own<double>(never), own_part(never, std::vector<double>(4, 2.5)));
}

TEST_F(Input, WholeDatasetOnEveryRank) {
  on_rank_0([&] {
    Hdf5Writer writer(path("whole.h5"));
    writer.doubles("vector", {3}, {1, 2, 3});
    writer.doubles("scalar", {}, {7});
  });
  const InputDataset vector(comm(), path("whole.h5"), "vector");
  std::vector<std::int32_t> values(3);
  agreed(comm(), [&] { vector.read_all(DType::i4, values.data()); });
  EXPECT_EQ(values, (std::vector<std::int32_t>{1, 2, 3}));
  const InputDataset scalar(comm(), path("whole.h5"), "scalar");
  EXPECT_EQ(scalar.info().shape, Shape{});
  double value = 0;
  agreed(comm(), [&] { scalar.read_all(DType::f8, &value); });
  EXPECT_EQ(value, 7);
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"scalar", "no axis 0"},
                         [&] { scalar.read_rows({0, 1}, DType::f8, &value); }));
}

TEST_F(Input, RowsOutsideAreRefused) {
  on_rank_0([&] { Hdf5Writer(path("rows.h5")).doubles("x", {3, 2}, std::vector<double>(6)); });
  const InputDataset input(comm(), path("rows.h5"), "x");
  std::vector<double> values(100);
  for (const Range rows : {Range{0, 4}, Range{-1, 1}, Range{2, 1}}) {
    EXPECT_TRUE(fails_with(ExitCode::bad_data, {"/x", "(3, 2)"},
                           [&] { input.read_rows(rows, DType::f8, values.data()); }));
  }
}

TEST_F(Input, LinksLeadToTheirTargets) {
  on_rank_0([&] {
    Hdf5Writer(path("target.h5")).doubles("/data/x", {2}, {1, 2});
    Hdf5Writer writer(path("links.h5"));
    must(H5Lcreate_external("target.h5", "/data", writer.id(), "other", H5P_DEFAULT, H5P_DEFAULT));
    must(H5Lcreate_soft("/other/x", writer.id(), "soft", H5P_DEFAULT, H5P_DEFAULT));
  });
  for (const std::string name : {"/other/x", "/soft"}) {
    const InputDataset input(comm(), path("links.h5"), name);
    EXPECT_EQ(read_own<double>(input), own_part(input, std::vector<double>{1, 2})) << name;
  }
}

// A dataset of `files` sources of two rows each, in files beside it.
void write_virtual(const fs::path& file, int files) {
  const hsize_t rows = static_cast<hsize_t>(2 * files);
  const hsize_t part = 2;
  const io::SpaceHandle whole(must(H5Screate_simple(1, &rows, nullptr)));
  const io::SpaceHandle source(must(H5Screate_simple(1, &part, nullptr)));
  const io::PropertyHandle properties = dataset_properties();
  for (int i = 0; i < files; ++i) {
    const hsize_t begin = static_cast<hsize_t>(2 * i);
    must(H5Sselect_hyperslab(whole.get(), H5S_SELECT_SET, &begin, nullptr, &part, nullptr));
    must(H5Pset_virtual(properties.get(), whole.get(), ("part" + std::to_string(i) + ".h5").c_str(),
                        "/x", source.get()));
  }
  must(H5Sselect_all(whole.get()));
  Hdf5Writer(file).dataset("x", H5T_IEEE_F64LE, {2 * files}, H5T_NATIVE_DOUBLE, nullptr,
                           properties.get());
}

TEST_F(Input, VirtualDatasetIsReadFromItsSources) {
  on_rank_0([&] {
    for (int i = 0; i < 3; ++i) {
      Hdf5Writer(path("part" + std::to_string(i) + ".h5"))
          .doubles("x", {2}, {2.0 * i, 2.0 * i + 1});
    }
    write_virtual(path("virtual.h5"), 3);
  });
  const InputDataset input(comm(), path("virtual.h5"), "x");
  EXPECT_EQ(read_own<double>(input), own_part(input, std::vector<double>{0, 1, 2, 3, 4, 5}));
}

TEST_F(Input, VirtualDatasetWithoutASourceIsAnError) {
  on_rank_0([&] {
    Hdf5Writer(path("part0.h5")).doubles("x", {2}, {0, 1});
    write_virtual(path("virtual.h5"), 2);
  });
  EXPECT_TRUE(fails_with(ExitCode::no_input,
                         {"virtual.h5:/x is a virtual dataset", "part1.h5", "HDF5_VDS_PREFIX"},
                         [&] { InputDataset(comm(), path("virtual.h5"), "x"); }));
  on_rank_0([&] { Hdf5Writer(path("part1.h5")).doubles("y", {2}, {0, 1}); });
  EXPECT_TRUE(fails_with(ExitCode::no_input, {"part1.h5 has no dataset /x"},
                         [&] { InputDataset(comm(), path("virtual.h5"), "x"); }));
}

TEST_F(Input, ExternalStorage) {
  const std::vector<double> values = {1, 2, 3};
  on_rank_0([&] {
    std::string bytes(24, '\0');
    std::memcpy(bytes.data(), values.data(), bytes.size());
    write_bytes(path("raw.bin"), bytes);
    const io::PropertyHandle properties = dataset_properties();
    must(H5Pset_external(properties.get(), path("raw.bin").c_str(), 0, 24));
    Hdf5Writer(path("external.h5"))
        .dataset("x", H5T_NATIVE_DOUBLE, {3}, H5T_NATIVE_DOUBLE, nullptr, properties.get());
  });
  const InputDataset input(comm(), path("external.h5"), "x");
  EXPECT_EQ(read_own<double>(input), own_part(input, values));
  comm().barrier();
  on_rank_0([&] { fs::remove(path("raw.bin")); });
  std::vector<double> read(3);
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"external.h5:/x", "cannot read it"},
                         [&] { agreed(comm(), [&] { input.read_all(DType::f8, read.data()); }); }));
}

TEST_F(Input, SameFileLooksThroughLinks) {
  on_rank_0([&] {
    Hdf5Writer(path("a.h5")).doubles("x", {1}, {1});
    Hdf5Writer(path("b.h5")).doubles("x", {1}, {1});
    fs::create_symlink("a.h5", path("link.h5"));
    fs::create_hard_link(path("a.h5"), path("hard.h5"));
  });
  EXPECT_TRUE(io::same_file(path("a.h5"), path("./a.h5")));
  EXPECT_TRUE(io::same_file(path("a.h5"), path("link.h5")));
  EXPECT_TRUE(io::same_file(path("a.h5"), path("hard.h5")));
  EXPECT_FALSE(io::same_file(path("a.h5"), path("b.h5")));
  EXPECT_FALSE(io::same_file(path("a.h5"), path("not_there.h5")));
  EXPECT_TRUE(io::same_file(path("not_there.h5"), path("x/../not_there.h5")));
}

}  // namespace
}  // namespace kmap::test
