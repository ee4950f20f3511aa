#pragma once
// How the system backs large arrays.

#include <cstddef>

namespace kmap::detail {

/// Asks for huge pages behind fresh host memory, so that writing it for the first time takes fewer
/// faults. Only a wish: does nothing for less than 4 MiB, and where the system has no such pages.
void prefer_huge_pages(void* data, std::size_t bytes);

}  // namespace kmap::detail
