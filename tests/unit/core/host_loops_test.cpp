// The loops over examples on hosts: trials, outputs past the caches, packs, tiles. All of them must
// give what a plain loop gives, whatever the number, the place and the layout of the examples.

#include "arrays.hpp"

#include "kmap/detail/math/trial.hpp"
#include "kmap/math.hpp"
#include "kmap/pack.hpp"
#include "kmap/vmap.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace kmap::test {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

template <class T>
bool same_bits(T a, T b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

Vector<double> vector_of(const std::vector<double>& values) {
  Vector<double> x("x", values.size());
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// ---- Trials

[[gnu::noinline, gnu::const]] double far_away(double x) { return std::isinf(x) ? NAN : x - 1; }

// The two ways differ here, so that it shows which one was taken.
struct Reaching {
  KOKKOS_FUNCTION double operator()(double x) const {
    const auto near = [](double y, double scaled) { return detail::mul_add(scaled, 0.0, y) + 1; };
    return detail::within_reach(x, 100.0, near, far_away);
  }
};
double expected_of_reaching(double x) { return std::abs(x) > 100 ? far_away(x) : x + 1; }

std::vector<double> some_beyond(std::size_t n) {
  std::vector<double> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = 0.25 * static_cast<double>(i % 300);
  for (std::size_t i = 17; i < n; i += 1500) x[i] = 1e6;
  if (n > 5000) x[5000] = -infinity;
  return x;
}

TEST(Trials, TakeTheWayThatIsRightForEachArgument) {
  for (const std::size_t n : {1U, 16U, 18U, 1024U, 1042U, 7000U}) {
    const std::vector<double> x = some_beyond(n);
    const auto y = values(vmap(Reaching{})(vector_of(x)));
    for (std::size_t i = 0; i < n; ++i) {
      if (std::isinf(x[i])) {
        ASSERT_TRUE(std::isnan(y[i])) << i;
      } else {
        ASSERT_EQ(y[i], expected_of_reaching(x[i])) << i;
      }
    }
  }
  EXPECT_TRUE(std::isnan(values(vmap(Reaching{})(vector_of({NAN, 1})))[0]));
}

TEST(Trials, WorkInPlace) {
  const std::vector<double> x = some_beyond(5000);
  auto memory = vector_of(x);
  const auto y = values(vmap(Reaching{})(donate(memory)));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], expected_of_reaching(x[i])) << i;
}

// Reads what it has overwritten already, if it is called twice for an example.
struct ReachingRow {
  KOKKOS_FUNCTION vec<double, 3> operator()(const Example<const double, 1>& x) const {
    return {Reaching{}(x(0)), x(0) + x(1), x(1) + x(2)};
  }
};

TEST(Trials, WorkInPlaceForRows) {
  const std::int64_t n = 3000;
  Kokkos::View<double* [3], Kokkos::LayoutRight, Kokkos::HostSpace> x("x", n);
  for (std::int64_t i = 0; i < n; ++i) {
    x(i, 0) = i % 100 == 3 ? 1e9 : 0.5 * static_cast<double>(i % 7);
    x(i, 1) = static_cast<double>(i);
    x(i, 2) = 2;
  }
  const auto before = Kokkos::create_mirror(x);
  Kokkos::deep_copy(before, x);
  vmap(ReachingRow{}).into(x)(x);
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_EQ(x(i, 0), expected_of_reaching(before(i, 0))) << i;
    ASSERT_EQ(x(i, 1), before(i, 0) + before(i, 1)) << i;
    ASSERT_EQ(x(i, 2), before(i, 1) + before(i, 2)) << i;
  }
}

struct ThrowsBeyond {
  double operator()(double x) const {
    const double y = Reaching{}(x);
    // In a trial y is no number where x is beyond reach: that must not count.
    if (std::isnan(y)) throw std::runtime_error("not a number");
    if (y < 0) throw std::runtime_error("negative: " + std::to_string(static_cast<int>(x)));
    return y;
  }
};

TEST(Trials, ThrowOnlyWhatCounts) {
  std::vector<double> x = some_beyond(5000);
  const auto y = values(vmap(ThrowsBeyond{})(vector_of(x)));
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(y[i], expected_of_reaching(x[i])) << i;
  x[2000] = -7;
  x[4000] = -8;
  try {
    vmap(ThrowsBeyond{})(vector_of(x));
    FAIL() << "did not throw";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "negative: -7");
  }
}

