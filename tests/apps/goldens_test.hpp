#pragma once
// Comparison of a kernel's output with its golden.

#include "apps/arrays.hpp"
#include "apps/ulp.hpp"
#include "support/paths.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace kmap::test {

// tests/apps/goldens/NAME.h5
inline std::filesystem::path golden_file(const std::string& name) {
  return source_dir() / "tests" / "apps" / "goldens" / (name + ".h5");
}

// Equal type, shape and values; numbers may be `ulps` apart. NaN equals NaN; zeros are equal unless
// `ulps` is 0, which asks for equal bits.
template <class T>
void expect_near(const Array& got, const Array& wanted, std::uint64_t ulps) {
  ASSERT_EQ(got.type, wanted.type);
  ASSERT_EQ(got.shape, wanted.shape);
  const auto a = values<T>(got);
  const auto b = values<T>(wanted);
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_LE(ulps_between(a[i], b[i]), ulps) << a[i] << " for " << b[i] << " at " << i;
    if (ulps == 0) {
      EXPECT_EQ(std::signbit(a[i]), std::signbit(b[i])) << a[i] << " at " << i;
    }
  }
}

// For f4, f8 and the parts of c8, c16.
inline void expect_close(const Array& got, const Array& wanted, std::uint64_t ulps) {
  if (wanted.type == "f4" || wanted.type == "c8") {
    expect_near<float>(got, wanted, ulps);
  } else {
    expect_near<double>(got, wanted, ulps);
  }
}

}  // namespace kmap::test
