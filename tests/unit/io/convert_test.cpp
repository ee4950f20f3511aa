// Conversions in memory: every pair of types, at the edges of their ranges.

#include "io/conversion.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace kmap::io {
namespace {

template <class T>
using Memory = std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

template <class To, class From>
bool holds(From value) {
  To target;
  return convert(dtype_of<From>, &value, dtype_of<To>, &target, 1) == -1;
}

template <class To, class From>
Memory<To> converted(const Memory<From>& values) {
  Memory<To> target(values.size());
  EXPECT_EQ(convert(dtype_of<From>, values.data(), dtype_of<To>, target.data(),
                    static_cast<std::int64_t>(values.size())),
            -1);
  return target;
}

template <class To, class From>
void expect_limits() {
  const auto last = static_cast<From>(std::numeric_limits<To>::max());
  const auto first = static_cast<From>(std::numeric_limits<To>::lowest());
  EXPECT_TRUE((holds<To, From>(last)));
  EXPECT_TRUE((holds<To, From>(first)));
  EXPECT_FALSE((holds<To, From>(static_cast<From>(last + 1))));
  EXPECT_FALSE((holds<To, From>(static_cast<From>(first - 1))));
}

TEST(Convert, IntegersAtTheEdges) {
  expect_limits<std::int8_t, std::int32_t>();
  expect_limits<std::uint8_t, std::int16_t>();
  expect_limits<std::int32_t, std::int64_t>();
  expect_limits<std::uint32_t, std::int64_t>();
  EXPECT_FALSE((holds<std::uint64_t>(std::int64_t{-1})));
  EXPECT_FALSE((holds<std::uint8_t>(std::int8_t{-1})));
  EXPECT_FALSE((holds<std::int64_t>(~std::uint64_t{0})));
  EXPECT_FALSE((holds<std::int8_t>(std::uint8_t{128})));
  EXPECT_TRUE((holds<std::int64_t>(std::uint64_t{1} << 62)));
}

TEST(Convert, FloatsToIntegersAtTheEdges) {
  expect_limits<std::int8_t, float>();
  expect_limits<std::uint16_t, float>();
  expect_limits<std::int32_t, double>();
  expect_limits<std::uint32_t, double>();
  EXPECT_TRUE((holds<std::int64_t>(-9223372036854775808.0)));
  EXPECT_FALSE((holds<std::int64_t>(9223372036854775808.0)));
  EXPECT_TRUE((holds<std::int64_t>(9223372036854774784.0)));
  EXPECT_TRUE((holds<std::uint64_t>(18446744073709549568.0)));
  EXPECT_FALSE((holds<std::uint64_t>(18446744073709551616.0)));
  EXPECT_TRUE((holds<std::uint8_t>(-0.0)));
  for (const double value : {0.5, -0.5, 1e-300, double(NAN), double(INFINITY), -double(INFINITY)}) {
    EXPECT_FALSE((holds<std::int32_t>(value))) << value;
    EXPECT_FALSE((holds<std::uint64_t>(value))) << value;
  }
}

TEST(Convert, FloatsLoseDigitsButNotRange) {
  EXPECT_TRUE((holds<float>(0.1)));
  EXPECT_TRUE((holds<float>(1e-300)));
  EXPECT_TRUE((holds<float>(double{std::numeric_limits<float>::max()})));
  EXPECT_FALSE((holds<float>(1e39)));
  EXPECT_FALSE((holds<float>(-1e39)));
  EXPECT_TRUE((holds<float>(double(INFINITY))));
  EXPECT_TRUE((holds<float>(double(NAN))));
  EXPECT_TRUE((holds<float>(~std::uint64_t{0})));
  EXPECT_EQ((converted<double, std::int64_t>({(std::int64_t{1} << 53) + 1})[0]),
            9007199254740992.0);
}

TEST(Convert, Bool) {
  EXPECT_EQ((converted<bool, bool>({0, 1, 2, 255})), (Memory<bool>{0, 1, 1, 1}));
  EXPECT_EQ((converted<double, bool>({0, 1, 2})), (std::vector<double>{0, 1, 1}));
  EXPECT_EQ((converted<bool, double>({0, 1})), (Memory<bool>{0, 1}));
  for (const double value : {2.0, -1.0, 0.5, double(NAN)}) EXPECT_FALSE((holds<bool>(value)));
}

TEST(Convert, Complex) {
  using C8 = Kokkos::complex<float>;
  using C16 = Kokkos::complex<double>;
  EXPECT_EQ((converted<C16, double>({1.5, -2})), (std::vector<C16>{{1.5, 0}, {-2, 0}}));
  EXPECT_EQ((converted<C8, bool>({0, 1})), (std::vector<C8>{{0, 0}, {1, 0}}));
  EXPECT_EQ((converted<C8, C16>({{1.5, -2}})), (std::vector<C8>{{1.5F, -2}}));
  EXPECT_FALSE((holds<C8>(C16(1e39, 0))));
  EXPECT_FALSE((holds<C8>(C16(0, -1e39))));
  EXPECT_FALSE((holds<C8>(1e39)));
  EXPECT_FALSE((holds<double>(C16(1, 0))));
  EXPECT_FALSE(can_convert(DType::c8, DType::f8));
  EXPECT_TRUE(can_convert(DType::c8, DType::c16));
  EXPECT_TRUE(can_convert(DType::f8, DType::boolean));
}

// At the end of the target's memory, for all lengths around the size of a block.
TEST(Convert, GrowsInPlace) {
  for (const std::size_t n : {0, 1, 2, 511, 512, 513, 1024, 3000}) {
    std::vector<double> target(n);
    std::byte* source = reinterpret_cast<std::byte*>(target.data() + n) - n * sizeof(std::int16_t);
    for (std::size_t i = 0; i < n; ++i) {
      const auto value = static_cast<std::int16_t>(i * 7 - 5000);
      std::memcpy(source + i * sizeof value, &value, sizeof value);
    }
    ASSERT_EQ(convert(DType::i2, source, DType::f8, target.data(), static_cast<std::int64_t>(n)),
              -1);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(target[i], static_cast<std::int16_t>(i * 7 - 5000)) << i << " of " << n;
    }
  }
}

