// Every draw that functions on a device may make, in every form, and arrays of draws. Compiled
// only.

#include <kmap/kmap.hpp>

namespace kmap::test {

struct Draws {
  random::Key key;

  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, const Example<const std::uint32_t, 1>& words, double x,
                                    const Example<const double, 1>& p) const {
    const auto [a, b] = random::split(random::fold_in(key, axis_index<"i">(c)));
    const auto five = random::split<5>(random::key(7));
    const auto place = random::at(axis_index<"i">(c));
    double r = random::normal<double>(c, a) + random::normal<float>(words) + five[4].low;
    r += random::normal<Kokkos::complex<double>>(b).real() + random::normal<double, 2, 2>(a)(1, 1);
    r += random::uniform<double>(c, random::split_at(key, 1LL << 40), place, -1, x);
    r += random::uniform<float>(a) + random::uniform<double, 3>(b, x, 2)[0];
    r += random::truncated_normal<double>(a, -1, x) +
         random::truncated_normal<float>(b, place, 0, 1);
    r += random::exponential<double>(a) + random::gumbel<float>(b, place);
    r +=
        random::gamma<double>(a, x) + random::loggamma<float>(b, x) + random::beta<double>(a, x, 2);
    r += static_cast<double>(random::bits<std::uint64_t>(a) + random::bits<std::uint8_t>(b, place));
    r += random::randint<int>(a, 0, 10) + random::randint<std::uint8_t>(b, place, 0, 256);
    r += static_cast<double>(random::randint<std::int64_t>(c, a, -5, 1LL << 40));
    r += random::bernoulli(a) + random::bernoulli(b, place, 0.3f) + random::bernoulli<2>(a, x)[1];
    r += static_cast<double>(random::categorical(a, p) + random::categorical(c, b, place, p));
    r += static_cast<double>(random::choice(a, 10) + random::choice(b, place, 3, p));
    return r + random::choice(a, p) + random::choice(b, place, p, p);
  }
};

void draw(const random::Key key) {
  const auto keys = random::split(key, 4);
  const Kokkos::View<double*> x("x", 4);
  const Kokkos::View<double**> p("p", 4, 3);
  vmap(Draws{key}, axis_name<"i">)(keys, x, p);
}

}  // namespace kmap::test
