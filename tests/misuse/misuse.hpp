#pragma once
// How misuse is looked at: the error that all ranks throw, and that the program goes on after it.

#include "support/runtime.hpp"

#include "kmap/collectives.hpp"
#include "kmap/pmap.hpp"

#include <Kokkos_Core.hpp>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace kmap::test {

inline const Communicator& comm() { return runtime().comm(); }

template <class T, int Rank>
using Array = detail::HostArray<T, Rank>;

// The values 1, 2, 3, … in row-major order.
template <int Rank>
Array<double, Rank> from_one(const Shape& shape) {
  const auto x = detail::make_host_array<double, Rank>(shape);
  for (std::size_t i = 0; i < x.size(); ++i) x.data()[i] = static_cast<double>(i + 1);
  return x;
}

// A correct collective over the ranks, between maps.
inline void expect_ranks_in_step() {
  const auto sum = psum(scatter(comm(), from_one<1>({7})));
  EXPECT_EQ(sum(), 28);
}

struct Caught {
  std::string text = "no error";
  bool is_error = false;        // of kmap
  bool is_shape_error = false;  // of that type
  bool agreed = false;
  int rank = -1;
  ExitCode code = ExitCode::ok;
};

// What `action`, the same on every rank, throws; all ranks must throw the same and be in step
// afterwards.
template <class Action>
Caught caught(const Action& action) {
  Caught result;
  try {
    action();
  } catch (const ShapeError& error) {
    result = {error.what(), true, true, error.agreed(), error.rank(), error.code()};
  } catch (const Error& error) {
    result = {error.what(), true, false, error.agreed(), error.rank(), error.code()};
  } catch (const std::exception& error) {
    result.text = error.what();
  }
  EXPECT_EQ(result.text, comm().broadcast(result.text));
  expect_ranks_in_step();
  return result;
}

// The text of an error for shapes and calls that do not fit.
template <class Action>
std::string refused(const Action& action) {
  const Caught error = caught(action);
  EXPECT_TRUE(error.is_shape_error) << error.text;
  EXPECT_EQ(error.code, ExitCode::bad_data) << error.text;
  return error.text;
}

}  // namespace kmap::test
