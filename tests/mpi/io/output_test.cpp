// What is written is what others read, and appears under its name only when it is complete.

#include "io/output.hpp"

#include "io/stored_type.hpp"
#include "mpi/io/fixture.hpp"

#include <gtest/gtest.h>

#include <unistd.h>

#include <algorithm>
#include <limits>
#include <memory>

namespace kmap::test {
namespace {

namespace fs = std::filesystem;
using io::IfExists;
using io::InputDataset;
using io::OutputFile;

class Output : public SharedFiles {};

template <class T>
Elements<T> numbers(std::int64_t count) {
  Elements<T> values;
  for (std::int64_t i = 0; i < count; ++i) {
    if constexpr (std::is_same_v<T, bool>) {
      values.push_back(static_cast<std::uint8_t>(i % 3 == 0));
    } else {
      values.push_back(T(static_cast<std::int8_t>(i * 7 % 120)));
    }
  }
  return values;
}

// This rank's rows of a dataset, in blocks.
template <class T>
void write_own(OutputFile& file, int dataset, const Shape& shape, const Elements<T>& all,
               std::int64_t block = 3) {
  const Range rows = shard_of(shape[0], comm().size(), comm().rank());
  const Range longest = shard_of(shape[0], comm().size(), 0);
  for (std::int64_t done = 0; done < longest.size(); done += block) {
    const std::int64_t begin = std::min(rows.begin + done, rows.end);
    const Range part = {begin, std::min(begin + block, rows.end)};
    file.write_rows(dataset, part, dtype_of<T>, all.data() + begin * row_elements(shape));
  }
}

TEST_F(Output, EveryTypeAtAnyNumberOfRows) {
  for (const std::int64_t rows : {0, 1, 2, 7, 50}) {
    const fs::path name = path(std::to_string(rows) + ".h5");
    const Shape shape = {rows, 3};
    {
      OutputFile file(comm(), name, IfExists::error);
      for (const DTypeInfo& type : dtype_infos) {
        file.create_dataset("/all/of/" + std::string(type.name), *dtype_from_name(type.name),
                            shape);
      }
      int dataset = 0;
      for (const DTypeInfo& type : dtype_infos) {
        visit_dtype(*dtype_from_name(type.name), [&]<class T>(std::type_identity<T>) {
          write_own<T>(file, dataset++, shape, numbers<T>(rows * 3));
        });
      }
      file.commit();
    }
    for (const DTypeInfo& type : dtype_infos) {
      const InputDataset input(comm(), name, "/all/of/" + std::string(type.name));
      EXPECT_EQ(input.info().stored_type, type.name);
      EXPECT_EQ(input.info().shape, shape);
      EXPECT_TRUE(input.info().chunk.empty());
      visit_dtype(input.info().dtype, [&]<class T>(std::type_identity<T>) {
        EXPECT_EQ(read_own<T>(input), own_part(input, numbers<T>(rows * 3))) << type.name;
      });
    }
  }
}

io::DatasetHandle open_written(const io::FileHandle& file, const char* name) {
  return io::DatasetHandle(must(H5Dopen2(file.get(), name, H5P_DEFAULT)));
}

TEST_F(Output, TypesAreThoseOfH5py) {
  {
    OutputFile file(comm(), path("types.h5"), IfExists::error);
    file.create_dataset("bool", DType::boolean, {2});
    file.create_dataset("c16", DType::c16, {2});
    file.create_dataset("f4", DType::f4, {2});
    file.commit();
  }
  const io::FileHandle file(must(H5Fopen(path("types.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
  const io::TypeHandle boolean(must(H5Dget_type(open_written(file, "bool").get())));
  EXPECT_EQ(H5Tget_class(boolean.get()), H5T_ENUM);
  EXPECT_EQ(H5Tget_size(boolean.get()), 1u);
  std::int8_t value = -1;
  EXPECT_GE(H5Tenum_valueof(boolean.get(), "FALSE", &value), 0);
  EXPECT_EQ(value, 0);
  EXPECT_GE(H5Tenum_valueof(boolean.get(), "TRUE", &value), 0);
  EXPECT_EQ(value, 1);
  const io::TypeHandle complex(must(H5Dget_type(open_written(file, "c16").get())));
  EXPECT_EQ(H5Tget_class(complex.get()), H5T_COMPOUND);
  EXPECT_EQ(H5Tget_member_index(complex.get(), "r"), 0);
  EXPECT_EQ(H5Tget_member_offset(complex.get(), 1), 8u);
  const io::TypeHandle real(must(H5Dget_type(open_written(file, "f4").get())));
  EXPECT_GT(H5Tequal(real.get(), H5T_IEEE_F32LE), 0);
}

TEST_F(Output, DatasetsAreAllocatedOnceAndNeverFilled) {
  {
    OutputFile file(comm(), path("layout.h5"), IfExists::error);
    file.create_dataset("x", DType::f8, {1000, 3});
    file.commit();
  }
  const io::FileHandle file(must(H5Fopen(path("layout.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
  const io::DatasetHandle dataset = open_written(file, "x");
  const io::PropertyHandle creation(must(H5Dget_create_plist(dataset.get())));
  EXPECT_EQ(H5Pget_layout(creation.get()), H5D_CONTIGUOUS);
  H5D_fill_time_t fill = H5D_FILL_TIME_ERROR;
  H5Pget_fill_time(creation.get(), &fill);
  EXPECT_EQ(fill, H5D_FILL_TIME_NEVER);
  EXPECT_EQ(H5Dget_storage_size(dataset.get()), 24000u);
}

void write_sample(const Communicator& ranks, const fs::path& name) {
  OutputFile file(ranks, name, IfExists::error);
  const Shape shape = {101, 5};
  const auto values = numbers<double>(505);
  const int x = file.create_dataset("/group/x", DType::f8, shape);
  const int y = file.create_dataset("y", DType::boolean, {0});
  file.write_attribute("/group", "note", "über");
  file.write_text("/group/text", "config");
  const Range rows = shard_of(101, ranks.size(), ranks.rank());
  file.write_rows(x, rows, DType::f8, values.data() + rows.begin * 5);
  file.write_rows(y, {0, 0}, DType::boolean, nullptr);
  file.write_attribute("/group", "finished", "after the rows");
  file.commit();
}

TEST_F(Output, BytesAreTheSameAtEveryNumberOfRanks) {
  write_sample(comm(), path("all.h5"));
  on_rank_0([&] { write_sample(Communicator(MPI_COMM_SELF), path("one.h5")); });
  EXPECT_EQ(read_bytes(path("all.h5")), read_bytes(path("one.h5")));
}

TEST_F(Output, ConvertsOnWriting) {
  const std::vector<double> values = {1, 2.5, 1e30, -4};
  const std::vector<std::uint8_t> bits = {1, 0, 1, 1};
  OutputFile file(comm(), path("convert.h5"), IfExists::error);
  const int f4 = file.create_dataset("f4", DType::f4, {4});
  const int i1 = file.create_dataset("i1", DType::i1, {4});
  const int c16 = file.create_dataset("c16", DType::c16, {4});
  write_own<double>(file, f4, {4}, values, 1);
  write_own<bool>(file, i1, {4}, bits);
  write_own<double>(file, c16, {4}, values);
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"convert.h5:/i1", "2.5 cannot be stored as i1", "f8"},
                         [&] { write_own<double>(file, i1, {4}, values); }));
  file.commit();
  const InputDataset single(comm(), path("convert.h5"), "f4");
  EXPECT_EQ(read_own<float>(single), own_part(single, std::vector<float>{1, 2.5, 1e30F, -4}));
  const InputDataset complex(comm(), path("convert.h5"), "c16");
  using C16 = Kokkos::complex<double>;
  EXPECT_EQ(read_own<C16>(complex),
            own_part(complex, std::vector<C16>(values.begin(), values.end())));
}

TEST_F(Output, SlabsOfAnyAxis) {
  OutputFile file(comm(), path("slabs.h5"), IfExists::error);
  const int array = file.create_dataset("a", DType::f4, {3, 5, 2});
  const int scalar = file.create_dataset("s", DType::f8, {});
  const Range mine = shard_of(5, comm().size(), comm().rank());
  std::vector<double> part;  // (3, mine, 2), in another type than the file's
  for (std::int64_t i = 0; i < 3; ++i) {
    for (std::int64_t j = mine.begin; j < mine.end; ++j) {
      for (std::int64_t k = 0; k < 2; ++k)
        part.push_back(static_cast<double>(100 * i + 10 * j + k));
    }
  }
  const double value = 6.5;
  file.write_slab(array, 1, mine, DType::f8, part.data());
  file.write_slab(scalar, 0, {0, comm().is_root() ? 1 : 0}, DType::f8, &value);
  file.commit();
  std::vector<double> all(30);
  InputDataset(comm(), path("slabs.h5"), "a").read_all(DType::f8, all.data());
  for (std::size_t n = 0; n < all.size(); ++n) {
    EXPECT_EQ(all[n], static_cast<double>(100 * (n / 10) + 10 * (n / 2 % 5) + n % 2)) << n;
  }
  double found = 0;
  InputDataset(comm(), path("slabs.h5"), "s").read_all(DType::f8, &found);
  EXPECT_EQ(found, 6.5);
}

TEST_F(Output, WrongRows) {
  OutputFile file(comm(), path("wrong.h5"), IfExists::error);
  const int scalar = file.create_dataset("s", DType::f8, {});
  const int vector = file.create_dataset("v", DType::f8, {3});
  const double value = 6.5;
  // One rank's mistake is an error on all.
  const Range wrong = comm().is_root() ? Range{0, 4} : Range{0, 0};
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"/v", "(3,)"},
                         [&] { file.write_rows(vector, wrong, DType::f8, &value); }));
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"/s", "()"},
                         [&] { file.write_rows(scalar, {0, 2}, DType::f8, &value); }));
  EXPECT_TRUE(fails_with(ExitCode::bad_data, {"axis 1", "/v"},
                         [&] { file.write_slab(vector, 1, {0, 1}, DType::f8, &value); }));
  file.write_rows(vector, {0, 0}, DType::f8, nullptr);
  EXPECT_TRUE(fails_with(ExitCode::internal, {"/late", "after rows"},
                         [&] { file.create_dataset("/late", DType::f8, {3}); }));
}

std::string text_attribute(hid_t object, const char* name) {
  const io::AttributeHandle attribute(must(H5Aopen(object, name, H5P_DEFAULT)));
  const io::TypeHandle type(must(H5Aget_type(attribute.get())));
  EXPECT_GT(H5Tis_variable_str(type.get()), 0);
  EXPECT_EQ(H5Tget_cset(type.get()), H5T_CSET_UTF8);
  char* text = nullptr;
  must(H5Aread(attribute.get(), type.get(), static_cast<void*>(&text)));
  const std::string copy = text == nullptr ? "" : text;
  H5free_memory(text);
  return copy;
}

std::string text_dataset(const io::FileHandle& file, const char* name) {
  const io::DatasetHandle dataset = open_written(file, name);
  const io::TypeHandle type(must(H5Dget_type(dataset.get())));
  std::string text(H5Tget_size(type.get()), '?');
  must(H5Dread(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()));
  return text;
}

TEST_F(Output, AttributesAndTexts) {
  const std::string long_text(100000, 'x');
  {
    OutputFile file(comm(), path("attributes.h5"), IfExists::error);
    file.create_group("/kmap/inputs");
    file.create_dataset("x", DType::f8, {3});
    file.write_attribute("/kmap", "version", "0.1 β");
    file.write_attribute("/kmap", "long", long_text);
    file.write_attribute("/kmap", "empty", std::string());
    file.write_attribute("/x", "rows", std::int64_t{1} << 40);
    file.write_attribute("/", "seconds", 2.5);
    file.write_text("/kmap/config", "kernel: square\n# ü\n");
    file.write_text("/kmap/long", long_text);
    file.write_text("/kmap/empty", "");
    file.commit();
  }
  const io::FileHandle file(
      must(H5Fopen(path("attributes.h5").c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)));
  const io::GroupHandle group(must(H5Gopen2(file.get(), "/kmap", H5P_DEFAULT)));
  EXPECT_EQ(text_attribute(group.get(), "version"), "0.1 β");
  EXPECT_EQ(text_attribute(group.get(), "long"), long_text);
  EXPECT_EQ(text_attribute(group.get(), "empty"), "");
  std::int64_t rows = 0;
  const io::AttributeHandle integer(
      must(H5Aopen_by_name(file.get(), "/x", "rows", H5P_DEFAULT, H5P_DEFAULT)));
  must(H5Aread(integer.get(), H5T_NATIVE_INT64, &rows));
  EXPECT_EQ(rows, std::int64_t{1} << 40);
  double seconds = 0;
  const io::AttributeHandle real(must(H5Aopen(file.get(), "seconds", H5P_DEFAULT)));
  must(H5Aread(real.get(), H5T_NATIVE_DOUBLE, &seconds));
  EXPECT_EQ(seconds, 2.5);
  EXPECT_EQ(text_dataset(file, "/kmap/config"), "kernel: square\n# ü\n");
  EXPECT_EQ(text_dataset(file, "/kmap/long"), long_text);
  EXPECT_EQ(text_dataset(file, "/kmap/empty"), std::string(1, '\0'));
}

TEST_F(Output, AppearsOnlyWhenComplete) {
  const fs::path name = path("out.h5");
  {
    OutputFile file(comm(), name, IfExists::error);
    file.create_dataset("x", DType::f8, {3});
    EXPECT_TRUE(fs::exists(path("out.h5.part")));
    EXPECT_FALSE(fs::exists(name));
    file.commit();
    EXPECT_FALSE(fs::exists(path("out.h5.part")));
    EXPECT_TRUE(fs::exists(name));
  }
  EXPECT_TRUE(fs::exists(name));
}

TEST_F(Output, AbandonedFileIsRemoved) {
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"no reason"}, [&] {
    OutputFile file(comm(), path("out.h5"), IfExists::error);
    const int x = file.create_dataset("x", DType::f8, {3});
    write_own<double>(file, x, {3}, {1, 2, 3});
    agreed(comm(), [] { throw Error(ExitCode::io_error, "no reason"); });
  }));
  comm().barrier();
  EXPECT_FALSE(fs::exists(path("out.h5")));
  EXPECT_FALSE(fs::exists(path("out.h5.part")));
  comm().barrier();
  write_sample(comm(), path("out.h5"));  // and nothing is in the way of the next
}

