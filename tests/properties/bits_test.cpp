// Bits: sums are formed in one order, whatever the ranks, threads and maps, and what an example
// gives depends on no other.

#include "conformance/run_case.hpp"
#include "properties/random_case.hpp"
#include "properties/reference.hpp"
#include "support/runtime.hpp"

#include <kmap/collectives.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

namespace kmap::test {
namespace {

// Numbers of widely different sizes, whose sums round at every step.
template <class T>
std::vector<T> rounding_numbers(Random& random, std::int64_t n) {
  std::vector<T> x;
  for (std::int64_t i = 0; i < n; ++i) {
    x.push_back(
        static_cast<T>(std::ldexp(random.real(), static_cast<int>(random.between(-20, 20)))));
  }
  return x;
}

template <class T>
CaseArray array_of(const std::vector<std::int64_t>& shape, const std::vector<T>& values) {
  CaseArray array{sizeof(T) == 4 ? "f4" : "f8", shape,
                  std::vector<std::byte>(values.size() * sizeof(T))};
  if (!values.empty()) std::memcpy(array.bytes.data(), values.data(), array.bytes.size());
  return array;
}

// What a collective over levels of these sizes, mapped in front, makes of x.
struct Sum {
  using Groups = std::vector<std::vector<std::int64_t>>;
  Sum(std::string what, std::vector<std::int64_t> lengths, std::vector<std::string> over = {"i"},
      std::optional<Groups> within = std::nullopt)
      : op(std::move(what)),
        sizes(std::move(lengths)),
        names(std::move(over)),
        groups(std::move(within)) {}

