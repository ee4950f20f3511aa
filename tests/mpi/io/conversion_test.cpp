// Types that are stored in a way of their own, and conversions on reading: nothing is ever clipped.

#include "io/input.hpp"
#include "io/stored_type.hpp"
#include "mpi/io/fixture.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>

namespace kmap::test {
namespace {

using io::InputDataset;
using Complex8 = Kokkos::complex<float>;
using Complex16 = Kokkos::complex<double>;

constexpr double infinity = std::numeric_limits<double>::infinity();
const double not_a_number = std::nan("");

class Conversion : public SharedFiles {
 protected:
  template <class T>
  InputDataset dataset(hid_t stored, const std::vector<T>& values) {
    const auto file = path(std::to_string(++files_) + "x.h5");  // others may still be open
    on_rank_0([&] {
      const io::TypeHandle memory = io::native_type(dtype_of<T>);
      Hdf5Writer(file).dataset("x", stored, {static_cast<std::int64_t>(values.size())},
                               memory.get(), values.data());
    });
    return InputDataset(comm(), file, "x");
  }

  // That reading as T gives `expected`.
  template <class T, class U>
  void expect_read(const InputDataset& input, const std::vector<U>& expected) {
    Elements<T> values(expected.size());
    agreed(comm(), [&] { input.read_all(dtype_of<T>, values.data()); });
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const T value(values[i]);
      if (expected[i] != expected[i]) {
        EXPECT_TRUE(value != value) << i;
      } else {
        EXPECT_EQ(value, T(expected[i])) << i;
      }
    }
  }

  // That reading as T is refused on every rank although only the last rank meets the wrong value.
  template <class T>
  testing::AssertionResult refuses(const InputDataset& input, const std::string& value) {
    return fails_with(ExitCode::bad_data,
                      {"x.h5:/x", input.info().stored_type, std::string(name(dtype_of<T>)), value},
                      [&] { read_own<T>(input); });
  }

