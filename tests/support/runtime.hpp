#pragma once
// The runtime of the test program that is running.

#include "kmap/runtime.hpp"

namespace kmap::test {

// Made by the main of the test program; valid inside tests.
Runtime& runtime();

}  // namespace kmap::test
