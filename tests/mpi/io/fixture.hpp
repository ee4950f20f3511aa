#pragma once
// What the tests of io over several ranks share.

#include "io/input.hpp"
#include "support/runtime.hpp"
#include "support/shared_folder.hpp"
#include "unit/io/files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace kmap::test {

inline const Communicator& comm() { return runtime().comm(); }

// A folder that all ranks see, and files in it that rank 0 makes.
class SharedFiles : public testing::Test {
 protected:
  SharedFiles() { io::keep_hdf5_quiet(); }

  std::filesystem::path path(const std::string& name) const { return folder_.path() / name; }

  // Lets rank 0 make a file when the others are ready; they wait for it.
  template <class Make>
  void on_rank_0(Make&& make) const {
    comm().barrier();
    agreed(comm(), [&] {
      if (comm().is_root()) make();
    });
  }

 private:
  SharedFolder folder_{comm()};
};

inline std::int64_t row_elements(const Shape& shape) {
  return count(Shape(shape.begin() + 1, shape.end()));
}

inline Range own_rows(const io::InputDataset& input) {
  return shard_of(input.info().shape[0], comm().size(), comm().rank());
}

// Memory for elements; a bool is a byte of it.
template <class T>
using Elements = std::vector<std::conditional_t<std::is_same_v<T, bool>, std::uint8_t, T>>;

// This rank's rows as T, read in blocks of at most `block` rows. Agreed.
template <class T>
Elements<T> read_own(const io::InputDataset& input, std::int64_t block = 1000000) {
  const Range rows = own_rows(input);
  const std::int64_t row = row_elements(input.info().shape);
  Elements<T> values(static_cast<std::size_t>(rows.size() * row));
  agreed(comm(), [&] {
    for (std::int64_t begin = rows.begin; begin < rows.end; begin += block) {
      input.read_rows({begin, std::min(begin + block, rows.end)}, dtype_of<T>,
                      values.data() + (begin - rows.begin) * row);
    }
  });
  return values;
}

// The part of `all` that stands for this rank's rows.
template <class T>
std::vector<T> own_part(const io::InputDataset& input, const std::vector<T>& all) {
  const Range rows = own_rows(input);
  const std::int64_t row = row_elements(input.info().shape);
  return {all.begin() + rows.begin * row, all.begin() + rows.end * row};
}

}  // namespace kmap::test
