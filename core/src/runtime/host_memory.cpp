#include "kmap/detail/host_memory.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#if defined(__GLIBC__)
#include <malloc.h>
#endif

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace kmap::detail {

void prefer_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  // From the start of the first page: where the array is alone in its mapping, a whole huge page
  // begins there.
  const std::uintptr_t before = reinterpret_cast<std::uintptr_t>(data) % page;
  // A failure means that there are none, which changes no result.
  static_cast<void>(madvise(static_cast<char*>(data) - before, bytes + before, MADV_HUGEPAGE));
#endif
}

void keep_freed_memory([[maybe_unused]] std::int64_t bytes) {
#if defined(__GLIBC__)
  for (const char* variable : {"GLIBC_TUNABLES", "MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_MAX_",
                               "MALLOC_MMAP_THRESHOLD_", "MALLOC_TOP_PAD_"}) {
    if (std::getenv(variable) != nullptr) return;
  }
  constexpr std::int64_t most = std::numeric_limits<int>::max();
  // The greatest that glibc takes. What is mapped for one block goes back to the system with it.
  static_cast<void>(mallopt(M_MMAP_THRESHOLD, 32 << 20));
  static_cast<void>(mallopt(M_TRIM_THRESHOLD, static_cast<int>(std::min(bytes, most))));
#endif
}

void return_freed_memory() {
#if defined(__GLIBC__)
  static_cast<void>(malloc_trim(0));
#endif
}

}  // namespace kmap::detail