 private:
  int files_ = 0;
};

TEST_F(Conversion, RealNumbersToEachOther) {
  const auto ints = dataset<std::int32_t>(H5T_STD_I32LE, {-3, 0, 100, 127});
  expect_read<std::int8_t>(ints, std::vector<double>{-3, 0, 100, 127});
  expect_read<std::int64_t>(ints, std::vector<double>{-3, 0, 100, 127});
  expect_read<float>(ints, std::vector<double>{-3, 0, 100, 127});
  expect_read<double>(ints, std::vector<double>{-3, 0, 100, 127});
  const auto big = dataset<double>(H5T_IEEE_F64BE, {-3, 0, 127, 4294967295.0});
  expect_read<std::int64_t>(big, std::vector<double>{-3, 0, 127, 4294967295.0});
  expect_read<float>(big, std::vector<double>{-3, 0, 127, 4294967296.0});
}

TEST_F(Conversion, RoundingAloneIsNoError) {
  const std::int64_t odd = (std::int64_t{1} << 53) + 1;
  expect_read<double>(dataset<std::int64_t>(H5T_STD_I64LE, {odd}),
                      std::vector<double>{9007199254740992.0});
  expect_read<float>(dataset<std::uint64_t>(H5T_STD_U64BE, {~std::uint64_t{0}}),
                     std::vector<double>{18446744073709551616.0});
  expect_read<float>(dataset<double>(H5T_IEEE_F64LE, {0.1, 1e-300}),
                     std::vector<float>{0.1F, 0.0F});
}

TEST_F(Conversion, InfinityAndNanStayThemselvesInFloats) {
  const std::vector<double> values = {infinity, -infinity, not_a_number, 1};
  expect_read<float>(dataset<double>(H5T_IEEE_F64LE, values), values);
  expect_read<float>(dataset<double>(H5T_IEEE_F64BE, values), values);
  expect_read<double>(dataset<double>(H5T_IEEE_F32BE, values), values);
}

TEST_F(Conversion, ValuesOutOfRangeAreRefused) {
  EXPECT_TRUE(refuses<std::int8_t>(dataset<std::int32_t>(H5T_STD_I32LE, {1, 2, 300}), "300"));
  EXPECT_TRUE(refuses<std::int8_t>(dataset<std::int32_t>(H5T_STD_I32BE, {1, 2, -300}), "-300"));
  EXPECT_TRUE(refuses<std::uint16_t>(dataset<std::int16_t>(H5T_STD_I16LE, {1, 2, -1}), "-1"));
  EXPECT_TRUE(refuses<std::uint64_t>(dataset<std::int64_t>(H5T_STD_I64BE, {1, 2, -1}), "-1"));
  EXPECT_TRUE(refuses<std::int64_t>(dataset<std::uint64_t>(H5T_STD_U64LE, {1, 2, ~0UL}),
                                    "18446744073709551615"));
  EXPECT_TRUE(refuses<std::int32_t>(dataset<double>(H5T_IEEE_F64LE, {1, 2, 3e9}), "3e+09"));
  EXPECT_TRUE(refuses<std::int32_t>(dataset<double>(H5T_IEEE_F64BE, {1, 2, -3e9}), "-3e+09"));
  EXPECT_TRUE(refuses<float>(dataset<double>(H5T_IEEE_F64LE, {1, 2, 1e300}), "1e+300"));
  EXPECT_TRUE(refuses<float>(dataset<double>(H5T_IEEE_F64BE, {1, 2, -1e300}), "-1e+300"));
}

TEST_F(Conversion, IntegersTakeNoFractionsInfinityOrNan) {
  for (const double value : {2.5, infinity, -infinity, not_a_number}) {
    const std::string text = std::isnan(value) ? "nan" : std::isinf(value) ? "inf" : "2.5";
    EXPECT_TRUE(refuses<std::int32_t>(dataset<double>(H5T_IEEE_F64LE, {1, 2, value}), text));
    EXPECT_TRUE(refuses<std::uint8_t>(dataset<double>(H5T_IEEE_F64BE, {1, 2, value}), text));
    EXPECT_TRUE(refuses<std::int64_t>(dataset<double>(H5T_IEEE_F32LE, {1, 2, value}), text));
  }
}

io::TypeHandle half_type() {
  io::TypeHandle half(must(H5Tcopy(H5T_IEEE_F32LE)));
  must(H5Tset_fields(half.get(), 15, 10, 5, 0, 10));
  must(H5Tset_size(half.get(), 2));
  must(H5Tset_ebias(half.get(), 15));
  return half;
}

TEST_F(Conversion, HalfFloats) {
  const std::vector<float> values = {0, -1.5F, 65504, 0.0009765625F};
  const auto input = dataset<float>(half_type().get(), values);
  EXPECT_EQ(input.info().dtype, DType::f4);
  EXPECT_EQ(input.info().stored_type, "f2");
  expect_read<float>(input, values);
  expect_read<double>(input, values);
  EXPECT_TRUE(refuses<std::int8_t>(input, "i1"));
}

TEST_F(Conversion, BoolToEveryType) {
  const std::vector<std::uint8_t> values = {0, 1, 1, 0, 1};
  on_rank_0([&] {
    const io::TypeHandle type = io::native_type(DType::boolean);
    Hdf5Writer(path("x.h5")).dataset("x", type.get(), {5}, type.get(), values.data());
  });
  const InputDataset input(comm(), path("x.h5"), "x");
  EXPECT_EQ(input.info().dtype, DType::boolean);
  EXPECT_EQ(input.info().stored_type, "bool");
  for (const DTypeInfo& info : dtype_infos) {
    visit_dtype(*dtype_from_name(info.name),
                [&]<class T>(std::type_identity<T>) { expect_read<T>(input, values); });
  }
  EXPECT_EQ(read_own<double>(input, 1), own_part(input, std::vector<double>{0, 1, 1, 0, 1}));
}

// Some programs write any byte that is not zero.
TEST_F(Conversion, BoolOfAnyNonZeroByte) {
  const std::vector<std::uint8_t> values = {0, 1, 2, 255};
  on_rank_0([&] {
    const io::TypeHandle type = io::native_type(DType::boolean);
    Hdf5Writer(path("x.h5")).dataset("x", type.get(), {4}, type.get(), values.data());
  });
  const InputDataset input(comm(), path("x.h5"), "x");
  EXPECT_EQ(read_own<bool>(input), own_part(input, std::vector<std::uint8_t>{0, 1, 1, 1}));
  EXPECT_EQ(read_own<double>(input), own_part(input, std::vector<double>{0, 1, 1, 1}));
}

TEST_F(Conversion, EnumerationOfOtherTruthsIsNoBool) {
  on_rank_0([&] {
    const io::TypeHandle type(must(H5Tenum_create(H5T_NATIVE_INT8)));
    const std::int8_t yes = 0, no = 1;
    must(H5Tenum_insert(type.get(), "TRUE", &yes));
    must(H5Tenum_insert(type.get(), "FALSE", &no));
    const std::vector<std::int8_t> values = {0, 1};
    Hdf5Writer(path("x.h5")).dataset("x", type.get(), {2}, type.get(), values.data());
  });
  EXPECT_EQ(InputDataset(comm(), path("x.h5"), "x").info().dtype, DType::i1);
}

TEST_F(Conversion, NumbersToBoolOnlyIfTheyAreZeroOrOne) {
  expect_read<bool>(dataset<double>(H5T_IEEE_F64LE, {0, 1, 1}), std::vector<int>{0, 1, 1});
  expect_read<bool>(dataset<std::uint8_t>(H5T_STD_U8LE, {0, 1}), std::vector<int>{0, 1});
  EXPECT_TRUE(refuses<bool>(dataset<std::uint8_t>(H5T_STD_U8LE, {0, 1, 2}), "2"));
  EXPECT_TRUE(refuses<bool>(dataset<double>(H5T_IEEE_F64LE, {0, 1, 0.5}), "0.5"));
  EXPECT_TRUE(refuses<bool>(dataset<std::int32_t>(H5T_STD_I32LE, {0, 1, -1}), "-1"));
}

TEST_F(Conversion, EnumerationsAreTheirIntegers) {
  const std::vector<std::int16_t> values = {-5, 300, 0};
  on_rank_0([&] {
    const io::TypeHandle type(must(H5Tenum_create(H5T_STD_I16BE)));
    const io::TypeHandle memory(must(H5Tenum_create(H5T_NATIVE_INT16)));
    const std::vector<std::pair<const char*, std::int16_t>> members = {
        {"LOW", -5}, {"HIGH", 300}, {"NONE", 0}};
    for (const auto& [name, value] : members) {
      std::int16_t stored = value;
      must(H5Tconvert(H5T_NATIVE_INT16, H5T_STD_I16BE, 1, &stored, nullptr, H5P_DEFAULT));
      must(H5Tenum_insert(type.get(), name, &stored));
      must(H5Tenum_insert(memory.get(), name, &value));
    }
    Hdf5Writer(path("x.h5")).dataset("x", type.get(), {3}, memory.get(), values.data());
  });
  const InputDataset input(comm(), path("x.h5"), "x");
  EXPECT_EQ(input.info().dtype, DType::i2);
  EXPECT_EQ(input.info().stored_type, "enumeration of big-endian i2");
  expect_read<std::int16_t>(input, values);
  expect_read<double>(input, values);
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"i1", "cannot hold"}, [&] {
    std::vector<std::int8_t> bytes(3);
    agreed(comm(), [&] { input.read_all(DType::i1, bytes.data()); });
  }));
}

