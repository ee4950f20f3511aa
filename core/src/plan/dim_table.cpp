#include "plan/dim_table.hpp"

#include "plan/input_axes.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>

namespace kmap::plan {

void DimTable::bind(const OperandInfo& operand, const Shape& core, const io::DatasetInfo& dataset) {
  for (std::size_t d = 0; d < core.size(); ++d) {
    const CoreDim& dim = operand.core[d];
    const std::string who = fmt::format("input {} ({})", operand.name, describe(dataset));
    if (core[d] == 0) {
      throw ShapeError(
          dim.rest
              ? fmt::format("the examples of {} are empty", who)
              : fmt::format("the examples of {} are empty: dimension {} has size 0", who, dim.name),
          "an example needs at least one value; a batch may have no examples");
    }
    if (dim.fixed && *dim.fixed != core[d]) {
      throw ShapeError(
          fmt::format("{}: dimension {} of an example has size {}, the kernel needs "
                      "{}",
                      who, d, core[d], *dim.fixed));
    }
    if (dim.fixed || dim.rest) continue;
    const auto [found, fresh] = sizes_.try_emplace(dim.name, core[d]);
    if (fresh) {
      first_[dim.name] = who;
    } else if (found->second != core[d]) {
      throw ShapeError(fmt::format("dimension {} has size {} in {}, but {} in {}", dim.name,
                                   found->second, first_[dim.name], core[d], who),
                       "inputs that share a named dimension must agree on its size");
    }
  }
}

}  // namespace kmap::plan
