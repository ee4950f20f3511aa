// Files of other programs (../shared/data): read with the values that h5py shows, or refused for
// what they are. Skipped where the files are not there.

#include "io/input.hpp"
#include "mpi/io/fixture.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace kmap::test {
namespace {

using io::InputDataset;

class RealFiles : public testing::Test {
 protected:
  void SetUp() override {
    io::keep_hdf5_quiet();
    if (shared_data().empty()) GTEST_SKIP() << "the shared data files are not here";
  }

  static InputDataset open(const std::string& file, const std::string& dataset) {
    return InputDataset(comm(), shared_data() / file, dataset);
  }

  // The whole dataset as T, gathered from the blocks that the ranks read.
  template <class T>
  static std::vector<T> whole(const InputDataset& input, std::int64_t block = 1000) {
    const std::vector<T> own = read_own<T>(input, block);
    std::vector<T> all;
    for (int rank = 0; rank < comm().size(); ++rank) {
      const Range rows = shard_of(input.info().shape[0], comm().size(), rank);
      std::vector<T> part(static_cast<std::size_t>(rows.size() * row_elements(input.info().shape)));
      if (rank == comm().rank()) part = own;
      comm().broadcast(part.data(), part.size() * sizeof(T), rank);
      all.insert(all.end(), part.begin(), part.end());
    }
    return all;
  }

  template <class T>
  static std::int64_t sum(const std::vector<T>& values) {
    return std::accumulate(values.begin(), values.end(), std::int64_t{0});
  }

  // 0, 1, 2, … as most of jHDF's files have.
  template <class T>
  static void expect_counting(const InputDataset& input) {
    const std::vector<T> values = whole<T>(input, 2);
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<T>(i));
  }

  static testing::AssertionResult refuses(ExitCode code, const std::vector<std::string>& parts,
                                          const std::string& file, const std::string& dataset) {
    return fails_with(code, parts, [&] { open(file, dataset); });
  }
};

TEST_F(RealFiles, GravitationalWaveStrain) {
  const InputDataset input = open("gw150914_H1_4khz_32s.hdf5", "/strain/Strain");
  EXPECT_EQ(input.info().filters, (std::vector<std::string>{"fletcher32", "gzip"}));
  EXPECT_EQ(input.info().chunk, Shape{2048});
  const std::vector<double> strain = whole<double>(input, 3000);
  ASSERT_EQ(strain.size(), 131072u);
  EXPECT_EQ(strain[0], 2.177040281449375e-19);
  EXPECT_EQ(strain[65536], 5.162511572425855e-20);
  EXPECT_EQ(strain[131071], 7.5812119511653e-20);
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"strings of variable length"},
                      "gw150914_H1_4khz_32s.hdf5", "meta/Detector"));
  EXPECT_TRUE(refuses(ExitCode::no_input, {"did you mean /strain/Strain"},
                      "gw150914_H1_4khz_32s.hdf5", "strain/strain"));
}

TEST_F(RealFiles, NetCdf4) {
  const InputDataset basin = open("basin_mask.nc", "basin");
  EXPECT_EQ(basin.info().shape, (Shape{33, 180, 360}));
  EXPECT_EQ(basin.info().stored_type, "i1");
  EXPECT_EQ(sum(whole<std::int8_t>(basin, 4)), -91132117);
  const InputDataset height = open("goes_cloud_top_height.nc", "HT");
  EXPECT_EQ(height.info().shape, (Shape{300, 500}));
  EXPECT_EQ(sum(whole<std::int16_t>(height, 7)), -539059300);
  const InputDataset moisture = open("soil_moisture.nc", "soil_moisture");
  EXPECT_EQ(sum(whole<std::int16_t>(moisture, 100)), 254144335);
}

TEST_F(RealFiles, ClassicNetCdfIsRefusedByName) {
  EXPECT_TRUE(
      refuses(ExitCode::bad_data, {"classic_netcdf3.nc", "netCDF-3"}, "classic_netcdf3.nc", "x"));
}

struct ComplexCase {
  const char* name;
  const char* stored;
  double real, imag;  // of the last
};

TEST_F(RealFiles, ComplexOfBothWidthsAndOrders) {
  for (const ComplexCase& c :
       {ComplexCase{"<c16", "c16", 0.8635684577985904, 0.28854963758385943},
        ComplexCase{">c16", "big-endian c16", 0.36392990656205393, 0.5688121654269268},
        ComplexCase{"<c8", "c8", 0.22809601F, 0.32082257F},
        ComplexCase{">c8", "big-endian c8", 0.6519431F, 0.20948343F}}) {
    const InputDataset input = open("complex_le_be.h5", c.name);
    EXPECT_EQ(input.info().stored_type, c.stored);
    const auto values = whole<Kokkos::complex<double>>(input, 7);
    ASSERT_EQ(values.size(), 100u);
    EXPECT_EQ(values[99].real(), c.real) << c.name;
    EXPECT_EQ(values[99].imag(), c.imag) << c.name;
  }
}