struct Tenfold {
  KOKKOS_FUNCTION double operator()(double x) const { return 10 * x; }
};

TEST(Trials, KeepTheProcessorsFlag) {
  const auto x = vector_of({1, 1e308, 2});
  for (const bool raised : {false, true}) {
    detail::clear_overflow_flag();
    if (raised) detail::raise_overflow_flag();
    EXPECT_EQ(values(vmap(Tenfold{})(vector_of({1, 2}))), (std::vector<double>{10, 20}));
    EXPECT_EQ(detail::overflow_flag(), raised);
    EXPECT_EQ(values(vmap(Tenfold{})(x)), (std::vector<double>{10, infinity, 20}));
  }
  detail::clear_overflow_flag();
}

// ---- Results of one byte, and large ones

struct IsLarge {
  KOKKOS_FUNCTION std::uint8_t operator()(double x) const { return Reaching{}(x) > 50 ? 1 : 0; }
};

TEST(Stages, HoldBytes) {
  const std::vector<double> x = some_beyond(5000);
  const auto y = values(vmap(IsLarge{})(vector_of(x)));
  for (std::size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(y[i], expected_of_reaching(x[i]) > 50 ? 1 : 0) << i;
  }
}

struct HalfAndSquare {
  KOKKOS_FUNCTION std::tuple<float, double> operator()(float x) const {
    return {x / 2, static_cast<double>(x) * x};
  }
};

// More than 32 MiB go past the caches: from any element on, to any.
TEST(Stages, StreamLargeOutputs) {
  const std::int64_t n = 3'000'001;
  const Kokkos::View<float*, Kokkos::HostSpace> x("x", n + 3);
  const Kokkos::View<float*, Kokkos::HostSpace> half("half", n + 7);
  const Kokkos::View<double*, Kokkos::HostSpace> square("square", n + 5);
  for (std::int64_t i = 0; i < n; ++i) x(i + 3) = static_cast<float>(i % 1000);
  const auto part = [n](const auto& view, std::int64_t first) {
    return Kokkos::subview(view, Kokkos::pair(first, first + n));
  };
  vmap(HalfAndSquare{}).into(part(half, 7), part(square, 5))(part(x, 3));
  for (std::int64_t i = 0; i < n; ++i) {
    const auto value = static_cast<float>(i % 1000);
    ASSERT_EQ(half(i + 7), value / 2) << i;
    ASSERT_EQ(square(i + 5), static_cast<double>(value) * value) << i;
  }
  for (int i = 0; i < 5; ++i) EXPECT_EQ(half(i), 0) << "before the output";
}

// ---- Packs

/// The Newton iteration for a square root, with all that a function on packs may use.
template <int Registers>
struct Iterated {
  static constexpr int pack_registers = Registers;

  template <class T>
  KOKKOS_FUNCTION std::tuple<T, vec<T, 2>> operator()(const Example<const T, 1>& x, T start,
                                                      T shift) const {
    T y = start;
    for (int i = 0; i < 5; ++i) y = (y + x(0) / y) / 2;
    y = y + kmap::sin(x(0)) * kmap::atan2(x(1), y);
    const T larger = kmap::select(x(1) > shift, x(1), shift);
    return {y, vec<T, 2>{kmap::mul_add(y, larger, -x(1)), y * larger - shift}};
  }
};
struct Plain {
  template <class T>
  KOKKOS_FUNCTION std::tuple<T, vec<T, 2>> operator()(const Example<const T, 1>& x, T start,
                                                      T shift) const {
    return Iterated<1>{}(x, start, shift);
  }
};

template <class T>
class Packs : public ::testing::Test {};
using Reals = ::testing::Types<float, double>;
TYPED_TEST_SUITE(Packs, Reals);

