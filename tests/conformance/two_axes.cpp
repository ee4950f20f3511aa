// Collectives over one or both axes of two nested maps.

#include "conformance/collectives.hpp"
#include "conformance/run_case.hpp"

namespace kmap::test {

namespace {

// Both levels bind the name i.
struct ShadowedSum {
  template <class C>
  double operator()(C& c, double x) const {
    return psum<"i">(c, x);
  }
};
struct ShadowedIndex {
  template <class C>
  std::int32_t operator()(C& c, double) const {
    return kmap::axis_index<"i">(c);
  }
};

bool run_shadowed(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result) {
  using Two = Masks<1, 1>;
  if (!masks_match<Two, Two>(c)) return false;
  const Argument<double, 2> x(c, 0);
  using Both = Maps<Two, Two, 1, "i">;
  if (c.op == "axis_index") {
    Both::run(c, comm, all_vmap, ShadowedIndex{}, std::tuple<>(), result, x.view());
  } else {
    Both::run(c, comm, all_vmap, ShadowedSum{}, std::tuple<>(), result, x.view());
  }
  return true;
}

}  // namespace

bool run_two_axes(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result) {
  if (c.names.empty() || c.levels.size() != 2 || c.x.front().type != "f8") return false;
  if (c.shadowed) return run_shadowed(c, comm, all_vmap, result);
  const CollectiveRun run{c, comm, all_vmap, result};
  using Two = Masks<1, 1>;
  using Outer = Masks<1, 0>;
  using Inner = Masks<0, 1>;
  if (c.op == "axis_index" || c.op == "axis_size") return run.place<Two>();
  return run.collective<Two, Two, 0, 0>() || run.collective<Two, Two, 1, 1>() ||
         run.padded<Two, Two>() || run.padded<Outer, Two>() || run.padded<Inner, Two>();
}

}  // namespace kmap::test
