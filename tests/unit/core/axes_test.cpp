// Types of elements, shapes and shards.

#include "kmap/dtype.hpp"
#include "kmap/error.hpp"
#include "kmap/example.hpp"
#include "kmap/shape.hpp"

#include <gtest/gtest.h>

namespace kmap::test {
namespace {

TEST(DType, NamesAndTypesAreInverse) {
  for (std::size_t i = 0; i < dtype_infos.size(); ++i) {
    const auto type = static_cast<DType>(i);
    EXPECT_EQ(dtype_from_name(name(type)), type);
    visit_dtype(type, [&](auto tag) {
      using T = typename decltype(tag)::type;
      EXPECT_EQ(dtype_of<T>, type);
      EXPECT_EQ(sizeof(T), size_of(type));
    });
  }
  EXPECT_EQ(dtype_of<long long>, DType::i8);
  EXPECT_EQ(dtype_of<unsigned long>, DType::u8);
  EXPECT_EQ(dtype_from_name("f16"), std::nullopt);
}

TEST(Shape, PrintsAsInNumPy) {
  EXPECT_EQ(to_string(Shape{}), "()");
  EXPECT_EQ(to_string(Shape{5}), "(5,)");
  EXPECT_EQ(to_string(Shape{2, 3}), "(2, 3)");
  EXPECT_EQ(count(Shape{2, 3}), 6);
  EXPECT_EQ(count(Shape{}), 1);
  EXPECT_EQ(count(Shape{2, 0}), 0);
}

TEST(Shards, CoverEveryRowOnceWithSizesThatDifferByOne) {
  for (std::int64_t n = 0; n < 40; ++n) {
    for (int parts = 1; parts < 9; ++parts) {
      std::int64_t next = 0;
      for (int p = 0; p < parts; ++p) {
        const Range range = shard_of(n, parts, p);
        EXPECT_EQ(range.begin, next);
        EXPECT_GE(range.size(), n / parts);
        EXPECT_LE(range.size(), n / parts + 1);
        next = range.end;
      }
      EXPECT_EQ(next, n);
    }
  }
}

TEST(Shards, BeyondTwoToThe31) {
  const Range last = shard_of(std::int64_t{10'000'000'000}, 3, 2);
  EXPECT_EQ(last.begin, 6'666'666'667);
  EXPECT_EQ(last.end, 10'000'000'000);
}

TEST(Vec, IsRowMajorWithElementwiseArithmetic) {
  const vec<int, 2, 3> a{1, 2, 3, 4, 5, 6};
  EXPECT_EQ(a(1, 0), 4);
  EXPECT_EQ((a + a)(1, 2), 12);
  EXPECT_EQ((a - a)(0, 1), 0);
  EXPECT_EQ((2 * a)(0, 2), 6);
  EXPECT_EQ((a / 2)(1, 1), 2);
}

TEST(Error, CarriesCodeAndRemedy) {
  const ConfigError error("job.yaml:1:1: wrong", "do this");
  EXPECT_EQ(static_cast<int>(error.code()), 78);
  EXPECT_STREQ(error.what(), "job.yaml:1:1: wrong\n  remedy: do this");
  EXPECT_FALSE(error.agreed());
  EXPECT_TRUE(Error::agreed_by_all(ExitCode::io_error, "x", 2).agreed());
}

}  // namespace
}  // namespace kmap::test
