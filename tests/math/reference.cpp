#include "reference.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace kmap::test {

template <class T>
void Correct<T>::set(UnaryReference f, T x) {
  mpfr_set_d(x_, static_cast<double>(x), MPFR_RNDN);
  f(result_, x_, MPFR_RNDN);
}

template <class T>
void Correct<T>::set(BinaryReference f, T x, T y) {
  mpfr_set_d(x_, static_cast<double>(x), MPFR_RNDN);
  mpfr_set_d(y_, static_cast<double>(y), MPFR_RNDN);
  f(result_, x_, y_, MPFR_RNDN);
}

template <class T>
double Correct<T>::distance(T y) {
  using Limits = std::numeric_limits<T>;
  constexpr double wrong = std::numeric_limits<double>::infinity();
  const bool nan = mpfr_nan_p(result_) != 0;
  if (nan || std::isnan(y)) return nan && std::isnan(y) ? 0 : wrong;
  if ((mpfr_signbit(result_) != 0) != std::signbit(y)) return wrong;
  if (mpfr_zero_p(result_) != 0) return y == 0 ? 0 : wrong;
  if (mpfr_inf_p(result_) != 0) return std::isinf(y) ? 0 : wrong;
  mpfr_abs(x_, result_, MPFR_RNDN);
  // MPFR's mantissas are in [1/2, 1).
  const mpfr_exp_t exponent = mpfr_get_exp(x_);
  const mpfr_exp_t most = Limits::max_exponent;
  if (exponent > most) mpfr_set_ui_2exp(x_, 1, most, MPFR_RNDN);
  if (std::isinf(y)) {
    mpfr_set_ui_2exp(y_, 1, most, MPFR_RNDN);
  } else {
    mpfr_set_d(y_, std::fabs(static_cast<double>(y)), MPFR_RNDN);
  }
  mpfr_sub(y_, y_, x_, MPFR_RNDN);
  const mpfr_exp_t last =
      std::clamp<mpfr_exp_t>(exponent, Limits::min_exponent, most) - Limits::digits;
  mpfr_mul_2si(y_, y_, -last, MPFR_RNDN);
  return std::fabs(mpfr_get_d(y_, MPFR_RNDN));
}

template class Correct<float>;
template class Correct<double>;

}  // namespace kmap::test
