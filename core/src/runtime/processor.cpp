#include "runtime/processor.hpp"

namespace kmap::detail {

#if defined(__x86_64__) || defined(__i386__)

// __builtin_cpu_supports takes literals only.
FeatureSet own_features() {
  __builtin_cpu_init();
  FeatureSet set = 0;
  if (__builtin_cpu_supports("sse3")) set |= feature("sse3");
  if (__builtin_cpu_supports("ssse3")) set |= feature("ssse3");
  if (__builtin_cpu_supports("sse4.1")) set |= feature("sse4.1");
  if (__builtin_cpu_supports("sse4.2")) set |= feature("sse4.2");
  if (__builtin_cpu_supports("popcnt")) set |= feature("popcnt");
  if (__builtin_cpu_supports("avx")) set |= feature("avx");
  if (__builtin_cpu_supports("avx2")) set |= feature("avx2");
  if (__builtin_cpu_supports("fma")) set |= feature("fma");
  if (__builtin_cpu_supports("fma4")) set |= feature("fma4");
  if (__builtin_cpu_supports("xop")) set |= feature("xop");
  if (__builtin_cpu_supports("bmi")) set |= feature("bmi");
  if (__builtin_cpu_supports("bmi2")) set |= feature("bmi2");
  if (__builtin_cpu_supports("aes")) set |= feature("aes");
  if (__builtin_cpu_supports("pclmul")) set |= feature("pclmul");
  if (__builtin_cpu_supports("gfni")) set |= feature("gfni");
  if (__builtin_cpu_supports("vpclmulqdq")) set |= feature("vpclmulqdq");
  if (__builtin_cpu_supports("avx512f")) set |= feature("avx512f");
  if (__builtin_cpu_supports("avx512cd")) set |= feature("avx512cd");
  if (__builtin_cpu_supports("avx512bw")) set |= feature("avx512bw");
  if (__builtin_cpu_supports("avx512dq")) set |= feature("avx512dq");
  if (__builtin_cpu_supports("avx512vl")) set |= feature("avx512vl");
  if (__builtin_cpu_supports("avx512ifma")) set |= feature("avx512ifma");
  if (__builtin_cpu_supports("avx512vbmi")) set |= feature("avx512vbmi");
  if (__builtin_cpu_supports("avx512vbmi2")) set |= feature("avx512vbmi2");
  if (__builtin_cpu_supports("avx512vnni")) set |= feature("avx512vnni");
  if (__builtin_cpu_supports("avx512bitalg")) set |= feature("avx512bitalg");
  if (__builtin_cpu_supports("avx512vpopcntdq")) set |= feature("avx512vpopcntdq");
  return set;
}

#else

FeatureSet own_features() { return 0; }

#endif

void name_features(FeatureSet set, char* text, std::size_t size) {
  std::size_t at = 0;
  for (std::size_t i = 0; i < processor_feature_count; ++i) {
    if ((set >> i & 1) == 0) continue;
    std::size_t length = 0;
    while (processor_features[i][length] != '\0') ++length;
    if (at + length + 2 > size) break;
    text[at++] = ' ';
    for (std::size_t k = 0; k < length; ++k) text[at++] = processor_features[i][k];
  }
  if (size > 0) text[at] = '\0';
}

}  // namespace kmap::detail
