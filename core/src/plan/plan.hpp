#pragma once
// Everything that is decided before the first byte is read.

#include "config/job_config.hpp"
#include "io/dataset_info.hpp"
#include "plan/bind_kernel.hpp"

#include "kmap/kernel_info.hpp"
#include "kmap/shape.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace kmap::plan {

// How a batch lies along an axis of a dataset: row i is [first + i * step, first + i * step +
// length).
struct RowMap {
  std::size_t axis = 0;
  std::int64_t first = 0;
  std::int64_t step = 1;    // negative: backwards
  std::int64_t length = 1;  // of a window; 1 otherwise

  std::int64_t begin(std::int64_t row) const { return first + row * step; }
  // All that the rows, and what lies between them, take of the axis.
  Range span(Range rows) const;
};

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
  Shape core;                    // of one example
  std::int64_t row_bytes = 0;    // of one row as the kernel gets it
  std::int64_t index_bytes = 0;  // of one index of the mapped axis
  std::int64_t whole_bytes = 0;  // of all that is read
  bool is_window = false;

  // Of the memory that the kernel gets for so many rows, and of that where they are before they are
  // arranged.
  std::int64_t block_bytes(std::int64_t count) const;
  std::int64_t arranging_bytes(std::int64_t count) const;
};

struct OutputPlan {
  std::string name;
  std::string path;  // in the output file
  DType type;        // as the kernel makes it
  DType stored;      // as the file has it
  Shape shape;       // of the dataset
  Shape core;
  std::int64_t row_bytes = 0;
  std::int64_t whole_bytes = 0;  // in the file
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
  std::int64_t rows = 0;  // length of the leading axis
  Shape loops;            // further mapped axes: a row has count(loops) examples
  Resources resources;
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
