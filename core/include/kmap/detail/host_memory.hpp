#pragma once
// How the system backs large arrays: a fresh page costs more than the work on it.

#include <cstddef>
#include <cstdint>

namespace kmap::detail {

/// Asks for huge pages behind fresh host memory, so that writing it for the first time takes fewer
/// faults. Only a wish: does nothing for less than 4 MiB, and where the system has no such pages.
void prefer_huge_pages(void* data, std::size_t bytes);

/// Lets this process keep about that much of the memory it frees, for what it allocates next. Does
/// nothing where the environment configures the allocator, or with another one than glibc's.
void keep_freed_memory(std::int64_t bytes);

}  // namespace kmap::detail
