#include "collect/check_call.hpp"
#include "collect/move.hpp"
#include "collect/reduce.hpp"
#include "collect/task.hpp"

#include "kmap/detail/collective_session.hpp"

namespace kmap::detail {

template <class Space>
CollectiveResult combine(const IterationSpace& space, const std::vector<std::string>& names,
                         const Communicator* comm, const CollectiveCall& call,
                         const OperandArray& operand, std::vector<Bytes<Space>>& storage) {
  const AxisPlaces places(space, comm, call, operand);
  CheckedCall checked;
  together(comm, [&] { checked = check_call(call, names, places.count()); });
  const Task task{checked, places, operand};
  if (is_reduction(call.kind)) return reduced<Space>(task, storage);
  return moved<Space>(task, storage);
}

template CollectiveResult combine<Kokkos::HostSpace>(const IterationSpace&,
                                                     const std::vector<std::string>&,
                                                     const Communicator*, const CollectiveCall&,
                                                     const OperandArray&,
                                                     std::vector<Bytes<Kokkos::HostSpace>>&);

#if defined(KOKKOS_ENABLE_CUDA) || defined(KOKKOS_ENABLE_HIP) || defined(KOKKOS_ENABLE_SYCL)
using DeviceSpace = Kokkos::DefaultExecutionSpace::memory_space;
template CollectiveResult combine<DeviceSpace>(const IterationSpace&,
                                               const std::vector<std::string>&, const Communicator*,
                                               const CollectiveCall&, const OperandArray&,
                                               std::vector<Bytes<DeviceSpace>>&);
#endif

}  // namespace kmap::detail
