#pragma once
// Sizes of an example's named dimensions.

#include "io/dataset_info.hpp"

#include "kmap/kernel_info.hpp"

#include <map>
#include <string>

namespace kmap::plan {

// Sizes of core dimensions, and who said so.
class DimTable {
 public:
  // Takes over the sizes of an input's example. Throws a ShapeError if they differ from what others
  // or the kernel say, or are 0.
  void bind(const OperandInfo& operand, const Shape& core, const io::DatasetInfo& dataset);

  DimSizes& sizes() { return sizes_; }

 private:
  DimSizes sizes_;
  std::map<std::string, std::string> first_;
};

}  // namespace kmap::plan
