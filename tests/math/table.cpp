#include "table.hpp"

namespace kmap::test {
namespace {

// MPFR takes a millisecond where the result is all but 0 or 2; any such number will do there.
int erfc(mpfr_ptr y, mpfr_srcptr x, mpfr_rnd_t rounding) {
  if (mpfr_cmp_si(x, 40) > 0 && mpfr_inf_p(x) == 0) return mpfr_set_ui_2exp(y, 1, -2000, rounding);
  if (mpfr_cmp_si(x, -12) >= 0 || mpfr_inf_p(x) != 0) return mpfr_erfc(y, x, rounding);
  mpfr_set_ui(y, 2, rounding);
  mpfr_nextbelow(y);
  return 0;
}

}  // namespace

const std::vector<UnaryClaim>& unary_claims() {
  static const std::vector<UnaryClaim> claims = {
      {"sin", mpfr_sin, 1.6, 1.4, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"cos", mpfr_cos, 1.6, 1.4, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"sin_of_pair", mpfr_sin, 1.6, 1.4, {{-10, 10}}, {1e5}, true},
      {"cos_of_pair", mpfr_cos, 1.6, 1.4, {{-10, 10}}, {1e5}, true},
      {"tan", mpfr_tan, 1.2, 1.1, {{-10, 10}, {-1e5, 1e5}}, {1e5}, true},
      {"asin", mpfr_asin, 0.8, 0.7, {{-1, 1}, {0.4, 0.6}, {0.99, 1}}, {0.5, 1}},
      {"acos", mpfr_acos, 0.8, 0.7, {{-1, 1}, {0.4, 0.6}, {0.99, 1}}, {0.5, 1}},
      {"atan", mpfr_atan, 1.0, 0.9, {{-5, 5}, {0.3, 0.6}}, {0.41421356, 1, 2.4142135}},
      {"cbrt", mpfr_cbrt, 0.6, 0.6, {{0, 10}, {0, 1e6}}, {1, 8, 27, 64, 125, 1e15}},
      {"sqrt", mpfr_sqrt, 0.5, 0.5, {{0, 10}}, {1, 4}},
      {"exp",
       mpfr_exp,
       1.0,
       1.0,
       {{-750, 712}, {-104, 90}, {-1, 1}},
       {88.72, 103.97, 709.78, 745.13, 0.34657}},
      {"exp2",
       mpfr_exp2,
       1.5,
       1.5,
       {{-1080, 1030}, {-152, 130}, {-1, 1}},
       {0.5, 1.5, 127, 128, 149, 150, 1022, 1024, 1074, 1075}},
      {"expm1",
       mpfr_expm1,
       1.6,
       1.5,
       {{-40, 40}, {-2, 2}, {88, 89}, {709, 710}},
       {0.34657, 1.0397, 17.3, 37.4, 88.72, 709.78}},
      {"log", mpfr_log, 0.9, 0.9, {{0, 10}, {0.6, 1.6}}, {1, 0.70710678, 1.41421356}},
      {"log2", mpfr_log2, 0.9, 0.9, {{0, 10}, {0.6, 1.6}}, {1, 0.70710678, 1.41421356, 4, 8}},
      {"log10",
       mpfr_log10,
       0.8,
       0.8,
       {{0, 10}, {0.6, 1.6}},
       {1, 0.70710678, 1.41421356, 10, 100, 1000}},
      {"log1p", mpfr_log1p, 0.9, 0.9, {{-1, 10}, {-0.4, 0.6}}, {1, 0.29289322, 0.41421356, 0.5}},
      {"sinh",
       mpfr_sinh,
       1.3,
       1.0,
       {{-1, 1}, {0, 40}, {-5, 5}, {88, 90}, {709, 711}},
       {0.34657, 1.0397, 89.4, 710.4}},
      {"cosh",
       mpfr_cosh,
       0.9,
       0.9,
       {{-1, 1}, {0, 40}, {-5, 5}, {88, 90}, {709, 711}},
       {0.34657, 1.0397, 89.4, 710.4}},
      {"tanh", mpfr_tanh, 1.5, 1.5, {{-1, 1}, {0, 20}, {0.5, 0.6}}, {0.55, 9.01, 18.7}},
      {"erf", mpfr_erf, 1.5, 1.5, {{-1, 1}, {0, 6}, {0.8, 1.2}}, {1, 3.9, 5.9}},
      {"erfc",
       erfc,
       1.8,
       1.7,
       {{-1, 1}, {-6, 0}, {0, 28}, {0, 11}, {0.4, 0.6}},
       {0.4769, 9.19, 10.05, 26.5, 27.2},
       false,
       2000},  // for which MPFR needs most of its time
  };
  return claims;
}

const std::vector<BinaryClaim>& binary_claims() {
  static const std::vector<BinaryClaim> claims = {
      {"atan2", mpfr_atan2, 1.0, 0.9, {{{-2, 2}, {-2, 2}}, {{0, 1}, {0, 1e-3}}}},
      {"pow",
       mpfr_pow,
       1.5,
       1.5,
       {{{0, 10}, {-40, 40}},
        {{0.7, 1.5}, {-2000, 2000}},
        {{0.999, 1.001}, {-1e6, 1e6}},
        {{1e6, 1e30}, {-6, 6}},
        {{1e30, 1e31}, {-10.5, 10}}}},
      {"hypot", mpfr_hypot, 0.6, 0.8, {{{-2, 2}, {-2, 2}}, {{0, 1}, {0, 1e-3}}}},
  };
  return claims;
}

}  // namespace kmap::test