io::TypeHandle complex_type(hid_t part, const char* real, const char* imag) {
  const std::size_t size = H5Tget_size(part);
  io::TypeHandle type(must(H5Tcreate(H5T_COMPOUND, 2 * size)));
  must(H5Tinsert(type.get(), real, 0, part));
  must(H5Tinsert(type.get(), imag, size, part));
  return type;
}

struct StoredComplex {
  hid_t part;
  const char* real;
  const char* imag;
  const char* text;
};

TEST_F(Conversion, ComplexOfAllConventionsWidthsAndOrders) {
  const std::vector<Complex16> values = {{1, 2}, {-3.5, 0}, {0, 1e10}, {4, -4}};
  for (const StoredComplex& stored :
       {StoredComplex{H5T_IEEE_F64LE, "r", "i", "c16"},
        StoredComplex{H5T_IEEE_F32BE, "real", "imag", "big-endian c8"},
        StoredComplex{H5T_IEEE_F64BE, "re", "im", "big-endian c16"}}) {
    on_rank_0([&] {
      const auto file = complex_type(stored.part, stored.real, stored.imag);
      const auto memory = complex_type(H5T_NATIVE_DOUBLE, stored.real, stored.imag);
      Hdf5Writer(path("x.h5")).dataset("x", file.get(), {4}, memory.get(), values.data());
    });
    const InputDataset input(comm(), path("x.h5"), "x");
    EXPECT_EQ(input.info().stored_type, stored.text);
    EXPECT_EQ(input.info().dtype, H5Tget_size(stored.part) == 4 ? DType::c8 : DType::c16);
    expect_read<Complex16>(input, values);
    expect_read<Complex8>(input, values);
    EXPECT_EQ(read_own<Complex16>(input, 1), own_part(input, values));
    EXPECT_TRUE(fails_with(ExitCode::bad_data, {"x.h5:/x", "complex", "f8"},
                           [&] { read_own<double>(input); }));
  }
}

TEST_F(Conversion, ComplexOutOfRangeIsRefused) {
  const auto input = dataset<Complex16>(io::native_type(DType::c16).get(), {{1, 1}, {1, 1e300}});
  EXPECT_TRUE(refuses<Complex8>(input, "1e+300"));
}

TEST_F(Conversion, RealToComplexHasNoImaginaryPart) {
  std::vector<double> values(3001);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = 0.5 * static_cast<double>(i);
  const auto doubles = dataset<double>(H5T_IEEE_F64BE, values);
  expect_read<Complex16>(doubles, values);
  expect_read<Complex8>(doubles, values);
  expect_read<Complex16>(dataset<std::int32_t>(H5T_STD_I32LE, {-7, 8}), std::vector<double>{-7, 8});
  EXPECT_TRUE(refuses<Complex8>(dataset<double>(H5T_IEEE_F64LE, {1, 2, 1e300}), "1e+300"));
}

}  // namespace
}  // namespace kmap::test
