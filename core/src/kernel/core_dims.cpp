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

}  // namespace kmap::detail
