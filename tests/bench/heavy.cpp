// sin²x + cos²x for a vector, and the sine and cosine alone.

#include "bench.hpp"
#include "functions.hpp"
#include "libmvec.hpp"
#include "loops.hpp"

#include <algorithm>
#include <bit>
#include <iterator>

namespace kmap::bench {

namespace {

/// With the C library's functions, which are scalar.
struct LibmHeavyTask {
  template <class T>
  T operator()(T x) const {
    const T s = std::sin(x);
    const T c = std::cos(x);
    return s * s + c * c;
  }
};

struct Sine {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kmap::sin(x);
  }
};

struct Cosine {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return kmap::cos(x);
  }
};

/// Numbers of every size, the infinities and NaN among them. serve.py makes the same.
template <class T>
Array<T, 1> make_bit_patterns(std::int64_t n) {
  using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
  const auto x = make_array<T, 1>({n});
  for (std::int64_t i = 0; i < n; ++i) {
    const std::uint64_t bits = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15U;
    x(i) = std::bit_cast<T>(static_cast<Bits>(bits >> (64 - 8 * sizeof(T))));
  }
  const T infinity = std::numeric_limits<T>::infinity();
  const T special[] = {T(0), -T(0), infinity, -infinity, std::numeric_limits<T>::quiet_NaN()};
  for (std::int64_t i = 0; i < std::min<std::int64_t>(n, std::size(special)); ++i) {
    x(i) = special[i];
  }
  return x;
}

template <class T, class F>
Variants one_function(const Setting& setting, const F& f) {
  const std::int64_t n = setting.size(0);
  const auto greatest = static_cast<double>(setting.size(1));
  const auto x = greatest > 0 ? make_input<T, 1>({n}, greatest) : make_bit_patterns<T>(n);
  const auto y = make_array<T, 1>({n});
  Variants v;
  v.given("kmap", [=] { vmap(f).into(y)(x); }, y);
  return v;
}

}  // namespace

template <class T>
Variants heavy(const Setting& setting) {
  const std::int64_t n = setting.size(0);
  const auto x = make_input<T, 1>({n}, 1000);
  const auto y = make_array<T, 1>({n});
  Variants v;
  v.given("kmap", [=] { vmap(HeavyTask{}).into(y)(x); }, y);
  v.fresh("kmap_fresh", [=] { return vmap(HeavyTask{})(x); });
  v.given("libm", [=] { scalar_loop(x.data(), y.data(), n, LibmHeavyTask{}); }, y);
  if (has_libmvec) {
    v.given("libmvec", [=] { libmvec_heavy_loop(x.data(), y.data(), n); }, y);
  } else {
    v.absent("libmvec", "the vector functions are those of the GNU C library on x86-64, by GCC");
  }
  v.given(
      "sequential",
      [=] {
        for (std::int64_t i = 0; i < n; ++i) y(i) = LibmHeavyTask{}(x(i));
      },
      y);
  return v;
}

template <class T>
Variants sine(const Setting& setting) {
  return one_function<T>(setting, Sine{});
}

template <class T>
Variants cosine(const Setting& setting) {
  return one_function<T>(setting, Cosine{});
}

template Variants heavy<float>(const Setting&);
template Variants heavy<double>(const Setting&);
template Variants sine<float>(const Setting&);
template Variants sine<double>(const Setting&);
template Variants cosine<float>(const Setting&);
template Variants cosine<double>(const Setting&);

}  // namespace kmap::bench
