#include "table.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <random>

namespace kmap::test {
namespace {

template <class T>
class Sample {
 public:
  using Limits = std::numeric_limits<T>;

  std::vector<T> values = special_values<T>();

  // `count` numbers of each exponent and sign.
  void exponents(int count) {
    for (int e = Limits::min_exponent - Limits::digits; e < Limits::max_exponent; ++e) {
      for (int i = 0; i < count; ++i) add(std::ldexp(1 + fraction(), e));
    }
  }
  void interval(const Interval& in, int count) {
    for (int i = 0; i < count; ++i) {
      values.push_back(static_cast<T>(in.first + (in.second - in.first) * fraction()));
    }
  }
  void near(double point, int count) {
    T above = static_cast<T>(point);
    T below = above;
    for (int i = 0; i < count; ++i) {
      add(above);
      add(below);
      add(point * (1 + std::ldexp(fraction() - 0.5, -2 - i % (Limits::digits - 4))));
      above = std::nextafter(above, Limits::infinity());
      below = std::nextafter(below, -Limits::infinity());
    }
  }
  // Numbers m 2^e that are closer to multiples of pi/2 than all with smaller m: the denominators m
  // of the convergents of the continued fraction of 2^e 2/pi.
  void multiples_of_half_pi() {
    Exact fraction_of(2400), rest(2400), part(2400);
    for (int e = 0; e < Limits::max_exponent - 8; ++e) {
      mpfr_const_pi(fraction_of, MPFR_RNDN);
      mpfr_ui_div(fraction_of, 2, fraction_of, MPFR_RNDN);
      mpfr_mul_2si(rest, fraction_of, e, MPFR_RNDN);
      double before = 0;
      double m = 1;
      const double most = std::ldexp(1.0, std::min(Limits::digits, Limits::max_exponent - e));
      mpfr_frac(rest, rest, MPFR_RNDN);
      while (m < most) {
        if (m > most / 1024) add(std::ldexp(m, e));
        mpfr_ui_div(rest, 1, rest, MPFR_RNDN);
        mpfr_floor(part, rest);
        const double next = mpfr_get_d(part, MPFR_RNDN) * m + before;
        mpfr_sub(rest, rest, part, MPFR_RNDN);
        before = m;
        m = next;
      }
    }
    // And the numbers next to small multiples.
    for (int k = 1; k < 5000; ++k) near(k * 1.5707963267948966, 1);
  }

 private:
  double fraction() { return std::generate_canonical<double, 53>(random_); }
  void add(double x) {
    values.push_back(static_cast<T>(x));
    values.push_back(static_cast<T>(-x));
  }

  std::mt19937_64 random_{7};
};

}  // namespace

template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values = {0,
                           1,
                           2,
                           3,
                           4,
                           5,
                           7,
                           8,
                           27,
                           T(0.5),
                           T(1.5),
                           T(2.5),
                           Limits::denorm_min(),
                           3 * Limits::denorm_min(),
                           Limits::min() / 2,
                           Limits::min(),
                           Limits::epsilon(),
                           Limits::epsilon() / 2,
                           1 / Limits::epsilon(),
                           1 / Limits::epsilon() - 1,
                           2 / Limits::epsilon() - 1,
                           2 / Limits::epsilon(),
                           2 / Limits::epsilon() + 2,
                           Limits::max() / 2,
                           Limits::max(),
                           Limits::infinity()};
  for (const T x : {T(0.5), T(1), T(2), Limits::min(), Limits::max()}) {
    values.push_back(std::nextafter(x, T(0)));
    if (x < Limits::max()) values.push_back(std::nextafter(x, Limits::infinity()));
  }
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  values.push_back(Limits::quiet_NaN());
  return values;
}

template <class T>
std::vector<T> arguments_of(const UnaryClaim& claim) {
  Sample<T> sample;
  sample.exponents(sizeof(T) == 4 ? 100 : 12);
  for (const Interval& in : claim.intervals) sample.interval(in, claim.samples);
  for (const double point : claim.points) sample.near(point, claim.samples / 20);
  if (claim.periodic) sample.multiples_of_half_pi();
  return sample.values;
}

template <class T>
std::pair<std::vector<T>, std::vector<T>> arguments_of(const BinaryClaim& claim) {
  std::vector<T> x;
  std::vector<T> y;
  const std::vector<T> special = special_values<T>();
  for (const T a : special) {
    for (const T b : special) {
      x.push_back(a);
      y.push_back(b);
    }
  }
  const auto append = [](std::vector<T>& to, const std::vector<T>& from) {
    to.insert(to.end(), from.begin(), from.end());
  };
  Sample<T> first;
  first.exponents(sizeof(T) == 4 ? 60 : 8);
  Sample<T> second = first;
  std::mt19937_64 random(3);
  // All exponents: with others nearby, and with any.
  for (const std::int64_t distance : {0, 20, 300, 1 << 14}) {
    append(x, first.values);
    const auto size = static_cast<std::int64_t>(second.values.size());
    for (std::int64_t i = 0; i < size; ++i) {
      const std::int64_t shift =
          static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * distance + 1)) -
          distance;
      y.push_back(second.values[static_cast<std::size_t>((i + shift + size) % size)]);
    }
  }
  for (const auto& [one, other] : claim.rectangles) {
    Sample<T> a;
    Sample<T> b;
    a.interval(one, 20000);
    // Another sequence of random numbers.
    b.exponents(1);
    b.values = special_values<T>();
    b.interval(other, 20000);
    append(x, a.values);
    append(y, b.values);
  }
  return {x, y};
}

template std::vector<float> special_values<float>();
template std::vector<double> special_values<double>();
template std::vector<float> arguments_of(const UnaryClaim&);
template std::vector<double> arguments_of(const UnaryClaim&);
template std::pair<std::vector<float>, std::vector<float>> arguments_of(const BinaryClaim&);
template std::pair<std::vector<double>, std::vector<double>> arguments_of(const BinaryClaim&);

}  // namespace kmap::test
