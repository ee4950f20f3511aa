#include "collect/strided_copy.hpp"

#include <algorithm>

namespace kmap::detail {

void run_pieces(const char* label, const HostPieces& pieces) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  const Exec exec;
  HostPieces shared = pieces;
  // Some per thread, so that uneven ones even out.
  const std::int64_t wanted = 32 * exec.concurrency();
  shared.piece = std::max<std::int64_t>(1, (pieces.tasks + wanted - 1) / wanted);
  const std::int64_t count = (pieces.tasks + shared.piece - 1) / shared.piece;
  if (count == 1) {
    shared(0);
    return;
  }
  Kokkos::parallel_for(
      label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, count), shared);
  exec.fence(label);
}

}  // namespace kmap::detail
