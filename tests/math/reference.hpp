#pragma once
// Results of MPFR, and how far others are from them.

#include <mpfr.h>

namespace kmap::test {

/// A number of MPFR's, of more than twice the precision of a double.
class Exact {
 public:
  explicit Exact(mpfr_prec_t precision = 120) { mpfr_init2(number_, precision); }
  ~Exact() { mpfr_clear(number_); }
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  operator mpfr_ptr() { return number_; }

 private:
  mpfr_t number_;
};

using UnaryReference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_rnd_t);
using BinaryReference = int (*)(mpfr_ptr, mpfr_srcptr, mpfr_srcptr, mpfr_rnd_t);

/// f(x), and how far numbers are from it.
template <class T>
class Correct {
 public:
  void set(UnaryReference f, T x);
  void set(BinaryReference f, T x, T y);

  /// The distance of y in units in the last place that f(x) has as a T. An infinity counts as the
  /// power of two beyond the largest T. Infinite where only one is NaN, where signs differ, and
  /// where only f(x) is 0 or infinite.
  double distance(T y);

 private:
  Exact x_;
  Exact y_;
  Exact result_;
};

}  // namespace kmap::test
