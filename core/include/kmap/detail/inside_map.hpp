#pragma once
// Whether this thread is running a mapped function: what allocates Kokkos memory must not be done
// there.

namespace kmap::detail {

/// Marks the thread while it lives.
class InsideMap {
 public:
  InsideMap() : before_(mark()) { mark() = true; }
  ~InsideMap() { mark() = before_; }
  InsideMap(const InsideMap&) = delete;
  InsideMap& operator=(const InsideMap&) = delete;

  static bool here() { return mark(); }

 private:
  static bool& mark() {
    thread_local bool inside = false;
    return inside;
  }

  bool before_;
};

}  // namespace kmap::detail
