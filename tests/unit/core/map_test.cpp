// map: vmap over batches of the leading axis, one after another.

#include "kmap/map.hpp"

#include "arrays.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace kmap::test {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};

// Case 17: x² for N = 16 and any batch size; shorter last batches; nothing.
TEST(Map, SquaresInBatchesOfAnySize) {
  for (const std::size_t n : {16u, 10u, 1u, 0u}) {
    Vector<double> x("x", n);
    for (std::size_t i = 0; i < n; ++i) x(i) = 0.1 * static_cast<double>(i);
    const auto wanted = values(vmap(Square{})(x));
    EXPECT_EQ(values(map(Square{}, x)), wanted);
    for (const int size : {0, 1, 3, 4, 8, 16, 100}) {
      EXPECT_EQ(values(map(Square{}, x, batch_size(size))), wanted) << n << " by " << size;
    }
  }
}

struct Wave {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p) const {
    const double phase = Kokkos::sin(p.position(0)) * p.position(1) + 0.1 * Kokkos::exp(-p.mass);
    return std::tuple{Particle{vec<double, 2>{phase, p.mass / 3}, p.mass}, phase > 0};
  }
};

// Bit for bit, and with the structure of arguments and results.
TEST(Map, StructuresDoNotDependOnTheBatch) {
  constexpr std::size_t n = 1003;
  const Particle particles{counting<double>(n, 2), counting<double, Kokkos::LayoutLeft>(n, 1)};
  const auto mass = Kokkos::subview(particles.mass, Kokkos::ALL, 0);
  const Particle xs{particles.position, mass};
  const auto [p, up] = map(Wave{}, xs);
  static_assert(std::is_same_v<decltype(p), const Particle<Matrix<double>, Vector<double>>>);
  static_assert(std::is_same_v<decltype(up), const Vector<bool>>);
  const auto [wanted, also_up] = vmap(Wave{})(xs);
  EXPECT_EQ(values(up), values(also_up));
  for (const int size : {1, 7, 64, 1000}) {
    const auto part = std::get<0>(map(Wave{}, xs, batch_size(size)));
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(p.position(i, 0), wanted.position(i, 0));
      ASSERT_EQ(part.position(i, 0), p.position(i, 0));
      ASSERT_EQ(part.position(i, 1), p.position(i, 1));
      ASSERT_EQ(part.mass(i), mass(i));
    }
  }
}

TEST(Map, ATupleIsOneArgument) {
  struct Difference {
    KOKKOS_FUNCTION double operator()(const std::tuple<double, double>& x) const {
      return std::get<0>(x) - std::get<1>(x);
    }
  };
  const auto x = vector_of<double>({5, 7, 9});
  const auto y = vector_of<double>({1, 2, 3});
  EXPECT_THAT(values(map(Difference{}, std::tuple{x, y}, batch_size(2))), ElementsAre(4, 5, 6));
}

TEST(Map, OfAVmap) {
  const auto y = map(vmap(Square{}), counting<double, Kokkos::LayoutLeft>(3, 4), batch_size(2));
  static_assert(std::is_same_v<decltype(y)::array_layout, Kokkos::LayoutLeft>);
  EXPECT_EQ(y(2, 3), 121);
}

template <class Action>
std::string message_of(const Action& action) {
  try {
    action();
  } catch (const ShapeError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no ShapeError was thrown";
  return "";
}

TEST(MapErrors, SayWhatDoesNotFit) {
  EXPECT_THAT(message_of([] { map(Square{}, Vector<double>("x", 3), batch_size(-2)); }),
              AllOf(HasSubstr("-2"), HasSubstr("0 for all")));
  EXPECT_THAT(
      message_of([] { map(Wave{}, Particle{Matrix<double>("x", 3, 2), Vector<double>("m", 4)}); }),
      AllOf(HasSubstr("args[0][0] has size 3"), HasSubstr("args[0][1] has size 4")));
}

}  // namespace
}  // namespace kmap::test
