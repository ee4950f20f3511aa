// Random collectives with one argument made wrong: a ShapeError on every rank, before any result.

#include "conformance/run_case.hpp"
#include "properties/random_case.hpp"
#include "properties/reference.hpp"
#include "support/runtime.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

namespace kmap::test {
namespace {

std::int64_t length_of(const Case& c) {
  // As axis_size, by the definition.
  Case size = c;
  size.op = "axis_size";
  size.groups.reset();
  for (MapLevel& level : size.levels) level.out = {0};
  const reference::Tensor n = reference::from_bytes(reference::run(size)[0]);
  return static_cast<std::int64_t>(n.values.at(0).real());
}

int core_rank_of(const Case& c) {
  int rank = static_cast<int>(c.x[0].shape.size());
  for (const MapLevel& level : c.levels) rank -= level.in[0] ? 1 : 0;
  return rank;
}

// Makes an axis number wrong, below or above.
void spoil(Random& random, int& axis, int rank) {
  axis = random.chance(50) ? rank + static_cast<int>(random.between(0, 3))
                           : -rank - 1 - static_cast<int>(random.between(0, 3));
}

// What was made wrong, or nothing if there is nothing to it.
std::string spoil(Random& random, Case& c) {
  const std::int64_t n = length_of(c);
  const int rank = core_rank_of(c);
  if (c.groups && random.chance(60)) {
    auto& groups = *c.groups;
    auto& group = groups[static_cast<std::size_t>(
        random.between(0, static_cast<std::int64_t>(groups.size()) - 1))];
    switch (random.between(0, 2)) {
      case 0:
        group[0] = n + random.between(0, 2);
        return "an index beyond the axis";
      case 1:
        group[0] = -1;
        return "a negative index";
      default:
        if (n == 1) return "";
        group[0] = (group[0] + 1) % n;  // that index is twice there, the old one nowhere
        return "an index twice";
    }
  }
  if (c.op == "all_gather") {
    spoil(random, c.axis, c.tiled ? rank : rank + 1);
    return "axis of all_gather";
  }
  if (c.op == "psum_scatter") {
    spoil(random, c.axis, rank);
    return "scatter_dimension";
  }
  if (c.op == "pswapaxes") {
    spoil(random, c.axis, rank);
    return "axis of pswapaxes";
  }
  if (c.op == "all_to_all") {
    spoil(random, random.chance(50) ? c.split : c.concat, rank);
    return "axis of all_to_all";
  }
  if (c.op == "pbroadcast") {
    c.source = random.chance(50) ? n + random.between(0, 2) : -1;
    return "source";
  }
  if (c.op == "pshuffle") {
    switch (random.between(0, 2)) {
      case 0:
        c.permutation.push_back(0);
        return "a permutation that is too long";
      case 1:
        c.permutation.pop_back();
        return "a permutation that is too short";
      default:
        c.permutation[0] = n > 1 ? c.permutation[1] : 1;
        return "a permutation that repeats";
    }
  }
  if (c.op == "ppermute" && !c.pairs.empty()) {
    switch (random.between(0, 3)) {
      case 0:
        c.pairs[0].second = n;
        return "a destination beyond the axis";
      case 1:
        c.pairs[0].first = -1;
        return "a negative source";
      case 2:
        if (c.pairs.size() < 2) return "";
        c.pairs[0].second = c.pairs[1].second;
        return "a destination twice";
      default:
        if (c.pairs.size() < 2) return "";
        c.pairs[0].first = c.pairs[1].first;
        return "a source twice";
    }
  }
  return "";
}

TEST(Misuse, IsAShapeErrorOnEveryRank) {
  constexpr int first_number = 3000000;
  std::map<std::string, int> counts;
  int failures = 0;
  for (int number = first_number; number < first_number + 3000 && failures < 5; ++number) {
    Case c = random_case(1, number);
    if (c.names.empty() || c.kind != "collective" || c.op.starts_with("axis")) continue;
    c.y = reference::run(c);
    Random random(static_cast<std::uint64_t>(number));
    const std::string what = spoil(random, c);
    if (what.empty()) continue;
    c.levels[0].pmap = runtime().comm().size() > 1 || random.chance(50);
    ++counts[what];
    try {
      run_case(c, runtime().comm());
      ADD_FAILURE() << what << " was taken: " << c;
      ++failures;
    } catch (const ShapeError& error) {
      EXPECT_FALSE(std::string(error.what()).empty());
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_data) << what << ": " << error.what() << '\n' << c;
    } catch (const std::exception& error) {
      ADD_FAILURE() << what << " threw another exception: " << error.what() << '\n' << c;
      ++failures;
    }
    failures = static_cast<int>(runtime().comm().max(failures));
  }
  int all = 0;
  for (const auto& [what, count] : counts) {
    EXPECT_GT(count, 4) << what;
    all += count;
  }
  if (runtime().comm().is_root())
    std::cout << all << " mistakes of " << counts.size() << " kinds\n";
}

}  // namespace
}  // namespace kmap::test
