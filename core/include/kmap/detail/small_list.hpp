#pragma once
// A list without memory of its own: a map of a few numbers is called in less time than one
// allocation takes.

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace kmap::detail {

/// At most Capacity elements, in place.
template <class T, int Capacity>
class SmallList {
 public:
  SmallList() = default;

  std::size_t size() const { return static_cast<std::size_t>(size_); }
  bool empty() const { return size_ == 0; }
  T* begin() { return values_; }
  T* end() { return values_ + size_; }
  const T* begin() const { return values_; }
  const T* end() const { return values_ + size_; }
  T& operator[](std::size_t i) { return values_[i]; }
  const T& operator[](std::size_t i) const { return values_[i]; }

  void push_back(const T& value) {
    assert(size_ < Capacity);
    values_[size_++] = value;
  }
  void insert(int at, const T& value) {
    push_back(value);
    std::rotate(begin() + at, end() - 1, end());
  }
  void remove(int at) {
    std::copy(begin() + at + 1, end(), begin() + at);
    --size_;
  }

  friend bool operator==(const SmallList& a, const SmallList& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end());
  }

 private:
  T values_[Capacity > 0 ? Capacity : 1];
  int size_ = 0;
};

/// The extents of a view, or strides: Kokkos' views have at most eight dimensions.
using Dimensions = SmallList<std::int64_t, 8>;

inline Dimensions to_dimensions(const std::vector<std::int64_t>& extents) {
  Dimensions dimensions;
  for (const std::int64_t extent : extents) dimensions.push_back(extent);
  return dimensions;
}
inline std::vector<std::int64_t> to_vector(const Dimensions& dimensions) {
  return {dimensions.begin(), dimensions.end()};
}

}  // namespace kmap::detail
