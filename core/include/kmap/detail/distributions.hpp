#pragma once
// The distributions of kmap/random.hpp. Each is made of a key and its parameters, and called with
// a place: it gives the element there of the array, of any shape, that JAX would draw, by row-major
// index.

#include "kmap/detail/random_math.hpp"
#include "kmap/detail/threefry.hpp"
#include "kmap/random_key.hpp"

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

namespace kmap::random::detail {

template <class T>
concept Real = std::is_same_v<T, float> || std::is_same_v<T, double>;

KOKKOS_FORCEINLINE_FUNCTION std::uint64_t index_of(Words place) {
  return (static_cast<std::uint64_t>(place.high) << 32) | place.low;
}

/// sqrt(2) times x, whose erf inverse it was.
template <class T>
inline constexpr T root_two = static_cast<T>(1.41421356237309504880L);

/// Random bits: the lowest of the exclusive or of the hash's words, or both for 64.
template <class T>
struct Bits {
  static_assert(std::is_unsigned_v<T> && !std::is_same_v<T, bool>,
                "kmap: random bits are unsigned integers of 8, 16, 32 or 64 bits");
  using value_type = T;
  Key key;

  KOKKOS_FUNCTION explicit Bits(Key k) : key(k) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    const Words words = threefry({key.high, key.low}, place);
    if constexpr (sizeof(T) == 8) {
      return static_cast<T>(index_of(words));
    } else {
      return static_cast<T>(words.high ^ words.low);
    }
  }
};

/// The words of an array of keys.
struct KeyWords {
  using value_type = std::uint32_t;
  Key key;

  KOKKOS_FUNCTION explicit KeyWords(Key k) : key(k) {}
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t operator()(Words place) const {
    const std::uint64_t i = index_of(place);
    const Key one = split_at(key, i / 2);
    return i % 2 == 0 ? one.high : one.low;
  }
};

/// low + (high - low) u, where u in [0, 1) has the leading random bits as its mantissa; never less
/// than low. The product and the sum are rounded once, as XLA's are on processors that can.
template <Real T>
struct Uniform {
  using value_type = T;
  using Mantissa = typename Format<T>::Bits;
  Bits<Mantissa> bits;
  T low;
  T span;

  KOKKOS_FUNCTION explicit Uniform(Key key) : Uniform(key, T{0}, T{1}) {}
  template <class Low, class High>
  KOKKOS_FUNCTION Uniform(Key key, Low minimum, High maximum)
      : bits(key),
        low(static_cast<T>(minimum)),
        span(static_cast<T>(maximum) - static_cast<T>(minimum)) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    constexpr int unused = std::numeric_limits<Mantissa>::digits - Format<T>::mantissa;
    const T u =
        Kokkos::bit_cast<T>((bits(place) >> unused) | Format<T>::one) - T{1};  // 1 + u in [1, 2)
    const T x = kmap::fma(u, span, low);
    return x < low ? low : x;
  }
};

/// Standard normal, from a uniform number in (-1, 1).
template <class T>
struct Normal {
  static_assert(Real<T>, "kmap: normal draws are float, double or Kokkos::complex of these");
  using value_type = T;
  Uniform<T> uniform;

  KOKKOS_FUNCTION explicit Normal(Key key)
      : uniform(key, std::numeric_limits<T>::epsilon() / 2 - T{1}, T{1}) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    return root_two<T> * inverse_erf(uniform(place));
  }
};

/// Real and imaginary part are normal with variance 1/2, from the two keys of split.
template <class T>
struct Normal<Kokkos::complex<T>> {
  using value_type = Kokkos::complex<T>;
  Normal<T> real;
  Normal<T> imaginary;

  KOKKOS_FUNCTION explicit Normal(Key key) : real(split_at(key, 0)), imaginary(split_at(key, 1)) {}
  KOKKOS_FORCEINLINE_FUNCTION value_type operator()(Words place) const {
    return {real(place) / root_two<T>, imaginary(place) / root_two<T>};
  }
};

/// Standard normal between two bounds, which it does not reach.
template <Real T>
struct TruncatedNormal {
  using value_type = T;
  Uniform<T> uniform;
  T least;
  T greatest;

