#include "kmap/detail/math/trial.hpp"

#include <limits>

namespace kmap::detail {

namespace {

bool find_out() {
  const bool before = overflow_flag();
  clear_overflow_flag();
  const bool cleared = !overflow_flag();
  const volatile double huge = std::numeric_limits<double>::max();
  [[maybe_unused]] const volatile double more = huge * 2;
  const bool raised = overflow_flag();
  if (!before) clear_overflow_flag();
  return cleared && raised;
}

}  // namespace

bool trials_work() {
  static const bool work = find_out();
  return work;
}

}  // namespace kmap::detail