  std::string op;
  std::vector<std::int64_t> sizes;
  std::vector<std::string> names;
  std::optional<Groups> groups;
};

template <class T>
Case case_of(const Sum& sum, const std::vector<std::int64_t>& core, const std::vector<T>& x,
             const std::vector<T>& y) {
  Case c;
  c.id = sum.op;
  c.op = sum.op;
  c.names = sum.names;
  c.groups = sum.groups;
  for (std::size_t l = 0; l < sum.sizes.size(); ++l) c.levels.push_back({l == 0, {0}, {0}, -1});
  std::vector<std::int64_t> shape = sum.sizes;
  shape.insert(shape.end(), core.begin(), core.end());
  c.x = {array_of(shape, x)};
  c.y = {array_of(shape, y)};
  return c;
}

// By vmap and by pmap, at as many ranks and threads as this test has.
void expect_bits(const Case& c) {
  for (const bool all_vmap : {true, false}) {
    const auto got = run_case(c, runtime().comm(), all_vmap);
    if (got.empty()) continue;  // pmap, on another rank than the first
    const auto wrong = difference(got.at(0), c.y[0], 0);
    if (wrong) {
      ADD_FAILURE() << (all_vmap ? "by vmap, " : "by pmap, ") << c << *wrong;
    }
  }
}

std::vector<std::int64_t> lengths(Random& random) {
  std::vector<std::int64_t> all = {1,    2,    3,    31,   32,   33,   65,
                                   1023, 1024, 1025, 2047, 2048, 3073, 5000};
  for (int i = 0; i < 8; ++i) all.push_back(random.between(1, 5000));
  return all;
}

template <class T>
T mean_of(const std::vector<T>& x) {
  return reference::tree_sum(x) / static_cast<T>(x.size());
}

template <class T>
void check_lengths() {
  Random random(7);
  int other_bits = 0;
  for (const std::int64_t n : lengths(random)) {
    const auto x = rounding_numbers<T>(random, n);
    const auto count = static_cast<std::size_t>(n);
    expect_bits(case_of(Sum("psum", {n}), {}, x, std::vector<T>(count, reference::tree_sum(x))));
    expect_bits(case_of(Sum("pmean", {n}), {}, x, std::vector<T>(count, mean_of(x))));
    T straight = 0;
    for (const T value : x) straight += value;
    other_bits += straight != reference::tree_sum(x) ? 1 : 0;
  }
  // The order of additions shows.
  EXPECT_GT(other_bits, 10);
}

TEST(Bits, SumsOfDoublesFollowTheTree) { check_lengths<double>(); }
TEST(Bits, SumsOfFloatsFollowTheTree) { check_lengths<float>(); }

// So many that threads add up whole subtrees (core/src/collect/leaves.hpp).
template <class T>
void check_subtrees() {
  if (runtime().comm().size() > 1) GTEST_SKIP() << "the sum of one process";
  Random random(10);
  const std::int64_t enough = 32 * 16 * 1024 * Kokkos::DefaultHostExecutionSpace().concurrency();
  for (const std::int64_t n : {enough, enough + 16 * 1024 + 1023}) {
    const auto x = rounding_numbers<T>(random, n);
    const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged> view(x.data(),
                                                                                  x.size());
    EXPECT_EQ(psum(view)(), reference::tree_sum(x)) << n;
    constexpr std::int64_t width = 3;
    const std::int64_t rows = n - width;
    const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::HostSpace> table("table", rows, width);
    std::vector<std::vector<T>> columns(width);
    for (std::int64_t i = 0; i < rows; ++i) {
      for (std::int64_t e = 0; e < width; ++e) {
        table(i, e) = x[static_cast<std::size_t>(i + e)];
        columns[static_cast<std::size_t>(e)].push_back(table(i, e));
      }
    }
    const auto sums = psum(table);
    for (std::int64_t e = 0; e < width; ++e) {
      EXPECT_EQ(sums(e), reference::tree_sum(columns[static_cast<std::size_t>(e)])) << n;
    }
  }
}

TEST(Bits, SumsOfManyDoublesFollowTheTree) { check_subtrees<double>(); }
TEST(Bits, SumsOfManyFloatsFollowTheTree) { check_subtrees<float>(); }

// Every element of an example has the sum of its own.
TEST(Bits, SumsOfVectors) {
  Random random(8);
  for (const std::int64_t n : lengths(random)) {
    constexpr std::int64_t width = 3;
    const auto x = rounding_numbers<double>(random, n * width);
    std::vector<double> y(x.size());
    for (std::size_t e = 0; e < width; ++e) {
      std::vector<double> column;
      for (std::size_t i = e; i < x.size(); i += width) column.push_back(x[i]);
      const double sum = reference::tree_sum(column);
      for (std::size_t i = e; i < x.size(); i += width) y[i] = sum;
    }
    expect_bits(case_of(Sum("psum", {n}), {width}, x, y));
  }
}

// The tree of a group is over its members as they are listed.
TEST(Bits, SumsOfGroups) {
  Random random(9);
  for (int turn = 0; turn < 12; ++turn) {
    const std::int64_t n = random.between(2, 4000);
    const auto x = rounding_numbers<double>(random, n);
    const auto order = random.permutation(n);
    std::vector<std::vector<std::int64_t>> groups;
    for (std::size_t i = 0; i < order.size();) {
      const auto left = static_cast<std::int64_t>(order.size() - i);
      const auto size = static_cast<std::size_t>(random.between(1, left));
      const auto begin = order.begin() + static_cast<std::ptrdiff_t>(i);
      groups.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
      i += size;
    }
    std::vector<double> sums(x.size());
    std::vector<double> means(x.size());
    for (const auto& group : groups) {
      std::vector<double> members;
      for (const std::int64_t m : group) members.push_back(x[static_cast<std::size_t>(m)]);
      const double sum = reference::tree_sum(members);
      const double mean = mean_of(members);
      for (const std::int64_t m : group) {
        sums[static_cast<std::size_t>(m)] = sum;
        means[static_cast<std::size_t>(m)] = mean;
      }
    }
    expect_bits(case_of(Sum("psum", {n}, {"i"}, groups), {}, x, sums));
    expect_bits(case_of(Sum("pmean", {n}, {"i"}, groups), {}, x, means));
  }
}

// Over one or both of two axes: in the order of the maps, whatever that of the names.
TEST(Bits, SumsOverTwoAxes) {
  Random random(10);
  for (int turn = 0; turn < 8; ++turn) {
    const std::int64_t n = random.between(1, 70);
    const std::int64_t m = random.between(1, 70);
    const auto x = rounding_numbers<double>(random, n * m);
    const auto at = [&](std::int64_t i, std::int64_t j) {
      return static_cast<std::size_t>(i * m + j);
    };
    const auto sum = [&](std::int64_t outer, std::int64_t inner,
                         const std::function<std::size_t(std::int64_t, std::int64_t)>& place) {
      std::vector<double> members;
      for (std::int64_t a = 0; a < outer; ++a) {
        for (std::int64_t b = 0; b < inner; ++b) members.push_back(x[place(a, b)]);
      }
      return reference::tree_sum(members);
    };
    const std::vector<double> both(x.size(), sum(n, m, at));
    std::vector<double> over_i(x.size());
    std::vector<double> over_j(x.size());
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = 0; j < m; ++j) {
        over_i[at(i, j)] = sum(n, 1, [&](std::int64_t k, std::int64_t) { return at(k, j); });
        over_j[at(i, j)] = sum(m, 1, [&](std::int64_t k, std::int64_t) { return at(i, k); });
      }
    }
    expect_bits(case_of(Sum("psum", {n, m}, {"i", "j"}), {}, x, both));
    expect_bits(case_of(Sum("psum", {n, m}, {"j", "i"}), {}, x, both));
    expect_bits(case_of(Sum("psum", {n, m}, {"i"}), {}, x, over_i));
    expect_bits(case_of(Sum("psum", {n, m}, {"j"}), {}, x, over_j));
  }
}

