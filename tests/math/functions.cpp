#include "functions.hpp"

#include <kmap/detail/math/trial.hpp>
#include <kmap/math.hpp>

#include <array>

namespace kmap::test {
namespace {

/// A trial and, where it fails, the loop again, as maps on hosts do it.
template <class Step>
[[gnu::always_inline]] inline void run(std::size_t n, const Step& step) {
  detail::Trials trials;
  detail::way = detail::Way::trial;
#pragma omp simd
  for (std::size_t i = 0; i < n; ++i) step(i);
  if (trials.end()) return;
  for (std::size_t i = 0; i < n; ++i) step(i);
  trials.forget();
}

// What is called twice would else be a function of its own. vectorises.cmake looks for functions of
// this name.
template <class F, class T>
void many(const T* x, T* y, std::size_t n) {
  run(n, [=](std::size_t i) __attribute__((always_inline)) { y[i] = F::of(x[i]); });
}
template <class F, class T>
void many(const T* x, const T* y, T* z, std::size_t n) {
  run(n, [=](std::size_t i) __attribute__((always_inline)) { z[i] = F::of(x[i], y[i]); });
}

template <class F, class T>
[[gnu::noinline]] T one(T x) {
  return F::of(x);
}
template <class F, class T>
[[gnu::noinline]] T one(T x, T y) {
  return F::of(x, y);
}

#define KMAP_UNARY(function, value)           \
  struct function {                           \
    static constexpr auto name = #function;   \
    template <class T>                        \
    [[gnu::always_inline]] static T of(T x) { \
      return value;                           \
    }                                         \
  }
#define KMAP_BINARY(function, value)               \
  struct function {                                \
    static constexpr auto name = #function;        \
    template <class T>                             \
    [[gnu::always_inline]] static T of(T x, T y) { \
      return value;                                \
    }                                              \
  }

namespace of {
KMAP_UNARY(sin, kmap::sin(x));
KMAP_UNARY(cos, kmap::cos(x));
KMAP_UNARY(sin_of_pair, kmap::sincos(x).sin);
KMAP_UNARY(cos_of_pair, kmap::sincos(x).cos);
KMAP_UNARY(tan, kmap::tan(x));
KMAP_UNARY(asin, kmap::asin(x));
KMAP_UNARY(acos, kmap::acos(x));
KMAP_UNARY(atan, kmap::atan(x));
KMAP_UNARY(cbrt, kmap::cbrt(x));
KMAP_UNARY(sqrt, kmap::sqrt(x));
KMAP_BINARY(atan2, kmap::atan2(x, y));
KMAP_BINARY(hypot, kmap::hypot(x, y));
KMAP_UNARY(exp, kmap::exp(x));
KMAP_UNARY(exp2, kmap::exp2(x));
KMAP_UNARY(expm1, kmap::expm1(x));
KMAP_UNARY(log, kmap::log(x));
KMAP_UNARY(log2, kmap::log2(x));
KMAP_UNARY(log10, kmap::log10(x));
KMAP_UNARY(log1p, kmap::log1p(x));
KMAP_UNARY(sinh, kmap::sinh(x));
KMAP_UNARY(cosh, kmap::cosh(x));
KMAP_UNARY(tanh, kmap::tanh(x));
KMAP_UNARY(erf, kmap::erf(x));
KMAP_UNARY(erfc, kmap::erfc(x));
KMAP_BINARY(pow, kmap::pow(x, y));
}  // namespace of

template <class T, class... F>
constexpr std::array<Unary<T>, sizeof...(F)> unary() {
  return {{{F::name, many<F, T>, one<F, T>}...}};
}
template <class T, class... F>
constexpr std::array<Binary<T>, sizeof...(F)> binary() {
  return {{{F::name, many<F, T>, one<F, T>}...}};
}

template <class T>
constexpr auto unary_functions =
    unary<T, of::sin, of::cos, of::sin_of_pair, of::cos_of_pair, of::tan, of::asin, of::acos,
          of::atan, of::cbrt, of::sqrt, of::exp, of::exp2, of::expm1, of::log, of::log2, of::log10,
          of::log1p, of::sinh, of::cosh, of::tanh, of::erf, of::erfc>();
template <class T>
constexpr auto binary_functions = binary<T, of::atan2, of::hypot, of::pow>();

}  // namespace
}  // namespace kmap::test

void kmap_test_functions(kmap::test::Functions& functions) {
  using namespace kmap::test;
  functions = {unary_functions<float>, unary_functions<double>, binary_functions<float>,
               binary_functions<double>};
}
