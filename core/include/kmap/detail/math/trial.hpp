#pragma once
// Trial runs: how functions that are quick for most arguments stay vectorisable.
//
// sin and its kin have a short way without branches for arguments that are not huge, and a long
// one. A branch between the two would keep every loop over examples from being vectorised. So such
// a loop is first tried: the functions then take the short way whatever the argument, with an
// operation that overflows where that was wrong, and if the processor's overflow flag tells so, the
// loop does its block again, with the branch. Outside a trial they always branch. Both give the
// same bits.

#include "kmap/detail/math/bits.hpp"
#include "kmap/detail/math/overflow_flag.hpp"

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdint>
#include <limits>

namespace kmap::detail {

/// A type of its own: no store of an example can change a variable of it, so that compilers know
/// its value all through a loop.
enum class Way : std::uint64_t { exact, trial };

/// What the functions that this thread calls are to do. There is no other channel: f gets its
/// examples and no more.
inline thread_local constinit Way way = Way::exact;

/// True if this machine has the flag: under valgrind, which does not keep it, there are no trials.
bool trials_work();

/// The trials of one loop on this thread. Afterwards the flag is as before.
class Trials {
 public:
  Trials() : outer_(way), flag_(overflow_flag()) {
    if (flag_) clear_overflow_flag();
  }
  ~Trials() {
    way = outer_;
    if (flag_) raise_overflow_flag();
  }
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  /// Ends the one that began with the assignment of Way::trial to `way`, which is for the loop
  /// itself to do, so that the compiler knows it there. False if some function took a way that was
  /// wrong for its argument, or if anything else overflowed: then nothing that was calculated in it
  /// counts.
  bool end() {
    way = outer_;
    return !overflow_flag();
  }

  /// After what was done in place of one that failed, where anything may have overflowed.
  void forget() { clear_overflow_flag(); }

 private:
  Way outer_;
  bool flag_;
};

template <class T>
constexpr T overflow_beyond(T reach) {
  return std::numeric_limits<T>::max() / reach;
}

/// near(x, scaled) for |x| <= reach or a rounding more and NaN, else far(x), on a host. `scaled` is
/// x times what makes it overflow beyond reach: its use is how `near` tells in a trial that the
/// argument was not for it. Of infinities both must make what is right, or NaN. `far` has to be
/// declared with the attributes const and noinline: GCC takes a call without it for one that may
/// change `way`.
template <class T, class Near, class Far>
KOKKOS_FORCEINLINE_FUNCTION auto within_reach(T x, T reach, const Near& near, const Far& far) {
  const T scaled = x * overflow_beyond(reach);
  if (way != Way::trial && std::fabs(scaled) > std::numeric_limits<T>::max()) return far(x);
  return near(x, scaled);
}

}  // namespace kmap::detail
