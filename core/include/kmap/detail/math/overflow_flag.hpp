#pragma once
// The processor's flag that a floating-point operation has overflowed: it stays up until it is
// cleared, belongs to the thread, and is raised by vector instructions as by others.

#if defined(__SSE__) || defined(_M_X64)
#include <xmmintrin.h>
#else
#include <cfenv>
#endif

namespace kmap::detail {

// <cfenv> would do everywhere, but also reads and writes the flags of the x87 unit, which takes as
// long as fifty square roots.
#if defined(__SSE__) || defined(_M_X64)
inline bool overflow_flag() { return (_mm_getcsr() & _MM_EXCEPT_OVERFLOW) != 0; }
inline void clear_overflow_flag() {
  _mm_setcsr(_mm_getcsr() & ~static_cast<unsigned>(_MM_EXCEPT_OVERFLOW));
}
inline void raise_overflow_flag() { _mm_setcsr(_mm_getcsr() | _MM_EXCEPT_OVERFLOW); }
#else
inline bool overflow_flag() { return std::fetestexcept(FE_OVERFLOW) != 0; }
inline void clear_overflow_flag() { std::feclearexcept(FE_OVERFLOW); }
inline void raise_overflow_flag() { std::feraiseexcept(FE_OVERFLOW); }
#endif

}  // namespace kmap::detail
