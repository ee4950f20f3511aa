// What the functions of kmap/math.hpp take and return, other than floats and doubles of their own.

#include <kmap/math.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <type_traits>

namespace kmap::test {
namespace {

template <class Expected, class T>
void expect_type(const T&) {
  EXPECT_TRUE((std::is_same_v<T, Expected>));
}

TEST(Arguments, IntegersCountAsDoubles) {
  expect_type<double>(sin(1));
  EXPECT_EQ(sin(1), sin(1.0));
  EXPECT_EQ(sqrt(9L), 3.0);
  EXPECT_EQ(cbrt(std::int64_t{27}), 3.0);
  expect_type<double>(exp(true));
  expect_type<double>(pow(2, 3));
  EXPECT_EQ(atan2(1, -1), atan2(1.0, -1.0));
}

TEST(Arguments, OfTwoTypesTheWiderCounts) {
  expect_type<float>(atan2(1.0f, 2.0f));
  expect_type<double>(atan2(1.0f, 2.0));
  expect_type<double>(hypot(3.0f, 4));
  EXPECT_EQ(hypot(3.0f, 4), 5.0);
  EXPECT_EQ(atan2(1.0f, 3), atan2(1.0, 3.0));
}

TEST(Arguments, OthersAreKokkos) {
  expect_type<long double>(sin(1.0L));
  EXPECT_EQ(sin(1.0L), std::sin(1.0L));
  EXPECT_EQ(hypot(3.0L, 4.0L), 5.0L);
  EXPECT_EQ(hypot(2.0, 3.0, 6.0), 7.0);
  const Kokkos::complex<double> z(1, 2);
  expect_type<Kokkos::complex<double>>(sin(z));
  EXPECT_EQ(sin(z), Kokkos::sin(z));
  EXPECT_EQ(sqrt(Kokkos::complex<float>(-4, 0)), Kokkos::complex<float>(0, 2));
  expect_type<Kokkos::Experimental::half_t>(tan(Kokkos::Experimental::half_t(0.5f)));
}

TEST(Arguments, SincosGivesBoth) {
  const auto [s, c] = sincos(0.5f);
  expect_type<float>(s);
  EXPECT_EQ(s, sin(0.5f));
  EXPECT_EQ(c, cos(0.5f));
  EXPECT_EQ(sincos(2).cos, cos(2.0));
}

static_assert(noexcept(sin(1.0)) && noexcept(atan2(1.0f, 1.0f)) && noexcept(sincos(1.0)));

}  // namespace
}  // namespace kmap::test
