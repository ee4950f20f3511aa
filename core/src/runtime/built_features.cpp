// Compiled with the flags of kmap and its kernels; the compiler tells by macros what they allow.

#include "runtime/processor.hpp"

namespace kmap::detail {

constexpr FeatureSet allowed_by_flags = 0
#ifdef __SSE3__
                                        | feature("sse3")
#endif
#ifdef __SSSE3__
                                        | feature("ssse3")
#endif
#ifdef __SSE4_1__
                                        | feature("sse4.1")
#endif
#ifdef __SSE4_2__
                                        | feature("sse4.2")
#endif
#ifdef __POPCNT__
                                        | feature("popcnt")
#endif
#ifdef __AVX__
                                        | feature("avx")
#endif
#ifdef __AVX2__
                                        | feature("avx2")
#endif
#ifdef __FMA__
                                        | feature("fma")
#endif
#ifdef __FMA4__
                                        | feature("fma4")
#endif
#ifdef __XOP__
                                        | feature("xop")
#endif
#ifdef __BMI__
                                        | feature("bmi")
#endif
#ifdef __BMI2__
                                        | feature("bmi2")
#endif
#ifdef __AES__
                                        | feature("aes")
#endif
#ifdef __PCLMUL__
                                        | feature("pclmul")
#endif
#ifdef __GFNI__
                                        | feature("gfni")
#endif
#ifdef __VPCLMULQDQ__
                                        | feature("vpclmulqdq")
#endif
#ifdef __AVX512F__
                                        | feature("avx512f")
#endif
#ifdef __AVX512CD__
                                        | feature("avx512cd")
#endif
#ifdef __AVX512BW__
                                        | feature("avx512bw")
#endif
#ifdef __AVX512DQ__
                                        | feature("avx512dq")
#endif
#ifdef __AVX512VL__
                                        | feature("avx512vl")
#endif
#ifdef __AVX512IFMA__
                                        | feature("avx512ifma")
#endif
#ifdef __AVX512VBMI__
                                        | feature("avx512vbmi")
#endif
#ifdef __AVX512VBMI2__
                                        | feature("avx512vbmi2")
#endif
#ifdef __AVX512VNNI__
                                        | feature("avx512vnni")
#endif
#ifdef __AVX512BITALG__
                                        | feature("avx512bitalg")
#endif
#ifdef __AVX512VPOPCNTDQ__
                                        | feature("avx512vpopcntdq")
#endif
    ;

const FeatureSet built_features = allowed_by_flags;

}  // namespace kmap::detail
