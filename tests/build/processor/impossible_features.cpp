// FMA4 was AMD's alone, and gone before AMD had AVX-512.

#include "runtime/processor.hpp"

#include <cstdio>

namespace kmap::detail {

const FeatureSet built_features = feature("sse3") | feature("fma4") | feature("avx512vbmi2");

}  // namespace kmap::detail

namespace {

struct EarlyObject {
  EarlyObject() { std::puts("an object was made before main"); }
};

const EarlyObject early;

}  // namespace

int main() { std::puts("main was reached"); }
