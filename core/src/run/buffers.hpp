#pragma once
// Memory for one operand of a block: on the host for HDF5, and where kernels run.

#include "kmap/error.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <exception>
#include <string>

namespace kmap::run {

// Whether kernels can work on the host's buffers in place.
inline constexpr bool kernels_reach_host =
    Kokkos::SpaceAccessibility<Kokkos::DefaultExecutionSpace, Kokkos::HostSpace>::accessible;

// The staged path: file -> host -> device -> host -> file. Without a device (or where `staged` is
// false) both are one and the same memory; `staged` exercises the path on a host as well.
class StagedBuffer {
 public:
  StagedBuffer(std::int64_t bytes, bool staged) {
    host_ = allocate<HostBytes>("kmap:block:host", bytes);
    if (staged) device_ = allocate<DeviceBytes>("kmap:block:device", bytes);
  }

  void* host() const { return host_.data(); }
  void* device() const { return device_.data() != nullptr ? device_.data() : host_.data(); }

  void to_device(std::int64_t bytes) const { copy(device_, host_, bytes); }
  void to_host(std::int64_t bytes) const { copy(host_, device_, bytes); }

 private:
#if defined(KOKKOS_HAS_SHARED_HOST_PINNED_SPACE)
  // Pinned, so that copies to and from the device run at full speed.
  using HostBytes = Kokkos::View<char*, Kokkos::SharedHostPinnedSpace>;
#else
  using HostBytes = Kokkos::View<char*, Kokkos::HostSpace>;
#endif
  using DeviceBytes = Kokkos::View<char*, Kokkos::DefaultExecutionSpace::memory_space>;

  // Kokkos' own exception says neither that it is the memory nor what to do.
  template <class Bytes>
  static Bytes allocate(const char* label, std::int64_t bytes) {
    try {
      return Bytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, std::string(label)),
                   static_cast<std::size_t>(bytes));
    } catch (const std::exception&) {
      throw Error(ExitCode::internal,
                  "out of memory: no room for " + std::to_string(bytes) + " bytes of a block",
                  "lower run.memory, or use fewer ranks on a node");
    }
  }

  template <class To, class From>
  void copy(const To& to, const From& from, std::int64_t bytes) const {
    if (device_.data() == nullptr || bytes == 0) return;
    const auto part = Kokkos::make_pair(std::size_t{0}, static_cast<std::size_t>(bytes));
    Kokkos::deep_copy(Kokkos::subview(to, part), Kokkos::subview(from, part));
  }

  HostBytes host_;
  DeviceBytes device_;
};

}  // namespace kmap::run