  template <class Low, class High>
  KOKKOS_FUNCTION TruncatedNormal(Key key, Low lower, High upper)
      : uniform(key, erf_of(static_cast<T>(lower) / root_two<T>),
                erf_of(static_cast<T>(upper) / root_two<T>)),
        least(Kokkos::nextafter(static_cast<T>(lower), std::numeric_limits<T>::infinity())),
        greatest(Kokkos::nextafter(static_cast<T>(upper), -std::numeric_limits<T>::infinity())) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    const T x = root_two<T> * inverse_erf(uniform(place));
    const T raised = x < least ? least : x;
    return raised > greatest ? greatest : raised;
  }
};

/// Of mean 1.
template <Real T>
struct Exponential {
  using value_type = T;
  Uniform<T> uniform;

  KOKKOS_FUNCTION explicit Exponential(Key key) : uniform(key) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const { return -log1p_of(-uniform(place)); }
};

/// Standard Gumbel: -ln(-ln u).
template <Real T>
struct Gumbel {
  using value_type = T;
  Uniform<T> uniform;

  KOKKOS_FUNCTION explicit Gumbel(Key key) : uniform(key, std::numeric_limits<T>::min(), T{1}) {}
  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    return -log_of(-log_of(uniform(place)));
  }
};

/// True with probability p, compared in p's type.
template <Real T>
struct Bernoulli {
  using value_type = bool;
  Uniform<T> uniform;
  T p;

  KOKKOS_FUNCTION explicit Bernoulli(Key key, T probability = T{0.5})
      : uniform(key), p(probability) {}
  KOKKOS_FORCEINLINE_FUNCTION bool operator()(Words place) const { return uniform(place) < p; }
};

/// Of the type of the last of these arguments of a draw, where that is the probability.
template <class... A>
struct BernoulliOf;
template <class Last>
struct BernoulliOf<Last> {
  using type = std::conditional_t<std::is_floating_point_v<Last>, Last, double>;
};
template <>
struct BernoulliOf<> : BernoulliOf<double> {};
template <class First, class... Rest>
  requires(sizeof...(Rest) > 0)
struct BernoulliOf<First, Rest...> : BernoulliOf<Rest...> {};
template <class... A>
using BernoulliFor = Bernoulli<typename BernoulliOf<A...>::type>;

