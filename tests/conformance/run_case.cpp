#include "conformance/run_case.hpp"

#include "conformance/maps.hpp"

#include <stdexcept>

namespace kmap::test {

std::vector<std::int64_t> strides_of(const std::vector<std::int64_t>& shape, CaseLayout layout) {
  const std::size_t rank = shape.size();
  std::vector<std::int64_t> strides(rank + 1);
  std::int64_t size = layout == CaseLayout::padded ? 2 : 1;
  for (std::size_t d = 0; d < rank; ++d) {
    const std::size_t at = layout == CaseLayout::left ? d : rank - 1 - d;
    strides[at] = size;
    size *= shape[at] + (layout == CaseLayout::padded ? 1 : 0);
  }
  strides[rank] = size;
  return strides;
}

std::vector<CaseArray> run_case(const Case& c, const Communicator& comm, bool all_vmap) {
  std::vector<CaseArray> result;
  // All element types but double have no other place.
  const bool other_type = c.x.front().type != "f8";
  if ((other_type && run_types(c, comm, all_vmap, result)) ||
      run_functions(c, comm, all_vmap, result) || run_one_axis(c, comm, all_vmap, result) ||
      run_two_axes(c, comm, all_vmap, result) || run_three_axes(c, comm, all_vmap, result)) {
    return result;
  }
  throw std::logic_error("a case of a form that is not compiled in: " + c.id);
}

}  // namespace kmap::test
