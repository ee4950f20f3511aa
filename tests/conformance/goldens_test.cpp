// What JAX makes of maps and collectives, and what the library makes of them: every case of
// goldens.h5, at any number of ranks.

#include "conformance/goldens_file.hpp"
#include "conformance/run_case.hpp"
#include "support/paths.hpp"
#include "support/runtime.hpp"

#include <gtest/gtest.h>

#include <iostream>
#include <map>

namespace kmap::test {
namespace {

const std::vector<Case>& cases() {
  static const std::vector<Case> all =
      read_cases(source_dir() / "tests" / "conformance" / "goldens.h5");
  return all;
}

bool is_pmapped(const Case& c) { return c.levels.front().pmap; }

// Runs the case; all ranks that get results compare them. False if it is not compiled in.
bool expect_golden(const Case& c, bool all_vmap) {
  std::vector<CaseArray> got;
  try {
    got = run_case(c, runtime().comm(), all_vmap);
  } catch (const NoPmap&) {
    return false;
  } catch (const std::exception& error) {
    ADD_FAILURE() << c << "  threw: " << error.what();
    return true;
  }
  const bool here = all_vmap || !is_pmapped(c) || runtime().comm().is_root();
  if (!here) return true;
  if (got.size() != c.y.size()) {
    ADD_FAILURE() << c << "  gave " << got.size() << " outputs";
    return true;
  }
  for (std::size_t k = 0; k < got.size(); ++k) {
    const auto wrong = difference(got[k], c.y[k], c.tolerance);
    if (wrong) ADD_FAILURE() << c << "  output " << k << ": " << *wrong;
  }
  return true;
}

void print_counts(const char* what, const std::map<std::string, int>& counts) {
  if (!runtime().comm().is_root()) return;
  std::cout << what << ':';
  for (const auto& [kind, count] : counts) std::cout << ' ' << kind << ' ' << count;
  std::cout << '\n';
}

// The kinds of the file; a new one has to be run somewhere.
TEST(Goldens, AreOfKnownKinds) {
  std::map<std::string, int> counts;
  for (const Case& c : cases()) ++counts[c.kind];
  print_counts("cases", counts);
  EXPECT_GE(cases().size(), 180u);
  for (const auto& [kind, count] : counts) {
    EXPECT_TRUE(kind == "vmap" || kind == "vmap_collective" || kind == "pmap" ||
                kind == "pmap_collective" || kind == "pmap_vmap" || kind == "mesh")
        << kind;
    EXPECT_GT(count, 0);
  }
  for (const Case& c : cases()) EXPECT_EQ(is_pmapped(c), !c.kind.starts_with("vmap")) << c;
}

// Alone: every map by vmap, also what JAX does by pmap.
TEST(Goldens, ByVmap) {
  if (runtime().comm().size() > 1) GTEST_SKIP() << "the same on any rank";
  std::map<std::string, int> counts;
  for (const Case& c : cases()) {
    EXPECT_TRUE(expect_golden(c, true)) << c;
    ++counts[c.kind];
  }
  print_counts("ran by vmap", counts);
}

TEST(Goldens, ByPmap) {
  std::map<std::string, int> counts;
  for (const Case& c : cases()) {
    if (!is_pmapped(c)) continue;
    EXPECT_TRUE(expect_golden(c, false)) << "not run: " << c;
    ++counts[c.kind];
  }
  print_counts("ran by pmap", counts);
}

// Cases that JAX can only do by vmap, with the outermost one a pmap.
TEST(Goldens, ByPmapInsteadOfVmap) {
  std::map<std::string, int> counts;
  for (Case c : cases()) {
    if (is_pmapped(c)) continue;
    c.levels.front().pmap = true;
    if (expect_golden(c, false)) ++counts[c.kind];
  }
  print_counts("ran by pmap instead", counts);
  EXPECT_GT(counts["vmap"], 50);
  EXPECT_GT(counts["vmap_collective"], 200);
}

}  // namespace
}  // namespace kmap::test
