// Random maps and collectives against their definitions (reference.hpp). KMAP_SEED chooses others.

#include "conformance/goldens_file.hpp"
#include "conformance/run_case.hpp"
#include "properties/random_case.hpp"
#include "properties/reference.hpp"
#include "support/paths.hpp"
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

bool is_alone() { return runtime().comm().size() == 1; }

// False, with a failure that says all, where an output differs from c.y.
bool expect_outputs(const Case& c, bool all_vmap) {
  std::vector<CaseArray> got;
  try {
    got = run_case(c, runtime().comm(), all_vmap);
  } catch (const NoPmap&) {
    return true;
  } catch (const std::exception& error) {
    ADD_FAILURE() << c << "  threw: " << error.what();
    return false;
  }
  if (!all_vmap && c.levels[0].pmap && !runtime().comm().is_root()) return true;
  if (got.size() != c.y.size()) {
    ADD_FAILURE() << c << "  gave " << got.size() << " outputs";
    return false;
  }
  for (std::size_t k = 0; k < got.size(); ++k) {
    if (const auto wrong = difference(got[k], c.y[k], c.tolerance)) {
      ADD_FAILURE() << c << "  output " << k << ": " << *wrong;
      return false;
    }
  }
  return true;
}

void print_counts(const char* what, const std::map<std::string, int>& counts) {
  if (!runtime().comm().is_root()) return;
  std::cout << what << ", KMAP_SEED=" << seed() << ':';
  for (const auto& [kind, count] : counts) std::cout << ' ' << kind << ' ' << count;
  std::cout << '\n';
}

// The definitions themselves are those of JAX.
TEST(Reference, AgreesWithTheGoldens) {
  if (!runtime().comm().is_root()) return;
  int count = 0;
  for (const Case& c : read_cases(source_dir() / "tests" / "conformance" / "goldens.h5")) {
    // Of no examples the reference cannot tell the shape of a result.
    if (count_of(c.y[0].shape) == 0) continue;
    const auto got = reference::run(c);
    ASSERT_EQ(got.size(), c.y.size()) << c;
    for (std::size_t k = 0; k < got.size(); ++k) {
      const auto wrong = difference(got[k], c.y[k], c.tolerance);
      if (wrong) ADD_FAILURE() << c << "  output " << k << ": " << *wrong;
    }
    ++count;
  }
  EXPECT_GT(count, 180);
}

constexpr int most_failures = 5;
// Cases of a seed from here on are those of pmap.
constexpr int first_of_pmap = 1000000;

TEST(Properties, MapsEqualTheirDefinition) {
  if (!is_alone()) GTEST_SKIP() << "the same on any rank";
  std::map<std::string, int> counts;
  int failures = 0;
  for (int number = 0; number < 6000 && failures < most_failures; ++number) {
    Case c = random_case(seed(), number);
    c.y = reference::run(c);
    if (!expect_outputs(c, true)) ++failures;
    ++counts[c.names.empty() ? c.kind : c.op];
  }
  print_counts("vmap", counts);
}

TEST(Properties, PmapEqualsVmap) {
  std::map<std::string, int> counts;
  int failures = 0;
  const int cases = is_alone() ? 3000 : 1000;
  for (int number = 0; number < cases && failures < most_failures; ++number) {
    Case c = random_case(seed(), first_of_pmap + number);
    c.levels[0].pmap = true;
    c.y = reference::run(c);
    c.y = run_case(c, runtime().comm(), true);
    c.tolerance = 0;
    if (!expect_outputs(c, false)) ++failures;
    ++counts[c.names.empty() ? c.kind : c.op];
    // All ranks stop together.
    failures = static_cast<int>(runtime().comm().max(failures));
  }
  print_counts("pmap", counts);
}

}  // namespace
}  // namespace kmap::test