TEST_F(Output, ReplacesOnlyIfAllowedAndOnlyAtTheEnd) {
  on_rank_0([&] { write_bytes(path("out.h5"), "old"); });
  EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"out.h5 exists already", "overwrite"},
                         [&] { io::check_output(comm(), path("out.h5"), IfExists::error); }));
  EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"out.h5 exists already"},
                         [&] { OutputFile(comm(), path("out.h5"), IfExists::error); }));
  {
    OutputFile abandoned(comm(), path("out.h5"), IfExists::overwrite);
  }
  EXPECT_EQ(read_bytes(path("out.h5")), "old");
  OutputFile file(comm(), path("out.h5"), IfExists::overwrite);
  file.create_dataset("x", DType::f8, {3});
  EXPECT_EQ(read_bytes(path("out.h5")), "old");
  file.commit();
  EXPECT_EQ(InputDataset(comm(), path("out.h5"), "x").info().shape, Shape{3});
}

TEST_F(Output, FileMadeMeanwhileIsKeptAndSoIsTheResult) {
  OutputFile file(comm(), path("out.h5"), IfExists::error);
  file.create_dataset("x", DType::f8, {3});
  on_rank_0([&] { write_bytes(path("out.h5"), "of someone else"); });
  EXPECT_TRUE(
      fails_with(ExitCode::cannot_create, {"someone else", "out.h5.part"}, [&] { file.commit(); }));
  EXPECT_EQ(read_bytes(path("out.h5")), "of someone else");
  EXPECT_EQ(InputDataset(comm(), path("out.h5.part"), "x").info().shape, Shape{3});
}

