// Collectives over some of the axes of three nested maps, of examples of rank 0.

#include "conformance/functors.hpp"
#include "conformance/run_case.hpp"

namespace kmap::test {

namespace {

struct OfThree {
  Op op;
  std::string over;
  Pairs pairs;
  Permutation permutation;

  template <class C>
  double operator()(C& c, double x) const {
    if (over == "i") return apply<"i">(c, x);
    if (over == "j") return apply<"j">(c, x);
    if (over == "k") return apply<"k">(c, x);
    if (over == "ik") return apply<"i", "k">(c, x);
    if (over == "kj") return apply<"k", "j">(c, x);
    return apply<"j", "k", "i">(c, x);
  }

 private:
  template <kmap::detail::FixedString... Name, class C>
  double apply(C& c, double x) const {
    switch (op) {
      case Op::psum:
        return psum<Name...>(c, x);
      case Op::pmax:
        return pmax<Name...>(c, x);
      case Op::ppermute:
        return ppermute<Name...>(c, x, pairs);
      default:
        return pshuffle<Name...>(c, x, permutation);
    }
  }
};

}  // namespace

bool run_three_axes(const Case& c, const Communicator& comm, bool all_vmap,
                    std::vector<CaseArray>& result) {
  using Three = Masks<1, 1, 1>;
  if (c.names.empty() || c.x.front().type != "f8" || !masks_match<Three, Three>(c)) return false;
  std::string over;
  for (const std::string& name : c.names) over += name;
  const Argument<double, 3> x(c, 0);
  const OfThree f{op_of(c), over, Pairs(c.pairs), Permutation(c.permutation)};
  Maps<Three, Three, 1>::run(c, comm, all_vmap, f, std::tuple<>(), result, x.view());
  return true;
}

}  // namespace kmap::test
