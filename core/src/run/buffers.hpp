#pragma once
// Memory for one operand of a block: on the host for HDF5, and where kernels run.

#include <Kokkos_Core.hpp>
#include <cstdint>

namespace kmap::run {

// Whether kernels can work on the host's buffers in place.
inline constexpr bool kernels_reach_host =
    Kokkos::SpaceAccessibility<Kokkos::DefaultExecutionSpace, Kokkos::HostSpace>::accessible;

// The staged path: file -> host -> device -> host -> file. Without a device (or where `staged` is false)
// both are one and the same memory; `staged` exercises the path on a host as well.
class StagedBuffer {
 public:
  StagedBuffer(std::int64_t bytes, bool staged) {
    const auto size = static_cast<std::size_t>(bytes);
    host_ = HostBytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:block:host"), size);
    if (staged) {
      device_ =
          DeviceBytes(Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:block:device"), size);
    }
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
