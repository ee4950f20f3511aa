#include "table.hpp"

namespace kmap::test {

const std::vector<UnaryClaim>& unary_claims() {
  static const std::vector<UnaryClaim> claims = {
      {"sin", mpfr_sin, 1.6, 1.4, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"cos", mpfr_cos, 1.6, 1.4, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"sin_of_pair", mpfr_sin, 1.6, 1.4, {{-10, 10}}, {1e5}, true},
      {"cos_of_pair", mpfr_cos, 1.6, 1.4, {{-10, 10}}, {1e5}, true},
      {"tan", mpfr_tan, 1.2, 1.1, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"asin", mpfr_asin, 0.8, 0.7, {{-1, 1}, {0.4, 0.6}, {0.99, 1}}, {0.5, 1}},
      {"acos", mpfr_acos, 0.8, 0.7, {{-1, 1}, {0.4, 0.6}, {0.99, 1}}, {0.5, 1}},
      {"atan", mpfr_atan, 0.9, 0.9, {{-5, 5}, {0.3, 0.6}}, {0.41421356, 1, 2.4142135}},
      {"cbrt", mpfr_cbrt, 0.6, 0.6, {{0, 10}, {0, 1e6}}, {1, 8, 27, 64, 125, 1e15}},
      {"sqrt", mpfr_sqrt, 0.5, 0.5, {{0, 10}}, {1, 4}},
  };
  return claims;
}

const std::vector<BinaryClaim>& binary_claims() {
  static const std::vector<BinaryClaim> claims = {
      {"atan2", mpfr_atan2, 0.9, 0.9, {{{-2, 2}, {-2, 2}}, {{0, 1}, {0, 1e-3}}}},
      {"hypot", mpfr_hypot, 0.6, 0.8, {{{-2, 2}, {-2, 2}}, {{0, 1}, {0, 1e-3}}}},
  };
  return claims;
}

}  // namespace kmap::test