TEST(Convert, FindsTheFirstThatDoesNotFit) {
  for (const std::size_t wrong : {0, 7, 511, 512, 1999}) {
    std::vector<std::int32_t> values(2000, 5);
    values[wrong] = 300;
    values.back() = -300;
    std::vector<std::int8_t> target(values.size());
    EXPECT_EQ(convert(DType::i4, values.data(), DType::i1, target.data(), 2000),
              static_cast<std::int64_t>(wrong));
  }
}

TEST(Convert, EveryPairKeepsZeroAndOne) {
  for (const DTypeInfo& from : dtype_infos) {
    for (const DTypeInfo& to : dtype_infos) {
      const DType a = *dtype_from_name(from.name);
      const DType b = *dtype_from_name(to.name);
      if (!can_convert(a, b)) continue;
      const std::uint8_t bits[] = {0, 1, 1};
      std::vector<std::byte> first(3 * 16), second(3 * 16), back(3 * 16);
      ASSERT_EQ(convert(DType::boolean, bits, a, first.data(), 3), -1);
      ASSERT_EQ(convert(a, first.data(), b, second.data(), 3), -1) << from.name << to.name;
      ASSERT_EQ(convert(DType::boolean, bits, b, back.data(), 3), -1);
      EXPECT_EQ(second, back) << from.name << to.name;
    }
  }
}

TEST(ValueText, IsForPeople) {
  const std::int8_t byte = -7;
  const double number = 2.5;
  const Kokkos::complex<float> complex(1, -2);
  EXPECT_EQ(value_text(DType::i1, &byte), "-7");
  EXPECT_EQ(value_text(DType::f8, &number), "2.5");
  EXPECT_EQ(value_text(DType::c8, &complex), "(1, -2)");
}

}  // namespace
}  // namespace kmap::io