TEST_F(RealFiles, ChunksOfManyShapes) {
  for (const std::string name :
       {"int/int8", "int/int16", "int/int32", "float/float32", "float/float64"}) {
    expect_counting<double>(open("jhdf_test_compressed_chunked_datasets_earliest.hdf5", name));
    expect_counting<double>(open("jhdf_fletcher32_datasets_latest.hdf5", name));
    expect_counting<double>(open("jhdf_test_chunked_datasets_latest.hdf5", name));
    expect_counting<double>(open("jhdf_test_fill_value_latest.hdf5", name));
  }
  const InputDataset half = open("jhdf_test_chunked_datasets_latest.hdf5", "float/float16");
  EXPECT_EQ(half.info().dtype, DType::f4);
  expect_counting<float>(half);
  expect_counting<std::int32_t>(open("jhdf_implicit_index_datasets.hdf5", "implicit_index_exact"));
  expect_counting<std::int32_t>(
      open("jhdf_implicit_index_datasets.hdf5", "implicit_index_mismatch"));
  expect_counting<std::int16_t>(open("jhdf_test_odd_datasets_latest.hdf5", "8D_int16"));
  const InputDataset never = open("jhdf_test_odd_datasets_latest.hdf5", "chunked_no_storage");
  EXPECT_EQ(sum(whole<std::int16_t>(never)), 0);
}

TEST_F(RealFiles, SpecialFloats) {
  for (const std::string name : {"float16", "float32", "float64"}) {
    const InputDataset input = open("jhdf_float_special_values_latest.hdf5", name);
    const std::vector<double> values = whole<double>(input);
    EXPECT_EQ(values[0], INFINITY);
    EXPECT_EQ(values[1], -INFINITY);
    EXPECT_TRUE(std::isnan(values[2]));
    EXPECT_EQ(values[3], 0);
    EXPECT_TRUE(std::signbit(values[4]));
    EXPECT_TRUE(std::isinf(whole<float>(input)[0]));
    EXPECT_TRUE(fails_with(ExitCode::bad_data, {"i4 cannot hold", "inf in row 0"},
                           [&] { read_own<std::int32_t>(input); }));
  }
}

TEST_F(RealFiles, Enumerations) {
  const InputDataset input = open("jhdf_test_enum_datasets_latest.hdf5", "2d_enum_uint16_data");
  EXPECT_EQ(input.info().stored_type, "enumeration of u2");
  expect_counting<std::uint16_t>(input);
}

TEST_F(RealFiles, ScalarsAndNullSpaces) {
  const std::string file = "jhdf_test_scalar_empty_datasets_latest.hdf5";
  std::uint64_t value = 0;
  const InputDataset input = open(file, "scalar_uint_64");
  agreed(comm(), [&] { input.read_all(DType::u8, &value); });
  EXPECT_EQ(value, 123u);
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"null dataspace"}, file, "empty_float_64"));
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"strings"}, file, "scalar_string"));
}

TEST_F(RealFiles, FiltersThatAreMissing) {
  EXPECT_TRUE(refuses(ExitCode::no_input, {"filter 32008 (bitshuffle)", "HDF5_PLUGIN_PATH"},
                      "jhdf_bitshuffle_datasets.hdf5", "int8_bs8_comp2"));
  EXPECT_TRUE(refuses(ExitCode::no_input, {"filter 32000 (lzf)"},
                      "jhdf_test_compressed_chunked_datasets_earliest.hdf5", "float/float32lzf"));
  if (H5Zfilter_avail(H5Z_FILTER_SZIP) > 0) {
    expect_counting<float>(open("jhdf_missing_filter.hdf5", "float32"));
  } else {
    EXPECT_TRUE(
        refuses(ExitCode::no_input, {"filter 4 (szip)"}, "jhdf_missing_filter.hdf5", "float32"));
  }
}

TEST_F(RealFiles, LinksStringsRecordsAndFilesLeftOpen) {
  EXPECT_TRUE(refuses(ExitCode::no_input, {"root_dot is an external link to test_file.hdf5:."},
                      "jhdf_external_link.hdf5", "root_dot/x"));
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"strings of 20 bytes"},
                      "jhdf_test_string_datasets_latest.hdf5", "fixed_length_ascii"));
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"records", "firstName, surname"},
                      "jhdf_compound_datasets_latest.hdf5", "chunked_compound"));
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"records", "myIdentifier"},
                      "jhdf_test_multidimensional_array.hdf5", "GROUP1/GROUP2/DATASET1"));
  EXPECT_TRUE(refuses(ExitCode::bad_data, {"open for writing", "h5clear"},
                      "jhdf_test_byteshuffle_compressed_datasets_latest.hdf5", "int/int8"));
  EXPECT_TRUE(refuses(ExitCode::no_input, {"holds no datasets"},
                      "jhdf_test_compound_scalar_attribute.hdf5", "x"));
}

TEST_F(RealFiles, OpenPmdField) {
  const InputDataset input = open("openpmd_femm_3d.h5", "/data/1/meshes/B/x");
  EXPECT_EQ(input.info().shape, (Shape{47, 47, 47}));
  const std::vector<double> values = whole<double>(input, 5);
  EXPECT_EQ(values[0], 0.001732446954890345);
  EXPECT_EQ(values[1], 0.002142965675434411);
  EXPECT_EQ(values.back(), 0.001694439843867044);
}

}  // namespace
}  // namespace kmap::test
