#include "table.hpp"

namespace kmap::test {

const std::vector<UnaryClaim>& unary_claims() {
  static const std::vector<UnaryClaim> claims = {
      {"sqrt", mpfr_sqrt, 0.5, 0.5, {{0, 10}}, {1, 4}},
  };
  return claims;
}

const std::vector<BinaryClaim>& binary_claims() {
  static const std::vector<BinaryClaim> claims = {
      {"hypot", mpfr_hypot, 1, 1, {{{-2, 2}, {-2, 2}}, {{0, 1}, {0, 1e-3}}}},
  };
  return claims;
}

}  // namespace kmap::test
