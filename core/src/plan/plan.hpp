#pragma once
// Everything that is decided before the first byte is read.

#include "config/job_config.hpp"
#include "io/dataset_info.hpp"
#include "plan/bind_kernel.hpp"
#include "plan/row_map.hpp"

#include "kmap/kernel_info.hpp"
#include "kmap/shape.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace kmap::plan {

// How rows come into a block.
enum class Access {
  in_place,   // their span is read at once, and each row is a view of it
  arranged,   // the same, then each row is copied to its place
  row_by_row  // rows that lie far apart are read one by one
};

struct InputPlan {
  std::string name;
  io::DatasetInfo dataset;
  DType type;               // as the kernel gets it
  bool replicated = false;  // the whole dataset goes to every example; has no rows
  RowMap rows;
  Access access = Access::in_place;
  Shape core;  // of one example
  Shape core_strides;
  Shape loop_strides;            // in a row, along each of the plan's loops; 0: not mapped
  std::int64_t row_bytes = 0;    // of one row as the kernel gets it
  std::int64_t index_bytes = 0;  // of one index of the mapped axis
  std::int64_t whole_bytes = 0;  // of all that is read
  bool is_window = false;

  // Of the memory that the kernel gets for so many rows, and of that where they are before they are
  // arranged.
  std::int64_t block_bytes(std::int64_t count) const;
  std::int64_t arranging_bytes(std::int64_t count) const;

  // Elements from one row to the next in the kernel's memory; 0 if there are no rows.
  std::int64_t row_stride() const;
};

// A dimension of an output's dataset: a mapped level (0 is the batch), or dimension `core` of an
// example.
struct OutputDim {
  int level = -1;
  int core = -1;
  bool is_level() const { return level >= 0; }
};

struct OutputPlan {
  std::string name;
  std::string path;  // in the output file
  DType type;        // as the kernel makes it
  DType stored;      // as the file has it
  Shape core;
  std::vector<OutputDim> dims;
  std::vector<int> dropped;  // levels that it does not depend on, outermost first
  Shape shape;               // of the dataset
  std::int64_t row_bytes = 0;
  std::int64_t whole_bytes = 0;  // in the file

  // Which axis of the dataset is the batch, if it has it.
  std::optional<std::size_t> row_axis() const;
};

// Values along a dimension of outputs, in a dataset of their own.
struct CoordinatePlan {
  std::string name;
  std::string path;  // in the output file
  std::string dim;
  std::string unit;
  DType stored;            // as the file has it; it is made as f8
  Shape shape;             // of the dataset
  std::int64_t bytes = 0;  // in the file
  std::function<double(std::int64_t i)> value;
};

// What a rank has to work with.
struct Resources {
  int ranks = 1;
  std::int64_t memory = 0;  // bytes that each rank may hold in blocks
  bool staged = false;      // blocks are copied to a device and back
};

struct Plan {
  BoundKernel kernel;
  const KernelInstance* instance = nullptr;
  std::vector<InputPlan> inputs;
  std::vector<OutputPlan> outputs;
  std::vector<CoordinatePlan> coordinates;
  std::int64_t rows = 0;                 // length of the batch's axis
  Shape loops;                           // of further mapped axes: a row has count(loops) examples
  std::vector<std::string> level_names;  // of the batch's axis and of those, maybe empty
  // Whether a level is one line in memory with the one before it, in all operands; then kernels see
  // both as one.
  std::vector<bool> joined;
  Resources resources;
  std::int64_t seed = 0;
  std::int64_t most_rows = 0;     // of a block, by the config; 0: any number
  std::int64_t block_rows = 1;    // of a full block
  std::int64_t steps = 0;         // blocks of the longest shard: all ranks take that many
  std::int64_t row_memory = 0;    // bytes that a rank holds per row of a block
  std::int64_t fixed_memory = 0;  // bytes that it holds besides

  std::int64_t examples() const { return rows * count(loops); }
  std::int64_t memory_needed() const { return fixed_memory + block_rows * row_memory; }
  Range shard(int rank) const { return shard_of(rows, resources.ranks, rank); }
  // The rows of all ranks that are done after so many steps.
  std::int64_t rows_done(std::int64_t steps_done) const;
  // The rows of one step of a rank, empty when its shard is done.
  Range block(int rank, std::int64_t step) const;

  // The mapped axes as kernels see them, and where operands lie in a block of so many rows. An
  // output's dropped levels come before its dataset's dimensions.
  JobLevels job_levels() const;
  BlockLayout input_layout(std::size_t i) const;
  BlockLayout output_layout(std::size_t k, std::int64_t row_count) const;
  // The length of a level, and the innermost one of that name, or -1.
  std::int64_t level_length(int level) const;
  int level_of(const std::string& name) const;
  // Values of output k that such a block holds in place of one, and the elements of each.
  std::int64_t output_copies(std::size_t k, std::int64_t row_count) const;
  std::int64_t output_elements(std::size_t k, std::int64_t row_count) const;

  // Cuts the shards into blocks that leave `kept` bytes of the ranks' memory free. False if not
  // even one row fits.
  bool cut_blocks(std::int64_t kept = 0);
};

// `datasets` in the order of the kernel's inputs. Errors name files, datasets and sizes: ShapeError
// for data that do not fit the kernel (65), ConfigError for a config that does not fit the data
// (78).
Plan make_plan(const config::JobConfig& job, const BoundKernel& kernel,
               const std::vector<io::DatasetInfo>& datasets, const Resources& resources);

}  // namespace kmap::plan
