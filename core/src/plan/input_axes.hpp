#pragma once
// The axes of an input: which is the batch, which the vmaps of the config take, and what is left,
// an example.

#include "config/job_config.hpp"
#include "io/dataset_info.hpp"
#include "plan/row_map.hpp"

#include "kmap/kernel_info.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace kmap::plan {

// An axis inside of a row; the stride is in elements of a row-major row.
struct RowAxis {
  std::int64_t extent = 0;
  std::int64_t stride = 0;
  std::size_t dataset_axis = 0;
};

struct InputAxes {
  bool replicated = false;  // has no rows: the whole dataset is in the place of one
  RowMap rows;
  std::int64_t row_count = 0;
  Shape row_shape;                            // the dataset's without the batch's axis, or with a
                                              // window's length in its place
  std::vector<std::optional<RowAxis>> vmaps;  // that each vmap of the config maps
  std::vector<RowAxis> loops;  // further ones, before the example's: mapped one inside the other
  Shape core;                  // extents of an example
  Shape core_strides;
};

// Throws ShapeError for data that do not fit the kernel, ConfigError for axes that the data do not
// have.
InputAxes find_input_axes(const config::JobConfig& job, const OperandInfo& operand,
                          const io::DatasetInfo& dataset);

// "data.h5:/x of shape (3, 4)"
std::string describe(const io::DatasetInfo& dataset);

}  // namespace kmap::plan