// ---- Examples alone, together, in another order, at ranks

CaseArray rows_of(const CaseArray& x, const std::vector<std::int64_t>& order) {
  CaseArray y{x.type, x.shape, {}};
  y.shape[0] = static_cast<std::int64_t>(order.size());
  const std::size_t row = x.bytes.size() / static_cast<std::size_t>(x.shape[0]);
  for (const std::int64_t i : order) {
    const auto begin =
        x.bytes.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(i) * row);
    y.bytes.insert(y.bytes.end(), begin, begin + static_cast<std::ptrdiff_t>(row));
  }
  return y;
}

// The case with some of its examples, in that order, gives those results.
void expect_rows(const Case& c, const std::vector<std::int64_t>& order, bool pmapped) {
  Case part = c;
  for (CaseArray& x : part.x) x = rows_of(x, order);
  for (CaseArray& y : part.y) y = rows_of(y, order);
  part.levels[0].pmap = pmapped;
  std::vector<CaseArray> got;
  try {
    got = run_case(part, runtime().comm());
  } catch (const NoPmap&) {
    return;
  }
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto wrong = difference(got[k], part.y[k], 0);
    if (wrong) ADD_FAILURE() << part << *wrong;
  }
}

TEST(Bits, AnExampleDoesNotDependOnTheBatch) {
  Random random(11);
  struct Form {
    std::string op;
    std::vector<std::int64_t> core;
    bool scalar_result;
    int arguments;
  };
  const std::vector<Form> forms = {{"sum", {5, 7}, true, 1},   {"sum", {23}, true, 1},
                                   {"square", {}, false, 1},   {"square", {3, 2}, false, 1},
                                   {"dot", {29}, true, 2},     {"subtract", {}, false, 2},
                                   {"subtract", {4}, false, 2}};
  for (const Form& form : forms) {
    const std::int64_t n = random.between(150, 400);
    Case c;
    c.id = c.op = form.op;
    c.levels = {{false, {}, {0}, -1}};
    std::vector<std::int64_t> shape = form.core;
    shape.insert(shape.begin(), n);
    for (int i = 0; i < form.arguments; ++i) {
      c.x.push_back(array_of(shape, rounding_numbers<double>(random, count_of(shape))));
      c.levels[0].in.push_back(0);
    }
    if (form.scalar_result) shape.resize(1);
    c.y = {{"f8", shape, {}}};
    c.y = run_case(c, runtime().comm());
    for (const bool pmapped : {false, true}) {
      for (std::int64_t i = 0; i < n; i += 37) expect_rows(c, {i}, pmapped);
      expect_rows(c, random.permutation(n), pmapped);
      std::vector<std::int64_t> few = random.permutation(n);
      few.resize(static_cast<std::size_t>(random.between(2, n - 1)));
      expect_rows(c, few, pmapped);
    }
  }
}

}  // namespace
}  // namespace kmap::test
