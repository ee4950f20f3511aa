// Collectives between maps, on distributed arrays and on Views: random ones against the definition.

#include "conformance/functors.hpp"
#include "properties/random_case.hpp"
#include "properties/reference.hpp"
#include "support/runtime.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <map>

namespace kmap::test {
namespace {

std::uint64_t seed() {
  const char* const text = std::getenv("KMAP_SEED");
  return text == nullptr ? 1 : std::strtoull(text, nullptr, 10);
}

// The collective of the case on x; `g` are the groups, if any.
template <class X, class... G>
void call(const Case& c, const X& x, std::vector<CaseArray>& result, const G&... g) {
  const auto give = [&](const auto& y) { keep(y, result); };
  switch (op_of(c)) {
    case Op::psum:
      return give(psum(x, g...));
    case Op::pmean:
      return give(pmean(x, g...));
    case Op::pmax:
      return give(pmax(x, g...));
    case Op::pmin:
      return give(pmin(x, g...));
    case Op::psum_scatter:
      if (c.tiled) return give(psum_scatter(x, scatter_dimension(c.axis), tiled, g...));
      return give(psum_scatter(x, scatter_dimension(c.axis), g...));
    case Op::all_gather:
      if (c.tiled) return give(all_gather(x, axis(c.axis), tiled, g...));
      return give(all_gather(x, axis(c.axis), g...));
    case Op::all_to_all:
      if (c.tiled) return give(all_to_all(x, c.split, c.concat, tiled, g...));
      return give(all_to_all(x, c.split, c.concat, g...));
    case Op::pswapaxes:
      return give(pswapaxes(x, c.axis, g...));
    case Op::ppermute:
      return give(ppermute(x, Pairs(c.pairs)));
    case Op::ring:
      return give(ppermute(x, ring(c.source)));
    case Op::pshuffle:
      return give(pshuffle(x, Permutation(c.permutation)));
    default:
      return give(pbroadcast(x, c.source));
  }
}

template <class X>
std::vector<CaseArray> run_between_maps(const Case& c, const X& x) {
  std::vector<CaseArray> result;
  if (c.groups) {
    call(c, x, result, AxisIndexGroups(*c.groups));
  } else {
    call(c, x, result);
  }
  return result;
}

// Made of a random case of one level and examples of rank 1: the mapped axis is the distributed
// one.
std::optional<Case> case_between_maps(int number) {
  Case c = random_case(seed(), number);
  if (c.names.empty() || c.levels.size() != 1 || !c.levels[0].in[0] || c.x[0].type != "f8" ||
      c.x[0].shape.size() != 2 || c.op.starts_with("axis")) {
    return std::nullopt;
  }
  int& from = *c.levels[0].in[0];
  if (from < 0) from += 2;
  const bool gives_one =
      !c.groups && (c.op == "psum" || c.op == "pmean" || c.op == "pmax" || c.op == "pmin" ||
                    c.op == "all_gather" || c.op == "pbroadcast");
  const bool is_number = c.op == "psum_scatter" && !c.tiled;
  c.levels[0].out[0] = gives_one ? std::nullopt : std::optional<int>(is_number ? 0 : from);
  c.y = reference::run(c);
  return c;
}

void expect_result(const Case& c, const std::vector<CaseArray>& got, bool here) {
  if (!here) return;
  ASSERT_EQ(got.size(), 1u) << c;
  const auto wrong = difference(got[0], c.y[0], c.tolerance);
  if (wrong) ADD_FAILURE() << c << *wrong;
}

constexpr int first_number = 2000000;

TEST(BetweenMaps, OnDistributedArrays) {
  const Communicator& comm = runtime().comm();
  std::map<std::string, int> counts;
  for (int number = first_number; number < first_number + 5000; ++number) {
    const auto c = case_between_maps(number);
    if (!c) continue;
    const Argument<double, 2> x(*c, 0);
    try {
      const auto got = run_between_maps(*c, scatter(comm, x.view(), *c->levels[0].in[0]));
      // Results that all get alike are on every rank.
      expect_result(*c, got, comm.is_root() || !c->levels[0].out[0]);
    } catch (const std::exception& error) {
      ADD_FAILURE() << *c << "  threw: " << error.what();
    }
    ++counts[c->op];
  }
  if (!comm.is_root()) return;
  std::cout << "arrays, KMAP_SEED=" << seed() << ':';
  for (const auto& [op, count] : counts) std::cout << ' ' << op << ' ' << count;
  std::cout << '\n';
  EXPECT_EQ(counts.size(), 12u);
}

TEST(BetweenMaps, OnViews) {
  if (runtime().comm().size() > 1) GTEST_SKIP() << "the same on any rank";
  int count = 0;
  for (int number = first_number; number < first_number + 5000; ++number) {
    const auto c = case_between_maps(number);
    if (!c || *c->levels[0].in[0] != 0) continue;
    const Argument<double, 2> x(*c, 0);
    try {
      expect_result(*c, run_between_maps(*c, x.view()), true);
    } catch (const std::exception& error) {
      ADD_FAILURE() << *c << "  threw: " << error.what();
    }
    ++count;
  }
  EXPECT_GT(count, 100);
}

}  // namespace
}  // namespace kmap::test
