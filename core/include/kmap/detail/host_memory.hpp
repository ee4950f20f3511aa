#pragma once
// How the system backs large arrays: a fresh page costs more than the work on it.

#include <cstddef>
#include <cstdint>

namespace kmap::detail {

/// Asks for huge pages behind fresh host memory, so that writing it for the first time takes fewer
/// faults. Only a wish: does nothing where the system has no such pages. For at least some of them,
/// that is a few MiB.
void prefer_huge_pages(void* data, std::size_t bytes);

/// Lets the C library keep about that much of the memory that is freed, for what is allocated next,
/// in blocks below 32 MiB; larger ones go back to the system at once. Does nothing where the
/// environment configures the allocator, or with another one than glibc's.
void keep_freed_memory(std::int64_t bytes);

/// Gives back to the system what the C library keeps.
void return_freed_memory();

}  // namespace kmap::detail
