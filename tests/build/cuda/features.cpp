// Every collective in every form, called by functions that run on the device. Compiled only.

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
    auto v = psum<"i">(c, vec<float, 3>{1, 2, 3});
    r += s + n + v[0];
    auto g = all_gather<"i">(c, x);
    auto g2 = all_gather<"i">(c, m, axis(-1), tiled);
    auto sc = psum_scatter<"i">(c, m, scatter_dimension(1));
    auto sct = psum_scatter<"i">(c, m, tiled, scatter_dimension(0), groups);
    auto a = all_to_all<"i">(c, m, 0, 1);
    auto at = all_to_all<"i">(c, m, 0, 1, tiled, groups);
    auto sw = pswapaxes<"j">(c, m, 0);
    r += g(0) + g2(0, 0) + sc(0) + sct(0, 0) + a(0, 0) + at(0, 0) + sw(0, 0);
    r += ppermute<"i">(c, x, pairs) + ppermute<"i">(c, x, ring(1)) + pshuffle<"i">(c, x, order) +
         pbroadcast<"i">(c, x, 2);
    return r + axis_index<"i", "j">(c) + static_cast<double>(axis_size<"i", "j">(c));
  }
};
struct TeamAll {
  using map_kind = per_team;
  template <class C, class Team>
  KOKKOS_FUNCTION double operator()(C& c, const Team& team,
                                    const Example<const double, 1>& x) const {
    double total = 0;
    Kokkos::single(Kokkos::PerTeam(team), [&] { total = 1; });
    return psum<"i">(c, x(0));
  }
};
void map_all(const Communicator& comm) {
  Kokkos::View<double**> x("x", 2, 2);
  Kokkos::View<double****> m("m", 2, 2, 3, 3);
  const All all{AxisIndexGroups({{0, 1}}), Pairs({{0, 1}}), Permutation({1, 0})};
  auto y = vmap(vmap(all, axis_name<"j">), axis_name<"i">)(x, m);
  auto z = pmap(vmap(all, axis_name<"j">), axis_name<"i">, over(comm))(x, m);
  auto t = vmap(TeamAll{}, axis_name<"i">)(x);
}

}  // namespace kmap::test
