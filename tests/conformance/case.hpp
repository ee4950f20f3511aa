#pragma once
// A map of a function of one example, perhaps with one collective, as data: what the goldens hold
// and what random tests draw. run_case.hpp runs it with the library, properties/reference.hpp by
// the definitions.

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace kmap::test {

// Row-major. `type` is NumPy's short name ("bool", "i1" … "c16").
struct CaseArray {
  std::string type;
  std::vector<std::int64_t> shape;
  std::vector<std::byte> bytes;

  bool operator==(const CaseArray&) const = default;
};

std::size_t bytes_of(const std::string& type);
std::int64_t count_of(const std::vector<std::int64_t>& shape);

// One vmap or pmap.
struct MapLevel {
  bool pmap = false;
  std::vector<std::optional<int>> in;   // one per argument; nothing: not mapped
  std::vector<std::optional<int>> out;  // one per output
  std::int64_t size = -1;               // -1: as the arguments say
};

// How an argument lies in memory.
enum class CaseLayout { right, left, padded };

struct Case {
  std::string id;
  std::string kind;
  std::string op;
  std::vector<MapLevel> levels;    // outermost first; the axes are called i, j, k
  bool shadowed = false;           // … but here both are called i
  std::vector<std::string> names;  // that the collective works over; none: no collective
  int axis = 0;                    // of psum_scatter, all_gather, pswapaxes
  int split = 0;
  int concat = 0;
  bool tiled = false;
  std::int64_t source = 0;
  std::optional<std::vector<std::vector<std::int64_t>>> groups;
  std::vector<std::pair<std::int64_t, std::int64_t>> pairs;
  std::vector<std::int64_t> permutation;
  std::vector<CaseArray> x;
  std::vector<CaseLayout> layouts;  // of the arguments; none: all right
  std::vector<CaseArray> y;         // what has to come out
  double tolerance = 0;             // relative; 0: the same bits
};

// Everything that the case is, to be read when it fails.
std::ostream& operator<<(std::ostream& stream, const Case& c);
std::ostream& operator<<(std::ostream& stream, const CaseArray& array);

// What is wrong with `got`, or nothing.
std::optional<std::string> difference(const CaseArray& got, const CaseArray& wanted,
                                      double tolerance);

}  // namespace kmap::test
