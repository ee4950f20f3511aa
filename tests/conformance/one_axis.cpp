// Collectives on maps of one level.

#include "conformance/collectives.hpp"
#include "conformance/run_case.hpp"

namespace kmap::test {

bool run_one_axis(const Case& c, const Communicator& comm, bool all_vmap,
                  std::vector<CaseArray>& result) {
  if (c.names.empty() || c.levels.size() != 1 || c.x.front().type != "f8") return false;
  const CollectiveRun run{c, comm, all_vmap, result};
  using One = Masks<1>;
  using No = Masks<0>;
  if (c.op == "axis_index" || c.op == "axis_size") return run.place<One>() || run.place<No>();
  return run.collective<One, One, 1, 1>() || run.padded<One, One>() || run.padded<No, One>() ||
         run.padded<One, No>();
}

}  // namespace kmap::test