/// The nearest value of type To.
template <std::integral To, std::integral From>
KOKKOS_FUNCTION constexpr To clip_to(From x) {
  if (std::cmp_less(x, std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (std::cmp_greater(x, std::numeric_limits<To>::max())) return std::numeric_limits<To>::max();
  return static_cast<To>(x);
}

/// An integer in [low, high), by the remainder of 2n random bits for n-bit integers, n ≥ 32: the
/// words of the two keys of split. high may lie one above the greatest of the type; where high ≤
/// low the result is low.
template <class T>
struct Randint {
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool>,
                "kmap: randint draws integers of 8 to 64 bits");
  using value_type = T;
  using Sampled = std::conditional_t<(sizeof(T) < 4), std::int32_t, T>;
  using Word = std::make_unsigned_t<Sampled>;
  Bits<Word> upper;
  Bits<Word> lower;
  Word low;
  Word span;  // 0: all values of the type
  Word multiplier;

  template <class Low, class High>
  KOKKOS_FUNCTION Randint(Key key, Low minimum, High maximum)
      : upper(split_at(key, 0)), lower(split_at(key, 1)) {
    static_assert(std::is_integral_v<Low> && std::is_integral_v<High>,
                  "kmap: the bounds of randint are integers");
    if constexpr (sizeof(T) < 4) {
      set_bounds(within(static_cast<std::int32_t>(minimum), 0),
                 within(static_cast<std::int32_t>(maximum), 1));
    } else {
      set_bounds(minimum, maximum);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION T operator()(Words place) const {
    const Word offset = remainder(
        static_cast<Word>(remainder(upper(place)) * multiplier + remainder(lower(place))));
    return static_cast<T>(static_cast<Sampled>(static_cast<Word>(low + offset)));
  }

 private:
  // Into the range of T, whose end may lie `beyond` its greatest value.
  KOKKOS_FUNCTION static std::int32_t within(std::int32_t x, std::int32_t beyond) {
    const std::int32_t least = std::numeric_limits<T>::min();
    const std::int32_t greatest = std::numeric_limits<T>::max() + beyond;
    return x < least ? least : x > greatest ? greatest : x;
  }

  template <class Low, class High>
  KOKKOS_FUNCTION void set_bounds(Low minimum, High maximum) {
    const auto first = clip_to<Sampled>(minimum);
    const auto last = clip_to<Sampled>(maximum);
    const bool beyond = std::cmp_greater(maximum, std::numeric_limits<Sampled>::max());
    low = static_cast<Word>(first);
    span = last > first ? static_cast<Word>(static_cast<Word>(last) - low + (beyond ? 1u : 0u))
                        : Word{1};
    // 2^n modulo span.
    const Word half =
        remainder(static_cast<Word>(Word{1} << (std::numeric_limits<Word>::digits / 2)));
    multiplier = remainder(static_cast<Word>(half * half));
  }

  KOKKOS_FORCEINLINE_FUNCTION Word remainder(Word x) const {
    if constexpr (sizeof(Word) == 4) {
      // Exact: a quotient of such integers lies further below the next one than doubles are apart.
      // Unlike integer division it vectorises.
      const auto quotient =
          static_cast<Word>(static_cast<double>(x) / static_cast<double>(span == 0 ? 1 : span));
      return span == 0 ? x : x - quotient * span;
    } else {
      return span == 0 ? x : x % span;
    }
  }
};

/// ln of a draw of the gamma distribution with shape parameter a, and the draw itself: Marsaglia,
/// Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000; for a < 1 from a + 1
/// by a factor u^(1/a). Element i has the key i of split.
template <Real T, bool Log>
struct GammaDraw {
  using value_type = T;
  Key key;
  T a;

  template <class A>
  KOKKOS_FUNCTION GammaDraw(Key k, A shape_parameter)
      : key(k), a(static_cast<T>(shape_parameter)) {}

  KOKKOS_FUNCTION T operator()(Words place) const {
    const bool boosted = !(a >= T{1});
    const T d = (boosted ? a + T{1} : a) - T{1} / T{3};
    const auto [tries, boost] = split(split_at(key, index_of(place)));
    const T v = accepted(tries, d);
    const Words first{0, 0};
    if constexpr (Log) {
      const T log_u = -Exponential<T>(boost)(first);
      const T extra = boosted && log_u != T{0} ? log_u * (T{1} / a) : T{0};
      return log_of(d) + log_of(v) + extra;
    } else {
      const T u = T{1} - Uniform<T>(boost)(first);
      return d * v * (boosted ? Kokkos::pow(u, T{1} / a) : T{1});
    }
  }

 private:
  // v = (1 + c x)³ with x normal, so that d v is a draw for d + 1/3.
  KOKKOS_FUNCTION static T accepted(Key key, T d) {
    const T c = T{1} / T{3} / Kokkos::sqrt(d);
    while (true) {
      const auto [next, x_key, u_key] = split<3>(key);
      key = next;
      const T x = normal_above(x_key, c);
      const T root = kmap::fma(x, c, T{1});
      const T v = root * root * root;
      const T square = x * x;
      const T u = Uniform<T>(u_key)(Words{0, 0});
      // NaN is accepted, or there would be no end.
      if (!(u >= T{1} - T(0.0331) * (square * square))) return v;
      if (!(log_of(u) >= square * T{0.5} + d * ((T{1} - v) + log_of(v)))) return v;
    }
  }

  // A normal draw x with 1 + c x > 0.
  KOKKOS_FUNCTION static T normal_above(Key key, T c) {
    while (true) {
      const auto [next, now] = split(key);
      key = next;
      const T x = Normal<T>(now)(Words{0, 0});
      if (!(kmap::fma(x, c, T{1}) <= T{0})) return x;
    }
  }
};

template <Real T>
using Gamma = GammaDraw<T, false>;
template <Real T>
using LogGamma = GammaDraw<T, true>;

/// g_a / (g_a + g_b) for two gamma draws, from their logarithms.
template <Real T>
struct Beta {
  using value_type = T;
  LogGamma<T> log_a;
  LogGamma<T> log_b;

  template <class A, class B>
  KOKKOS_FUNCTION Beta(Key key, A a, B b)
      : log_a(split_at(key, 0), a), log_b(split_at(key, 1), b) {}
  KOKKOS_FUNCTION T operator()(Words place) const {
    const T x = log_a(place);
    const T y = log_b(place);
    const T most = x < y ? y : x;
    const T scaled_x = Kokkos::exp(x - most);
    const T scaled_y = Kokkos::exp(y - most);
    return scaled_x / (scaled_x + scaled_y);
  }
};

}  // namespace kmap::random::detail
