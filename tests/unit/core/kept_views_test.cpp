// Memory of large arrays that nobody holds any more: found again, never while it is held, limited.

#include "kmap/detail/kept_views.hpp"

#include "arrays.hpp"
#include "support/runtime.hpp"

#include "kmap/detail/views.hpp"
#include "kmap/vmap.hpp"

#include <gtest/gtest.h>

#include <set>
#include <thread>

namespace kmap::test {
namespace {

constexpr std::size_t large = std::size_t{1} << 20;
constexpr std::int64_t bytes = std::int64_t{8} << 20;  // of that many doubles

Vector<double> made(std::size_t n = large) {
  return detail::make_view<Vector<double>>("made", {static_cast<std::int64_t>(n)});
}

class Memory : public ::testing::Test {
 protected:
  void SetUp() override {
    detail::kept_views().clear();
    detail::kept_views().set_limit(32 * bytes);
  }
  void TearDown() override { detail::kept_views().clear(); }
};

template <class T>
void expect_turns() {
  const auto x = detail::make_view<Vector<T>>("x", {large});
  std::set<const void*> places;
  Vector<T> y;
  for (int i = 1; i <= 6; ++i) {
    Kokkos::deep_copy(x, static_cast<T>(i));
    y = vmap(Square{})(x);
    places.insert(y.data());
    ASSERT_EQ(y(0), static_cast<T>(i * i));
    ASSERT_EQ(y(large - 1), static_cast<T>(i * i));
  }
  EXPECT_EQ(places.size(), 2u);
}

TEST_F(Memory, OutputsOfALoopTakeTurns) {
  expect_turns<double>();
  expect_turns<float>();
}

TEST_F(Memory, IsFoundAgain) {
  const auto x = made();
  Kokkos::deep_copy(x, 3.0);
  const void* first = vmap(Square{})(x).data();
  for (int i = 0; i < 4; ++i) EXPECT_EQ(vmap(Square{})(x).data(), first);
}

TEST_F(Memory, IsFoundByTypeAndShape) {
  using Left = Matrix<double, Kokkos::LayoutLeft>;
  const std::set<const void*> places = {
      made().data(),
      made(2 * large).data(),
      detail::make_view<Matrix<double>>("made", {2, large}).data(),
      detail::make_view<Matrix<double>>("made", {large, 2}).data(),
      detail::make_view<Left>("made", {large, 2}).data(),
      detail::make_view<Vector<double>>("other", {large}).data()};
  const auto again = made(2 * large);
  const auto left = detail::make_view<Left>("made", {large, 2});
  EXPECT_TRUE(places.contains(left.data()));
  EXPECT_EQ(left.extent(0), large);
  EXPECT_EQ(again.extent(0), 2 * large);
  EXPECT_EQ(again.label(), "made");
}

TEST_F(Memory, StaysWithWhoeverHoldsAnyOfIt) {
  auto y = made();
  const void* memory = y.data();
  Kokkos::View<const double*, Kokkos::LayoutRight, Kokkos::HostSpace> part =
      Kokkos::subview(y, Kokkos::make_pair(5, 7));
  y = {};
  for (int i = 0; i < 3; ++i) EXPECT_NE(made().data(), memory);
  part = {};
  const auto one = made();
  const auto other = made();
  EXPECT_TRUE(one.data() == memory || other.data() == memory);
  EXPECT_NE(one.data(), other.data());
}

TEST_F(Memory, OfADonatedArrayIsTheOutputs) {
  auto x = made();
  Kokkos::deep_copy(x, 3.0);
  const void* memory = x.data();
  auto y = vmap(Square{})(donate(x));
  EXPECT_EQ(y.data(), memory);
  const auto z = made();
  Kokkos::deep_copy(z, 1.0);
  EXPECT_EQ(y(large / 2), 9);
  y = {};
  EXPECT_EQ(made().data(), memory);
}

TEST_F(Memory, OfSmallArraysIsNotKept) {
  EXPECT_EQ(made(1000).use_count(), 1);
  EXPECT_EQ(made().use_count(), 2);
}

TEST_F(Memory, IsNeverSharedByThreads) {
  const auto work = [](double mark, int& mistakes) {
    for (int i = 0; i < 200; ++i) {
      const auto y = made();
      y(0) = y(large - 1) = mark + i;
      std::this_thread::yield();
      mistakes += y(0) != mark + i || y(large - 1) != mark + i;
    }
  };
  int mistakes = 0;
  int others = 0;
  std::thread other([&] { work(1000, others); });
  work(0, mistakes);
  other.join();
  EXPECT_EQ(mistakes + others, 0);
}

TEST_F(Memory, IsReleased) {
  const auto y = made();
  EXPECT_EQ(y.use_count(), 2);
  runtime().release_memory();
  EXPECT_EQ(y.use_count(), 1);
  EXPECT_EQ(made().use_count(), 2) << "later ones are kept again";
}

TEST_F(Memory, IsNotKeptBeyondTheRuntime) {
  int argc = 0;
  char* argv[] = {nullptr};
  Vector<double> y;
  {
    const Runtime inner(argc, argv);
    y = made();
    EXPECT_EQ(y.use_count(), 2);
  }
  EXPECT_EQ(y.use_count(), 1);
  EXPECT_EQ(made().use_count(), 1);
}

// As make_view does.
Vector<double> add_to(detail::KeptViews& views, std::size_t n = large) {
  views.make_room(bytes);
  const Vector<double> view("view", n);
  views.add(view, bytes);
  return view;
}

TEST(KeptViews, HoldNothingWithoutALimit) {
  detail::KeptViews views;
  EXPECT_EQ(add_to(views).use_count(), 1);
}

TEST(KeptViews, LetTheLastUsedGo) {
  detail::KeptViews views;
  views.set_limit(3 * bytes);
  const auto a = add_to(views);
  auto b = add_to(views);
  const auto c = add_to(views);
  const void* memory = b.data();
  b = {};
  b = views.find<Vector<double>>("view", {large}).value_or(Vector<double>());
  EXPECT_EQ(b.data(), memory);
  const auto d = add_to(views);
  EXPECT_EQ(a.use_count(), 1) << "the one not used for longest";
  EXPECT_EQ(b.use_count(), 2);
  EXPECT_EQ(c.use_count(), 2);
  EXPECT_EQ(d.use_count(), 2);
  views.set_limit(bytes);
  EXPECT_EQ(b.use_count() + c.use_count() + d.use_count(), 4);
  views.set_limit(bytes - 1);
  EXPECT_EQ(add_to(views).use_count(), 1) << "larger than the limit";
}

TEST(KeptViews, HoldNoMoreThanWasInUseAtOnce) {
  const auto has = [](detail::KeptViews& views, std::int64_t n) {
    return views.find<Vector<double>>("view", {n}).has_value();
  };
  detail::KeptViews views;
  views.set_limit(100 * bytes);
  for (const std::size_t n : {1, 2, 3}) add_to(views, n);
  EXPECT_FALSE(has(views, 1));
  EXPECT_TRUE(has(views, 2));
  EXPECT_TRUE(has(views, 3));
  {
    const auto held = add_to(views, 4);
    const auto too = add_to(views, 5);
  }
  add_to(views, 6);
  EXPECT_FALSE(has(views, 3));
  for (const std::int64_t n : {4, 5, 6}) EXPECT_TRUE(has(views, n)) << n;
}

}  // namespace
}  // namespace kmap::test