template <class T, class Layout, class F>
void expect_as_plain(const F& f, std::int64_t n) {
  const Kokkos::View<T* [2], Layout, Kokkos::HostSpace> x("x", n);
  const Kokkos::View<T*, Kokkos::HostSpace> start("start", n);
  for (std::int64_t i = 0; i < n; ++i) {
    x(i, 0) = static_cast<T>(1 + i);
    x(i, 1) = static_cast<T>(0.1) * static_cast<T>(i % 17);
    start(i) = static_cast<T>(1 + i % 3);
  }
  const auto axes = in_axes(0, 0, none);
  const auto [y, z] = vmap(f, axes)(x, start, T{1});
  const auto [plain_y, plain_z] = vmap(Plain{}, axes)(x, start, T{1});
  for (std::int64_t i = 0; i < n; ++i) {
    ASSERT_TRUE(same_bits(y(i), plain_y(i))) << n << " examples, number " << i;
    for (int d = 0; d < 2; ++d) ASSERT_TRUE(same_bits(z(i, d), plain_z(i, d))) << n << " " << i;
  }
}

TYPED_TEST(Packs, HaveTheBitsOfPlainCalls) {
  for (const std::int64_t n : {1, 3, 8, 31, 64, 65, 500, 3000}) {
    expect_as_plain<TypeParam, Kokkos::LayoutRight>(Iterated<1>{}, n);
    expect_as_plain<TypeParam, Kokkos::LayoutRight>(Iterated<4>{}, n);
    expect_as_plain<TypeParam, Kokkos::LayoutLeft>(Iterated<3>{}, n);
  }
}

// ---- Tiles

template <class T>
struct Weighted {
  KOKKOS_FUNCTION T operator()(const Example<const T, 2>& x) const {
    T sum = 0;
    for (std::int64_t i = 0; i < x.extent(0); ++i) {
      for (std::int64_t j = 0; j < x.extent(1); ++j) {
        sum = static_cast<T>(sum + static_cast<T>(1 + 3 * i + j) * x(i, j));
      }
    }
    return sum;
  }
};

template <class T>
class Tiles : public ::testing::Test {};
using Numbers = ::testing::Types<float, double, std::int8_t, std::int32_t, std::uint64_t>;
TYPED_TEST_SUITE(Tiles, Numbers);

// Examples of (rows, columns), interleaved along the last axis.
TYPED_TEST(Tiles, GiveWhatContiguousExamplesGive) {
  using T = TypeParam;
  for (const auto& [rows, columns] : {std::pair(1, 32), {5, 8}, {7, 19}, {16, 16}, {1, 300}}) {
    for (const std::int64_t n : {1, 7, 64, 515, 1100}) {
      using Array = Kokkos::View<T***, Kokkos::LayoutRight, Kokkos::HostSpace>;
      const Array interleaved("interleaved", rows, columns, n);
      const Array contiguous("contiguous", n, rows, columns);
      std::minstd_rand random(static_cast<unsigned>(n + rows));
      for (std::int64_t e = 0; e < n; ++e) {
        for (int i = 0; i < rows; ++i) {
          for (int j = 0; j < columns; ++j) {
            interleaved(i, j, e) = contiguous(e, i, j) = static_cast<T>(random() % 100);
          }
        }
      }
      const auto y = vmap(Weighted<T>{}, in_axes(2))(interleaved);
      const auto expected = vmap(Weighted<T>{})(contiguous);
      for (std::int64_t e = 0; e < n; ++e) {
        ASSERT_EQ(y(e), expected(e))
            << rows << " x " << columns << ", example " << e << " of " << n;
      }
    }
  }
}

// In place, so that a second run of a tile must not read the results of the first.
struct Shifted {
  KOKKOS_FUNCTION vec<double, 40> operator()(const Example<const double, 1>& x) const {
    vec<double, 40> y;
    for (int i = 0; i < 40; ++i) y(i) = Reaching{}(x(39 - i));
    return y;
  }
};

TEST(TilesInPlace, AreReadOnce) {
  const std::int64_t n = 200;
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> x("x", 40, n);
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace> before("before", 40, n);
  for (int i = 0; i < 40; ++i) {
    for (std::int64_t e = 0; e < n; ++e) {
      x(i, e) = before(i, e) = (i + e) % 23 == 0 ? 1e7 : static_cast<double>(i + 2 * e) / 8;
    }
  }
  vmap(Shifted{}, in_axes(1), out_axes(1)).into(x)(x);
  for (int i = 0; i < 40; ++i) {
    for (std::int64_t e = 0; e < n; ++e) {
      ASSERT_EQ(x(i, e), expected_of_reaching(before(39 - i, e))) << i << ", " << e;
    }
  }
}

}  // namespace
}  // namespace kmap::test
