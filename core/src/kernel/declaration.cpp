#include "kmap/kernel.hpp"

namespace kmap::detail {

std::vector<CoreDim> core_dims(const SignatureOperand& operand) {
  std::vector<CoreDim> dims;
  for (int d = 0; d < operand.rank; ++d) {
    const SignatureDim& dim = operand.dims[d];
    CoreDim core{std::string(dim.name), std::nullopt, dim.rest};
    if (dim.fixed >= 0) core.fixed = dim.fixed;
    dims.push_back(std::move(core));
  }
  return dims;
}

IterationSpace block_space(const JobLevels& job, Range rows) {
  IterationSpace space;
  space.add(rows.size(), rows.begin, job.levels.front().length);
  for (std::size_t l = 1; l < job.levels.size(); ++l) space.add(job.levels[l].length);
  for (std::size_t a = 0; a < job.axes.size(); ++a) space.level_of[a] = job.axes[a];
  return space;
}

std::vector<std::string> level_names(const JobLevels& job) {
  std::vector<std::string> names;
  for (const MappedLevel& level : job.levels) names.push_back(level.name);
  return names;
}

}  // namespace kmap::detail
