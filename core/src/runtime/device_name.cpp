#include "runtime/device_name.hpp"

#include <Kokkos_Core.hpp>

#include <array>

namespace kmap::detail {

std::string device_name([[maybe_unused]] int device) {
  [[maybe_unused]] std::array<char, 64> name{};
#if defined(KOKKOS_ENABLE_CUDA)
  if (device >= 0 &&
      cudaDeviceGetPCIBusId(name.data(), static_cast<int>(name.size()), device) == cudaSuccess) {
    return name.data();
  }
#elif defined(KOKKOS_ENABLE_HIP)
  if (device >= 0 &&
      hipDeviceGetPCIBusId(name.data(), static_cast<int>(name.size()), device) == hipSuccess) {
    return name.data();
  }
#endif
  return "";
}

}  // namespace kmap::detail
