// Everything that functions on a device may use, in every form: collectives, structures, fixed and
// donated arguments, teams, halves, mathematical functions. Compiled only.

#include <kmap/kmap.hpp>

namespace kmap::test {

struct All {
  AxisIndexGroups groups;
  Pairs pairs;
  Permutation order;

  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x, const Example<const double, 2>& m) const {
    double r = psum<"i">(c, x, groups) + pmean<"i", "j">(c, x) + pmax<"j">(c, x) + pmin<"i">(c, x);
    const auto [s, n] = psum<"i">(c, std::tuple{x, true});
    const auto v = psum<"i">(c, vec<float, 3>{1, 2, 3});
    r += s + n + v[0];
    const auto gathered = all_gather<"i">(c, x);
    const auto joined = all_gather<"i">(c, m, axis(-1), tiled);
    const auto slice = psum_scatter<"i">(c, m, scatter_dimension(1));
    const auto chunk = psum_scatter<"i">(c, m, tiled, scatter_dimension(0), groups);
    const auto turned = all_to_all<"i">(c, m, 0, 1);
    const auto cut = all_to_all<"i">(c, m, 0, 1, tiled, groups);
    const auto swapped = pswapaxes<"j">(c, m, 0);
    r += gathered(0) + joined(0, 0) + slice(0) + chunk(0, 0) + turned(0, 0) + cut(0, 0);
    r += swapped(0, 0) + ppermute<"i">(c, x, pairs) + ppermute<"i">(c, x, ring(1));
    r += pshuffle<"i">(c, x, order) + pbroadcast<"i">(c, x, 2);
    return r + axis_index<"i", "j">(c) + static_cast<double>(axis_size<"i", "j">(c));
  }
};

// Operands that are made where they are needed.
struct Made {
  std::int64_t k;
  template <class C>
  KOKKOS_FUNCTION double operator()(C& c, double x) const {
    double r = psum<"i">(c, [&] { return x * x; });
    if (stands_in(c)) return 0;
    const auto sums = psum<"i">(c, computed<double>({k, 3}, [&](std::int64_t a, std::int64_t b) {
                                  return x + static_cast<double>(a * b);
                                }));
    const auto [least, v] = pmin<"i">(c, [&] { return std::tuple{x, vec<float, 2>{1, 2}}; });
    const auto [mean, all] = pmean<"i">(c, std::tuple{[&] { return r; }, 1.0F});
    const auto rows =
        all_gather<"i">(c, [&] { return computed<float>({k}, [](std::int64_t a) { return a; }); });
    r += psum_scatter<"i">(c, computed<double>({axis_size<"i">(c)}, [&](int a) { return x * a; }));
    return r + sums(0, 1) + least + v[1] + mean + all + rows(0, 0);
  }
};

struct TeamTotal {
  using map_kind = per_team;
  template <class C, class Team>
  KOKKOS_FUNCTION double operator()(C& c, const Team& team,
                                    const Example<const double, 1>& x) const {
    double sum = 0;
    Kokkos::parallel_reduce(
        Kokkos::TeamThreadRange(team, x.extent(0)),
        [&](std::int64_t i, double& part) { part += x(i); }, sum);
    return psum<"i">(c, sum);
  }
};

struct Gather {
  template <class C>
  KOKKOS_FUNCTION auto operator()(C& c, double x) const {
    return all_gather<"i">(c, x);
  }
};

