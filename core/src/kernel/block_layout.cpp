#include "kmap/kernel_info.hpp"

namespace kmap {

namespace {

// Row-major strides of `extents` in units of `step`, which becomes that of all of them.
Shape strides_of(const Shape& extents, std::int64_t& step) {
  Shape strides(extents.size());
  for (std::size_t d = extents.size(); d-- > 0;) {
    strides[d] = step;
    step *= extents[d];
  }
  return strides;
}

}  // namespace

BlockLayout packed_layout(const Shape& extents, const Shape& core) {
  std::int64_t step = 1;
  BlockLayout layout{core, strides_of(core, step), {}};
  layout.strides = strides_of(extents, step);
  return layout;
}

BlockLayout shared_layout(std::size_t levels, const Shape& core) {
  std::int64_t step = 1;
  return {core, strides_of(core, step), Shape(levels, 0)};
}

}  // namespace kmap