TEST_F(Output, LinkStaysAndItsTargetIsWritten) {
  on_rank_0([&] {
    fs::create_directory(path("scratch"));
    fs::create_symlink("scratch/real.h5", path("out.h5"));
  });
  write_sample(comm(), path("out.h5"));
  EXPECT_TRUE(fs::is_symlink(path("out.h5")));
  EXPECT_FALSE(fs::is_symlink(path("scratch/real.h5")));
  EXPECT_EQ(InputDataset(comm(), path("out.h5"), "y").info().shape, Shape{0});
}

TEST_F(Output, PlacesWhereNoFileCanBe) {
  on_rank_0([&] {
    fs::create_directory(path("folder"));
    fs::create_directory(path("blocked.h5.part"));
    fs::create_directory(path("locked"));
    write_bytes(path("file"), "");
    fs::permissions(path("locked"), fs::perms::owner_read | fs::perms::owner_exec);
    fs::permissions(path(""), fs::perms::all);
  });
  const auto refuses = [&](const std::string& name, const std::vector<std::string>& parts) {
    return fails_with(ExitCode::cannot_create, parts,
                      [&] { io::check_output(comm(), path(name), IfExists::overwrite); });
  };
  EXPECT_TRUE(refuses("nowhere/out.h5", {"no folder", "mkdir -p"}));
  EXPECT_TRUE(refuses("file/out.h5", {"file is not a folder"}));
  EXPECT_TRUE(refuses("folder", {"is a folder"}));
  EXPECT_TRUE(refuses("folder/", {"is a folder"}));
  EXPECT_TRUE(refuses("blocked.h5", {"blocked.h5.part is a folder"}));
  const bool was_root = ::geteuid() == 0;
  comm().barrier();
  ASSERT_EQ(was_root ? ::seteuid(65534) : 0, 0);
  EXPECT_TRUE(refuses("locked/out.h5", {"locked", "Permission denied"}));
  ASSERT_EQ(was_root ? ::seteuid(0) : 0, 0);
}