void map_collectives(const Communicator& comm) {
  const Kokkos::View<double**> x("x", 2, 2);
  const Kokkos::View<double****> m("m", 2, 2, 3, 3);
  const Kokkos::View<double*> y("y", 2);
  const All all{AxisIndexGroups({{0, 1}}), Pairs({{0, 1}}), Permutation({1, 0})};
  vmap(vmap(all, axis_name<"j">), axis_name<"i">)(x, m);
  pmap(vmap(all, axis_name<"j">), axis_name<"i">, over(comm))(x, m);
  vmap(Made{2}, axis_name<"i">)(y);
  pmap(Made{2}, axis_name<"i">, over(comm))(scatter(comm, y));
  vmap(TeamTotal{}, axis_name<"i">)(x);
  vmap(Gather{}, axis_name<"i">)(y);
  pmap(Gather{}, axis_name<"i">, out_axes(none))(scatter(comm, y));
  const auto shards = scatter(comm, x);
  psum(shards);
  all_gather(shards, tiled);
  gather(ppermute(shards, ring(1)));
  all_to_all(x, 0, 0);
}

template <class Position, class Mass>
struct Particle {
  Position position;
  Mass mass;
};
struct Options {
  int n;
  double w;
};

struct Energy {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p) const {
    return p.mass * p.position(0);
  }
};

struct Move {
  template <class P>
  KOKKOS_FUNCTION auto operator()(const P& p, double t, const Options& options) const {
    const vec<double, 2> moved{p.position(0) + t, p.position(1) * options.n};
    return std::tuple{Particle{moved, p.mass}, t};
  }
};

struct MoveWithOthers {
  template <class C, class P>
  KOKKOS_FUNCTION double operator()(C& c, const P& p, const std::tuple<double, double>& y) const {
    return p.mass - pmean<"i">(c, p.mass) + std::get<0>(y) * std::get<1>(y);
  }
};

struct Write {
  template <class P>
  KOKKOS_FUNCTION void operator()(const P& p, const out<double, 1>& y) const {
    y(0) = p.mass;
    y(1) = p.position(0);
  }
};

struct Half {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x) const {
    return x + x;
  }
};

void map_structures(const Communicator& comm) {
  const Kokkos::View<double**> x("x", 4, 2);
  Kokkos::View<double*> m("m", 4);
  const Kokkos::View<double*> y("y", 4);
  vmap(Energy{}, in_axes(Particle{1, none}))(Particle{x, 2.0});
  vmap(Move{}, out_axes(Particle{1, 0}, 0))(Particle{x, m}, y, fixed(Options{3, 2.0}));
  vmap(MoveWithOthers{}, axis_name<"i">, in_axes(0, std::tuple(0, none)))(Particle{x, m},
                                                                          std::tuple{y, 3.0});
  vmap(Energy{}, in_axes(0))(Particle{x, donate(m)});
  const auto shards = scatter(comm, Particle{x, y});
  gather(pmap(Move{}, in_axes(0, none, none))(Particle{donate(shards.position), shards.mass}, 2.0,
                                              fixed(Options{1, 2.0})));
  map(Energy{}, Particle{x, y}, batch_size(2));
  vmap(Write{}, outputs(out_shape<double>(2)))(Particle{x, y});
  vmap(Half{})(Kokkos::View<Kokkos::Experimental::half_t*>("h", 4));
  vmap(Half{})(Kokkos::View<Kokkos::Experimental::bhalf_t*>("b", 4));
}

struct Functions {
  template <class T>
  KOKKOS_FUNCTION T operator()(T x, T y) const {
    const auto [s, c] = sincos(x);
    T sum = s + c + sin(x) + cos(x) + tan(x) + asin(x) + acos(x) + atan(x) + atan2(y, x);
    sum += exp(x) + exp2(x) + expm1(x) + log(x) + log2(x) + log10(x) + log1p(x) + pow(x, y);
    sum += sqrt(x) + cbrt(x) + hypot(x, y) + sinh(x) + cosh(x) + tanh(x) + erf(x) + erfc(x);
    return sum + static_cast<T>(atan2(1, 2) + sin(1));
  }
};

void map_mathematical_functions() {
  const Kokkos::View<float*> x("x", 4);
  const Kokkos::View<double*> y("y", 4);
  vmap(Functions{})(x, x);
  vmap(Functions{})(y, y);
}

}  // namespace kmap::test
