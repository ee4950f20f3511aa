// Operands that are made only where they are needed, and functions that stop when their results
// stand in: the same numbers, for fewer calls.

#include "arrays.hpp"

#include "kmap/collectives.hpp"
#include "kmap/pmap.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>

namespace kmap::test {
namespace {

const Communicator& comm() { return runtime().comm(); }

// What functions on a host have done, on this rank.
struct Counts {
  std::atomic<int> bodies = 0;
  std::atomic<int> operands = 0;
  std::atomic<int> elements = 0;
};

constexpr int turns = 12;

// Two centres that each turn moves to the mean of what lies next to them.
struct TwoMeans {
  Counts* counts;
  template <class C>
  double operator()(C& c, double x) const {
    double low = -1;
    double high = 1;
    for (int turn = 0; turn < turns; ++turn) {
      ++counts->bodies;
      const auto sums = psum<"i">(c, [&] {
        ++counts->operands;
        const bool is_low = std::abs(x - low) < std::abs(x - high);
        return is_low ? vec<double, 4>{x, 1, 0, 0} : vec<double, 4>{0, 0, x, 1};
      });
      if (stands_in(c)) return 0;
      low = sums[0] / sums[1];
      high = sums[2] / sums[3];
    }
    return std::abs(x - low) < std::abs(x - high) ? low : high;
  }
};

// The same, always made and never stopped.
struct PlainTwoMeans {
  Counts* counts;
  template <class C>
  double operator()(C& c, double x) const {
    double low = -1;
    double high = 1;
    for (int turn = 0; turn < turns; ++turn) {
      ++counts->bodies;
      const bool is_low = std::abs(x - low) < std::abs(x - high);
      const auto sums =
          psum<"i">(c, is_low ? vec<double, 4>{x, 1, 0, 0} : vec<double, 4>{0, 0, x, 1});
      low = sums[0] / sums[1];
      high = sums[2] / sums[3];
    }
    return std::abs(x - low) < std::abs(x - high) ? low : high;
  }
};

TEST(MadeOperands, ALoopOfCollectivesMakesEachOnce) {
  const std::int64_t n = 203;
  const auto x = detail::make_host_array<double, 1>({n});
  for (std::int64_t i = 0; i < n; ++i) {
    x(static_cast<std::size_t>(i)) = (i % 2 == 0 ? -3.0 : 5.0) + 0.01 * static_cast<double>(i % 7);
  }
  Counts lazy;
  Counts plain;
  const auto y = gather(pmap(TwoMeans{&lazy}, axis_name<"i">)(scatter(comm(), x)));
  const auto z = gather(pmap(PlainTwoMeans{&plain}, axis_name<"i">)(scatter(comm(), x)));
  if (comm().is_root()) {
    for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(y(i), z(i));
    EXPECT_LT(y(0), -2.9);
    EXPECT_GT(y(1), 4.9);
  }
  // Each example makes every operand once, one example of each rank in the probes once more.
  const auto mine = static_cast<int>(shard_of(n, comm().size(), comm().rank()).size());
  EXPECT_EQ(lazy.operands, mine * turns + turns);
  // Turn t has been begun in runs t to m, and by the last run.
  EXPECT_LE(lazy.bodies, (mine + 1) * (turns * (turns + 1) / 2 + turns));
  EXPECT_GE(plain.bodies, mine * turns * (turns + 1));
}

// ---- computed

struct Table {
  std::int64_t rows;
  Counts* counts;
  template <class C>
  double operator()(C& c, double x) const {
    const auto sums = psum<"i">(c, computed<double>({rows, 3}, [&](std::int64_t r, std::int64_t k) {
                                  ++counts->elements;
                                  return x * static_cast<double>(10 * r + k);
                                }));
    static_assert(std::is_same_v<std::remove_const_t<decltype(sums)>, Example<const double, 2>>);
    const double last = pmax<"i">(c, sums(rows - 1, 2));
    return sums(0, 1) + 1000 * last;
  }
};

TEST(MadeOperands, AComputedOneHasNoMemory) {
  for (const std::int64_t n : {1, 5, 1500}) {
    const auto x = detail::make_host_array<double, 1>({n});
    Kokkos::deep_copy(x, 2.0);
    Counts counts;
    const auto y = gather(pmap(Table{4, &counts}, axis_name<"i">)(scatter(comm(), x)));
    const auto count = static_cast<double>(n);
    if (comm().is_root()) {
      for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(y(i), 2 * count + 1000 * (2 * 32 * count));
    }
    const auto mine = static_cast<int>(shard_of(n, comm().size(), comm().rank()).size());
    EXPECT_EQ(counts.elements, mine * 12);
  }
}

struct GatherComputed {
  template <class C>
  double operator()(C& c, double x) const {
    const auto all = all_gather<"i">(
        c, computed<double>({2}, [&](std::int64_t k) { return x + 0.5 * static_cast<double>(k); }));
    static_assert(std::is_same_v<std::remove_const_t<decltype(all)>, Example<const double, 2>>);
    const auto one = all_to_all<"i">(
        c,
        [&] {
          return computed<double>({all.extent(0)},
                                  [&](std::int64_t j) { return x * 100 + static_cast<double>(j); });
        },
        0, 0);
    double sum = 0;
    for (std::int64_t i = 0; i < all.extent(0); ++i) sum += all(i, 1) + one(i);
    return sum;
  }
};

TEST(MadeOperands, AllCollectivesTakeThem) {
  const std::int64_t n = 6;
  const auto x = detail::make_host_array<double, 1>({n});
  for (std::int64_t i = 0; i < n; ++i) x(static_cast<std::size_t>(i)) = static_cast<double>(i);
  const auto y = gather(pmap(GatherComputed{}, axis_name<"i">)(scatter(comm(), x)));
  if (!comm().is_root()) return;
  for (std::int64_t i = 0; i < n; ++i) {
    EXPECT_EQ(y(i), 15 + 0.5 * 6 + 1500 + 6 * static_cast<double>(i));
  }
}

// ---- Several at once, and what is thrown

struct Pair {
  Counts* counts;
  template <class C>
  double operator()(C& c, double x) const {
    // Made together, and each for itself.
    const auto [sum, number] = psum<"i">(c, [&] {
      ++counts->operands;
      return std::tuple{x, 1};
    });
    const auto [least, greatest] = pmin<"i">(c, std::tuple{[&] { return x; }, -x});
    return sum / number + 1000 * (-greatest - least);
  }
};

TEST(MadeOperands, SeveralAtOnce) {
  const std::int64_t n = 11;
  const auto x = detail::make_host_array<double, 1>({n});
  for (std::int64_t i = 0; i < n; ++i) x(static_cast<std::size_t>(i)) = static_cast<double>(i);
  Counts counts;
  const auto y = gather(pmap(Pair{&counts}, axis_name<"i">)(scatter(comm(), x)));
  if (comm().is_root()) {
    for (std::int64_t i = 0; i < n; ++i) EXPECT_EQ(y(i), 5 + 1000 * 10);
  }
  const auto mine = static_cast<int>(shard_of(n, comm().size(), comm().rank()).size());
  EXPECT_EQ(counts.operands, mine > 0 ? mine + 1 : 0);
}

struct ThrowsInOperand {
  int part;
  template <class C>
  double operator()(C& c, double x) const {
    const auto make = [&](int at) {
      return [this, at, x] {
        if (at == part && x > 2) throw std::runtime_error("the operand broke");
        return x;
      };
    };
    const auto [a, b] = psum<"i">(c, std::tuple{make(0), make(1)});
    const auto d = pmax<"i">(c, computed<double>({2}, [&](std::int64_t) {
                               if (part == 2 && x > 2)
                                 throw std::runtime_error("the operand broke");
                               return x;
                             }));
    return a + b + d(0);
  }
};

TEST(MadeOperands, WhatTheyThrowComesOut) {
  const std::int64_t n = 8;
  const auto x = detail::make_host_array<double, 1>({n});
  for (std::int64_t i = 0; i < n; ++i) x(static_cast<std::size_t>(i)) = static_cast<double>(i);
  const auto shards = scatter(comm(), x);
  for (const int part : {0, 1, 2}) {
    EXPECT_THROW(pmap(ThrowsInOperand{part}, axis_name<"i">)(shards), Error) << part;
  }
  const auto y = gather(pmap(ThrowsInOperand{3}, axis_name<"i">)(shards));
  if (comm().is_root()) {
    EXPECT_EQ(y(0), 28 + 28 + 7);
  }
}

}  // namespace
}  // namespace kmap::test