TEST_F(Output, LeftoverOfAnotherRunIsRemoved) {
  on_rank_0([&] { write_bytes(path("out.h5.part"), "half"); });
  io::check_output(comm(), path("out.h5"), IfExists::error);
  EXPECT_FALSE(fs::exists(path("out.h5.part")));
}

TEST_F(Output, FileOfARunThatGoesOnIsNotTaken) {
  OutputFile file(comm(), path("out.h5"), IfExists::error);
  EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"being made by another run", "out.h5.part"},
                         [&] { io::check_output(comm(), path("out.h5"), IfExists::overwrite); }));
  file.commit();
  EXPECT_TRUE(fs::exists(path("out.h5")));
}

TEST_F(Output, PartThatSomeoneReplacedIsNotPublished) {
  OutputFile file(comm(), path("out.h5"), IfExists::error);
  file.create_dataset("x", DType::f8, {3});
  on_rank_0([&] {
    fs::remove(path("out.h5.part"));
    write_bytes(path("out.h5.part"), "of another run");
  });
  EXPECT_TRUE(fails_with(ExitCode::io_error, {"out.h5.part", "replaced by someone else"},
                         [&] { file.commit(); }));
  EXPECT_FALSE(fs::exists(path("out.h5")));
}

TEST_F(Output, NamesThatAreTakenAreRefused) {
  OutputFile file(comm(), path("out.h5"), IfExists::error);
  file.create_dataset("x", DType::f8, {3});
  EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"out.h5.part:/x", "create the dataset"},
                         [&] { file.create_dataset("x", DType::f8, {3}); }));
  EXPECT_TRUE(fails_with(ExitCode::cannot_create, {"out.h5.part:/x/y"},
                         [&] { file.create_dataset("x/y", DType::f8, {3}); }));
  EXPECT_EQ(file.create_dataset("z", DType::f8, {3}), 1);
  file.commit();
}

}  // namespace
}  // namespace kmap::test
