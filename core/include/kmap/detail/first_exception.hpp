#pragma once
// Brings an exception out of a parallel region, which none may leave by itself.

#include <cstdint>
#include <exception>
#include <limits>
#include <mutex>

namespace kmap::detail {

/// Of all exceptions thrown, keeps that of the lowest piece of work.
class FirstException {
 public:
  template <class Work>
  void guard(std::int64_t piece, const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (piece < piece_) {
        piece_ = piece;
        exception_ = std::current_exception();
      }
    }
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::int64_t piece_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace kmap::detail
