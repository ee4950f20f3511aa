#pragma once
// The instruction sets that this kmap was compiled for, and those of the processor it runs on.
//
// Whatever is compiled for more than the processor has may die by SIGILL, so what compares the two
// (processor.cpp, and driver/processor_gate.cpp) is compiled for the oldest processor of the
// family, and uses no inline function of the library: the linker might take another file's copy.

#include <cstddef>
#include <cstdint>

namespace kmap::detail {

// A set of features: bit i stands for processor_features[i].
using FeatureSet = std::uint64_t;

inline constexpr const char* processor_features[] = {
    "sse3",       "ssse3",        "sse4.1",         "sse4.2",     "popcnt",     "avx",
    "avx2",       "fma",          "fma4",           "xop",        "bmi",        "bmi2",
    "aes",        "pclmul",       "gfni",           "vpclmulqdq", "avx512f",    "avx512cd",
    "avx512bw",   "avx512dq",     "avx512vl",       "avx512ifma", "avx512vbmi", "avx512vbmi2",
    "avx512vnni", "avx512bitalg", "avx512vpopcntdq"};
inline constexpr std::size_t processor_feature_count =
    sizeof(processor_features) / sizeof(processor_features[0]);

// The set of that one feature; does not compile for an unknown one.
consteval FeatureSet feature(const char* name) {
  for (std::size_t i = 0; i < processor_feature_count; ++i) {
    const char* a = processor_features[i];
    const char* b = name;
    while (*a != '\0' && *a == *b) ++a, ++b;
    if (*a == *b) return FeatureSet{1} << i;
  }
  throw "no such feature";
}

// What the code must have and the processor lacks.
constexpr FeatureSet missing_features(FeatureSet built_for, FeatureSet present) {
  return built_for & ~present;
}

// That the compiler may have used in kmap and its kernels. A constant, so that reading it needs no
// code that is compiled so. None on processors other than x86.
extern const FeatureSet built_features;

// Of the processor that runs this.
FeatureSet own_features();

// Writes the names of the set, each after a space, and an ending 0 to `text`; what is longer than
// `size` is left out.
void name_features(FeatureSet set, char* text, std::size_t size);

}  // namespace kmap::detail
