// Mistakes that are found when a program is compiled, one for each value of MISTAKE; without one
// all of this compiles. The words after `// says:` are what the compiler's output must have.

#include <kmap/collectives.hpp>
#include <kmap/pmap.hpp>

#include <tuple>

#ifndef MISTAKE
#define MISTAKE 0
#endif

namespace {

using kmap::axis_name;
using kmap::Example;
using Groups = kmap::AxisIndexGroups;
using Row = Example<const double, 1>;
using Host = Kokkos::HostSpace;
using Complex = Kokkos::complex<double>;
[[maybe_unused]] const kmap::Ring around{1};
[[maybe_unused]] const Groups* groups = nullptr;
[[maybe_unused]] const kmap::Pairs* pairs = nullptr;
[[maybe_unused]] const kmap::Permutation* order = nullptr;

struct F {
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x, const Row& row) const {
    using namespace kmap;
    [[maybe_unused]] const Complex z(x, x);
// ---- Names
#if MISTAKE == 1  // says: unbound axis name | Chars<'k'> | NameList<kmap::detail::Chars<'i', 'n'>
    psum<"k">(c, x);
#elif MISTAKE == 2   // says: unbound axis name | Chars<'i'> | Chars<'i', 'n'> | Chars<'j'>
    return axis_index<"i">(c);
#elif MISTAKE == 3   // says: unbound axis name | Chars<'o'> | Chars<'i', 'n'> | Chars<'j'>
    return static_cast<double>(axis_size<"j", "o">(c));
#elif MISTAKE == 4   // says: the name of an axis must not be empty
    psum<"">(c, x);
#elif MISTAKE == 5   // says: a collective names one axis twice
    psum<"in", "j", "in">(c, x);
#elif MISTAKE == 6   // says: a collective wants the name of an axis
    psum(c, x);
#elif MISTAKE == 7   // says: axis_index wants the name of an axis
    return axis_index(c);
// ---- Operands
#elif MISTAKE == 10  // says: complex numbers have no order: pmax and pmin do not take them
    pmax<"in">(c, z);
#elif MISTAKE == 11  // says: complex numbers have no order: pmax and pmin do not take them
    pmin<"in">(c, z);
#elif MISTAKE == 12  // says: tiled joins along a dimension of the operand, which has none
    all_gather<"in">(c, x, tiled);
#elif MISTAKE == 13  // says: this collective divides a dimension of its operand, which has none
    psum_scatter<"in">(c, x);
#elif MISTAKE == 14  // says: this collective divides a dimension of its operand, which has none
    all_to_all<"in">(c, x, 0, 0);
#elif MISTAKE == 15  // says: a collective takes a std::tuple or structure of one to eight operands
    psum<"in">(c, std::tuple{x, x, x, x, x, x, x, x, x});
#elif MISTAKE == 16  // says: an operand of a collective has at most 7 dimensions
    psum<"in">(c, Example<const double, 8>{});
// ---- Options
#elif MISTAKE == 20  // says: this collective does not take such an option
    psum<"in">(c, row, tiled);
#elif MISTAKE == 21  // says: this collective does not take such an option
    all_gather<"in">(c, row, scatter_dimension(0));
#elif MISTAKE == 22  // says: this collective does not take such an option
    psum_scatter<"in">(c, row, axis(0));
#elif MISTAKE == 23  // says: this collective does not take such an option
    ppermute<"in">(c, x, *order);
#elif MISTAKE == 24  // says: this collective does not take such an option
    ppermute<"in">(c, x, *groups);
#elif MISTAKE == 25  // says: no matching function for call to 'pshuffle
    pshuffle<"in">(c, x, around);
#elif MISTAKE == 26  // says: this collective does not take such an option
    pmean<"in">(c, x, 3);
#else
    psum<"in", "j">(c, std::tuple{x, z, row}, *groups);
    all_gather<"j">(c, row, tiled, axis(0));
    ppermute<"j">(c, x, around);
    ppermute<"j">(c, x, *pairs);
    pshuffle<"j">(c, x, *order);
    axis_size<"j">(c);
#endif
    return row(0);
  }
};

struct ByValue {
  template <class C>
  KOKKOS_FUNCTION double operator()(C c, double x) const {
    return kmap::psum<"in">(c, x);
  }
};

[[maybe_unused]] void by_value([[maybe_unused]] const Kokkos::View<double*, Host>& x) {
#if MISTAKE == 27  // says: a context is taken as `C& c`
  kmap::vmap(ByValue{}, axis_name<"in">)(x);
#endif
}

[[maybe_unused]] double free_function(double x) { return x; }

struct NotConst {
  KOKKOS_FUNCTION double operator()(double x) { return x; }
};

[[maybe_unused]] void not_mapped([[maybe_unused]] const Kokkos::View<double*, Host>& x) {
#if MISTAKE == 28  // says: a function to map is an object
  kmap::vmap(free_function)(x);
#elif MISTAKE == 29  // says: operator() of a function to map must be const
  kmap::vmap(NotConst{})(x);
#endif
}

[[maybe_unused]] void maps(const Kokkos::View<double**, Host>& x,
                           const Kokkos::View<double***, Host>& rows) {
  kmap::vmap(kmap::vmap(F{}, axis_name<"j">), axis_name<"in">)(x, rows);
}

// ---- Between maps
[[maybe_unused]] void between_maps(const Kokkos::View<double*, Host>& x,
                                   const Kokkos::View<Complex*, Host>& z) {
  using namespace kmap;
#if MISTAKE == 30  // says: complex numbers have no order: pmax and pmin do not take them
  pmax(z);
#elif MISTAKE == 31  // says: this collective does not take such an option
  psum(x, tiled);
#elif MISTAKE == 32  // says: tiled joins along a dimension of the operand, which has none
  all_gather(x, tiled);
#elif MISTAKE == 33  // says: this collective divides a dimension of its operand, which has none
  psum_scatter(x);
#else
  psum(z);
  pmax(x);
#endif
}

}  // namespace
