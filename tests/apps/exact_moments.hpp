#pragma once
// Slow references for the kernel moments.

#include <cmath>
#include <cstddef>

namespace kmap::test {

#ifdef __SIZEOF_FLOAT128__
__extension__ using Quad = __float128;
#else
using Quad = long double;
#endif

// Keeps what quadruple additions lose: sums are exact for all that is tested here.
class QuadSum {
 public:
  void add(Quad x) {
    const Quad sum = sum_ + x;
    const Quad part = sum - sum_;
    lost_ += (sum_ - (sum - part)) + (x - part);
    sum_ = sum;
  }
  Quad value() const { return sum_ + lost_; }

 private:
  Quad sum_ = 0;
  Quad lost_ = 0;
};

struct Reference {  // before rounding to the kernel's type
  Quad mean;
  long double deviation;
};

template <class T>
Reference reference(const T* x, std::size_t count) {
  const auto n = static_cast<Quad>(count);
  QuadSum sum;
  for (std::size_t i = 0; i < count; ++i) sum.add(static_cast<Quad>(x[i]));
  const Quad mean = sum.value() / n;
  QuadSum squares;
  for (std::size_t i = 0; i < count; ++i) {
    const Quad distance = static_cast<Quad>(x[i]) - mean;
    squares.add(distance * distance);
  }
  return {mean, std::sqrt(static_cast<long double>(squares.value() / n))};
}

}  // namespace kmap::test
