#include "runtime/device_name.hpp"

#include <Kokkos_Core.hpp>

#include <array>

namespace kmap::detail {

std::string device_name(int device) {
  std::array<char, 64> name{};
#if defined(KOKKOS_ENABLE_CUDA)
  const bool known =
      device >= 0 &&
      cudaDeviceGetPCIBusId(name.data(), static_cast<int>(name.size()), device) == cudaSuccess;
#elif defined(KOKKOS_ENABLE_HIP)
  const bool known = device >= 0 && hipDeviceGetPCIBusId(name.data(), static_cast<int>(name.size()),
                                                         device) == hipSuccess;
#else
  const bool known = false && device >= 0;
#endif
  return known ? name.data() : "";
}

}  // namespace kmap::detail
