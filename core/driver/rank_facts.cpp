#include "rank_facts.hpp"

#include "runtime/device_name.hpp"

namespace kmap::driver {

report::RankFacts own_facts(const Runtime& runtime) {
  const Placement& placement = runtime.placement();
  report::RankFacts facts;
  facts.rank = runtime.comm().rank();
  facts.host = placement.host;
  facts.cores = placement.core_list;
  facts.threads = placement.threads;
  facts.device = placement.device;
  facts.device_name = detail::device_name(placement.device);
  facts.memory = detail::find_node_memory();
  for (const std::string& name : report::watched_variables()) {
    if (auto value = detail::own_variable(name)) facts.variables[name] = *value;
  }
  return facts;
}

}  // namespace kmap::driver
