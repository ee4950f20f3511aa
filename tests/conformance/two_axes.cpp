// Collectives over one or both axes of two nested maps.

#include "conformance/collectives.hpp"
#include "conformance/run_case.hpp"

namespace kmap::test {

namespace {

// Both levels bind the name i.
struct Shadowed {
  template <class C>
  void operator()(C& c, double x, const Example<std::int32_t, 0>& index,
                  const Example<double, 0>& sum) const {
    index() = kmap::axis_index<"i">(c);
    sum() = psum<"i">(c, x);
  }
};

bool run_shadowed(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result) {
  using Two = Masks<1, 1>;
  if (!masks_match<Two, Two>(c)) return false;
  const Argument<double, 2> x(c, 0);
  Case both = c;
  for (MapLevel& level : both.levels) level.out.push_back(level.out.front());
  std::vector<CaseArray> index_and_sum;
  Maps<Two, Masks<3, 3>, 2, false, "i">::run(
      both, comm, all_vmap, Shadowed{},
      std::make_tuple(outputs(out_shape<std::int32_t>(), out_shape<double>())), index_and_sum,
      x.view());
  result = {index_and_sum.at(c.op == "axis_index" ? 0 : 1)};
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
  return run.padded<Two, Two>() || run.padded<Outer, Two>() || run.padded<Inner, Two>();
}

}  // namespace kmap::test
