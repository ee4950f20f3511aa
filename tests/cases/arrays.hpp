#pragma once
// Arrays of any rank with known content, and how the cases look at results.

#include "support/runtime.hpp"

#include "kmap/pmap.hpp"

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <vector>

namespace kmap::test {

template <class T, int Rank>
using Array = detail::HostArray<T, Rank>;

// The values 0, 1, 2, … in row-major order.
template <class T, int Rank>
Array<T, Rank> counting(const Shape& shape) {
  const auto x = detail::make_host_array<T, Rank>(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<T>(static_cast<int>(i));
  return x;
}

template <class T>
Array<T, 1> array_of(std::initializer_list<T> values) {
  const auto x = detail::make_host_array<T, 1>({static_cast<std::int64_t>(values.size())});
  std::copy(values.begin(), values.end(), x.data());
  return x;
}

// On every rank the whole of a distributed array.
template <class T, int Rank, class Space>
Array<T, Rank> whole(const DistArray<T, Rank, Space>& x) {
  const auto gathered = gather(x);
  const auto all = x.comm().is_root() ? gathered : detail::make_host_array<T, Rank>(x.shape());
  x.comm().broadcast(all.data(), all.size() * sizeof(T));
  return all;
}
template <class View>
auto whole(const View& x) {
  return detail::to_host(x);
}

// The elements in row-major order.
template <class A>
auto rows(const A& x) {
  const auto all = whole(x);
  using T = typename decltype(all)::non_const_value_type;
  return std::vector<T>(all.data(), all.data() + all.size());
}

template <class A>
Shape shape_of(const A& x) {
  return detail::shape_of(whole(x));
}

// An array (View or distributed) has that shape and, in row-major order, these values.
template <class A, class T>
void expect_array(const A& x, const Shape& shape, const std::vector<T>& values) {
  EXPECT_EQ(shape_of(x), shape);
  const auto got = rows(x);
  ASSERT_EQ(got.size(), values.size());
  for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(got[i], values[i]) << "element " << i;
}
template <class A, class B>
void expect_same(const A& x, const B& y) {
  expect_array(x, shape_of(y), rows(y));
}

// The element values of all indices of that shape, in row-major order: value(index).
template <class T, class Value>
std::vector<T> each_index(const Shape& shape, const Value& value) {
  std::vector<T> values;
  for (std::int64_t i = 0; i < count(shape); ++i) {
    Shape index(shape.size());
    std::int64_t rest = i;
    for (std::size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    values.push_back(static_cast<T>(value(index)));
  }
  return values;
}

// Where counting() has its value: the row-major number of an index.
inline std::int64_t number_of(const Shape& index, const Shape& shape) {
  std::int64_t number = 0;
  for (std::size_t d = 0; d < shape.size(); ++d) number = number * shape[d] + index[d];
  return number;
}

// Lengths of a mapped axis that are worth a try: none, fewer than ranks, as many, more, those of
// the cases.
inline std::vector<std::int64_t> lengths() {
  const std::int64_t ranks = runtime().comm().size();
  std::vector<std::int64_t> all = {0, 1, 2, 4, 10};
  if (ranks == 3) all.insert(all.begin() + 3, 3);
  return all;
}
// The same without none.
inline std::vector<std::int64_t> some_lengths() {
  std::vector<std::int64_t> all = lengths();
  all.erase(all.begin());
  return all;
}

// What `action` throws, which must be a ShapeError; the same text on every rank.
template <class Action>
std::string message_of(const Action& action) {
  std::string text = "no error";
  try {
    action();
  } catch (const ShapeError& error) {
    text = error.what();
  }
  EXPECT_EQ(text, runtime().comm().broadcast(text));
  return text;
}

template <class From, class To>
KOKKOS_FUNCTION void copy_example(const From& from, const To& to) {
  if constexpr (From::rank() == 1) {
    for (std::int64_t i = 0; i < to.extent(0); ++i) to(i) = from(i);
  } else if constexpr (From::rank() == 2) {
    for (std::int64_t i = 0; i < to.extent(0); ++i) {
      for (std::int64_t j = 0; j < to.extent(1); ++j) to(i, j) = from(i, j);
    }
  } else {
    for (std::int64_t i = 0; i < to.extent(0); ++i) {
      for (std::int64_t j = 0; j < to.extent(1); ++j) {
        for (std::int64_t k = 0; k < to.extent(2); ++k) to(i, j, k) = from(i, j, k);
      }
    }
  }
}

}  // namespace kmap::test
