#include "kmap/detail/huge_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>

namespace kmap::detail {

void prefer_huge_pages([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) {
#if defined(__linux__) && defined(MADV_HUGEPAGE)
  constexpr std::size_t least = std::size_t{4} << 20;
  if (bytes < least) return;
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  const std::uintptr_t skipped = (page - address % page) % page;
  const std::size_t whole = (bytes - skipped) / page * page;
  // A failure means that there are none, which changes no result.
  static_cast<void>(madvise(static_cast<char*>(data) + skipped, whole, MADV_HUGEPAGE));
#endif
}

}  // namespace kmap::detail
