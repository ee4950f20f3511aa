#pragma once
// The mathematical functions of packs: those of numbers, lane by lane, in a loop that is
// vectorised.

#include "kmap/detail/independent.hpp"
#include "kmap/pack.hpp"

namespace kmap {

#if KMAP_DETAIL_PACKS

namespace detail {

template <class T, int N, class F>
Pack<T, N> each_lane(const Pack<T, N>& x, const F& f) {
  T values[N];
  x.store(values);
  KMAP_DETAIL_INDEPENDENT
  for (int l = 0; l < N; ++l) values[l] = f(values[l]);
  return Pack<T, N>::load(values);
}

template <class T, int N, class F>
Pack<T, N> each_lane(const Pack<T, N>& x, const Pack<T, N>& y, const F& f) {
  T values[N];
  T others[N];
  x.store(values);
  y.store(others);
  KMAP_DETAIL_INDEPENDENT
  for (int l = 0; l < N; ++l) values[l] = f(values[l], others[l]);
  return Pack<T, N>::load(values);
}

}  // namespace detail

template <class T, int N>
Pack<T, N> sin(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::sin(v); });
}
template <class T, int N>
Pack<T, N> cos(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::cos(v); });
}
template <class T, int N>
Pack<T, N> tan(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::tan(v); });
}
template <class T, int N>
Pack<T, N> asin(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::asin(v); });
}
template <class T, int N>
Pack<T, N> acos(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::acos(v); });
}
template <class T, int N>
Pack<T, N> atan(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::atan(v); });
}
template <class T, int N>
Pack<T, N> exp(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::exp(v); });
}
template <class T, int N>
Pack<T, N> exp2(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::exp2(v); });
}
template <class T, int N>
Pack<T, N> expm1(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::expm1(v); });
}
template <class T, int N>
Pack<T, N> log(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::log(v); });
}
template <class T, int N>
Pack<T, N> log2(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::log2(v); });
}
template <class T, int N>
Pack<T, N> log10(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::log10(v); });
}
template <class T, int N>
Pack<T, N> log1p(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::log1p(v); });
}
template <class T, int N>
Pack<T, N> sqrt(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::sqrt(v); });
}
template <class T, int N>
Pack<T, N> cbrt(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::cbrt(v); });
}
template <class T, int N>
Pack<T, N> sinh(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::sinh(v); });
}
template <class T, int N>
Pack<T, N> cosh(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::cosh(v); });
}
template <class T, int N>
Pack<T, N> tanh(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::tanh(v); });
}
template <class T, int N>
Pack<T, N> erf(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::erf(v); });
}
template <class T, int N>
Pack<T, N> erfc(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::erfc(v); });
}
template <class T, int N>
Pack<T, N> abs(const Pack<T, N>& x) {
  return detail::each_lane(x, [](T v) { return kmap::abs(v); });
}
template <class T, int N>
Pack<T, N> atan2(const Pack<T, N>& x, const Pack<T, N>& y) {
  return detail::each_lane(x, y, [](T v, T w) { return kmap::atan2(v, w); });
}
template <class T, int N>
Pack<T, N> pow(const Pack<T, N>& x, const Pack<T, N>& y) {
  return detail::each_lane(x, y, [](T v, T w) { return kmap::pow(v, w); });
}
template <class T, int N>
Pack<T, N> hypot(const Pack<T, N>& x, const Pack<T, N>& y) {
  return detail::each_lane(x, y, [](T v, T w) { return kmap::hypot(v, w); });
}

#endif

}  // namespace kmap
