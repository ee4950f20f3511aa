#pragma once
// Brings an exception out of a parallel region, which none may leave by itself.

#include <cstdint>
#include <exception>
#include <mutex>

namespace kmap::detail {

/// Of all exceptions thrown, keeps that of the lowest example.
class FirstException {
 public:
  /// Takes the exception being handled.
  void keep(std::int64_t example) noexcept {
    const std::lock_guard lock(mutex_);
    if (exception_ && example >= example_) return;
    example_ = example;
    exception_ = std::current_exception();
  }

  template <class Work>
  void guard(std::int64_t example, const Work& work) noexcept {
    try {
      work();
    } catch (...) {
      keep(example);
    }
  }

  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::mutex mutex_;
  std::exception_ptr exception_;
  std::int64_t example_ = 0;
};

}  // namespace kmap::detail
