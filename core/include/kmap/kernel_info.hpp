#pragma once
/// \file
/// Kernels as data: what a declaration (kmap/kernel.hpp) says to the driver, which validates,
/// allocates, estimates and describes from it and never knows the kernel's type.

#include "kmap/communicator.hpp"
#include "kmap/detail/collective_need.hpp"
#include "kmap/dtype.hpp"
#include "kmap/shape.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kmap {

/// A parameter's value. Its alternative is that of ParamInfo::fallback.
using ParamValue = std::variant<bool, std::int64_t, double, std::string>;

struct ParamInfo {
  std::string name;
  std::string unit;  ///< "" or "1" if it has none
  std::string doc;   ///< one sentence
  ParamValue fallback;
  std::optional<double> least;       ///< smallest allowed number
  std::optional<double> most;        ///< largest allowed number
  std::vector<std::string> choices;  ///< allowed texts
  bool above_least = false;          ///< `least` itself is not allowed
  bool is_single = false;            ///< a number that the kernel holds in single precision
};

/// One dimension of an example.
struct CoreDim {
  std::string name;
  std::optional<std::int64_t> fixed;  ///< the only size it may have
  bool rest = false;                  ///< all dimensions behind the mapped ones, as one
};

struct OperandInfo {
  std::string name;
  std::string doc;
  std::vector<CoreDim> core;
  std::vector<DType> types;   ///< that the kernel is compiled for, in the order of its declaration
  std::string same_as;        ///< the input whose type this has, or ""
  std::string type_text;      ///< the types for people
  bool same_for_all = false;  ///< an output whose value no example changes: stored once
};

/// Sizes of named core dimensions.
using DimSizes = std::map<std::string, std::int64_t>;

/// The values along a dimension of outputs: they depend on sizes and parameters only, so that a job
/// writes them once.
struct CoordinateInfo {
  std::string name;
  std::string dim;   ///< a named dimension of an output
  std::string unit;  ///< "" or "1" if it has none
  std::string doc;   ///< one sentence
  /// Value i of those along the dimension, from the sizes of all dimensions and the parameters.
  std::function<double(std::int64_t i, const DimSizes&, const void* params)> value;
};

/// One mapped axis of a job.
struct MappedLevel {
  std::string name;         ///< by which kernels call collectives over it; may be empty
  std::int64_t length = 0;  ///< of the whole axis, on all ranks
};

/// The mapped axes of a job, outermost first.
struct JobLevels {
  std::vector<MappedLevel> levels = {{}};  ///< the first one is distributed; at most max_levels
  std::vector<int> axes;  ///< the level of each of KernelInfo::axes, in their order

  /// Whether the kernel asks about no other rows than an example's own: no name is that of the
  /// distributed axis.
  bool rows_are_apart() const { return std::find(axes.begin(), axes.end(), 0) == axes.end(); }

  /// Examples in one row, which is one index of the distributed axis.
  std::int64_t examples_per_row() const {
    std::int64_t n = 1;
    for (std::size_t l = 1; l < levels.size(); ++l) n *= levels[l].length;
    return n;
  }
};

/// How one operand lies in the memory of a block. Strides in elements.
struct BlockLayout {
  Shape core;          ///< extents of one example
  Shape core_strides;  ///< along each of them
  Shape strides;       ///< along each mapped axis; 0 where all examples have the same
};

/// Examples that follow each other, row-major, along mapped axes of these extents.
BlockLayout packed_layout(const Shape& extents, const Shape& core);

/// One example for all.
BlockLayout shared_layout(std::size_t levels, const Shape& core);

/// One block of examples, in the memory of Kokkos' default execution space.
struct BlockArguments {
  const void* params = nullptr;     ///< as made by KernelInfo::make_params
  std::vector<const void*> inputs;  ///< where each begins
  std::vector<void*> outputs;
  std::vector<BlockLayout> input_layouts;
  std::vector<BlockLayout> output_layouts;
  JobLevels levels;
  std::int64_t seed = 0;  ///< of the examples' keys
  Range rows;             ///< the block's part of the distributed axis; the other axes are whole
};

/// The runs of a kernel that may call collectives over the whole batch, block by block: as often as
/// it has collectives, and once more (see kmap/collectives.hpp). Every rank makes the same calls of
/// what is collective; errors elsewhere are the caller's to agree on.
class KernelReplay {
 public:
  virtual ~KernelReplay() = default;
  /// Runs the first example of this rank, whose block this is, to see what it calls next.
  virtual void probe(const BlockArguments& first_block) = 0;
  /// True if that was a collective whose result is not known yet. Collective.
  virtual bool found_collective() = 0;
  /// What it and, as far as that is known, those behind it take of this rank's memory, in order.
  virtual std::vector<detail::CollectiveNeed> needs() const = 0;
  /// Bytes of the results found so far.
  virtual std::int64_t result_bytes() const = 0;
  /// Makes room for the operands, of which a run of examples records at most `run_bytes` at once,
  /// but a whole row. Collective.
  virtual void begin_recording(std::int64_t run_bytes) = 0;
  /// Records the operands of a block. Blocks come in order.
  virtual void record(const BlockArguments& block) = 0;
  /// Combines the operands of all blocks. Collective.
  virtual void combine() = 0;
  /// The last run of a block; returns when the outputs are complete.
  virtual void run(const BlockArguments& block) = 0;
};

/// The kernel compiled for one choice of types.
struct KernelInstance {
  std::vector<DType> input_types;
  std::vector<DType> output_types;
  /// Returns when the outputs are complete. Not set for a kernel that takes a context.
  std::function<void(const BlockArguments&)> run;
  /// For a kernel that takes a context: the runs over a shard of the distributed axis, which
  /// `comm` must outlive. Without ranks (null), some rows alone, where JobLevels::rows_are_apart:
  /// nothing of it is collective then.
  std::function<std::unique_ptr<KernelReplay>(const Communicator* comm, const JobLevels& levels,
                                              Range shard)>
      replay;
};

struct KernelInfo {
  std::string name;
  std::string doc;
  std::string signature;
  std::string kind;               ///< "example", "team" or "block"
  std::vector<std::string> axes;  ///< names of mapped axes that it asks about by its context
  bool takes_key = false;         ///< gets a key for random numbers, from the job's seed
  std::vector<OperandInfo> inputs;
  std::vector<OperandInfo> outputs;
  std::vector<CoordinateInfo> coordinates;
  std::vector<ParamInfo> params;
  std::vector<KernelInstance> instances;

  /// The function object with these parameters, others at their default. Names and alternatives
  /// must be those of `params`.
  std::function<std::shared_ptr<const void>(const std::map<std::string, ParamValue>&)> make_params;

  /// Adds the sizes of those core dimensions that only outputs have, from the sizes of the inputs'
  /// and the parameters.
  std::function<void(DimSizes&, const void* params)> size_outputs;
};

/// Called by declarations, before main.
void register_kernel(KernelInfo info);

/// The kernel of that name, or null.
const KernelInfo* find_kernel(const std::string& name);

/// All kernels by name. Throws an Error if two declarations have the same name.
std::vector<const KernelInfo*> all_kernels();

}  // namespace kmap
