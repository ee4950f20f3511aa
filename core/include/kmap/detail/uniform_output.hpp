#pragma once
// Outputs with `none` in out_axes: computed with the mapped axis, checked to be equal along it, and
// stored without it. (JAX proves that by tracing; here values are compared.)

#include "kmap/detail/operand.hpp"
#include "kmap/error.hpp"

#include <Kokkos_Core.hpp>

#include <array>
#include <cstdint>
#include <string>

namespace kmap::detail {

/// Copies the first example along the dropped axes to the target, counts values that differ from
/// it.
template <class T, int Rank, int Levels>
struct CollapseBody {
  SpaceOf<Levels> space;
  Operand<T, Rank, true, Levels> full;
  Operand<T, Rank, true, Levels> target;
  Extents<Levels> first;  // strides of `full`, 0 at dropped levels

  struct Element {
    const CollapseBody& body;
    std::int64_t own;
    std::int64_t reference;
    std::int64_t target;
    std::int64_t& different;
    template <class... I>
    KOKKOS_FUNCTION void operator()(I... index) const {
      const T& value = body.full.at(own)(index...);
      if (own == reference) {
        body.target.at(target)(index...) = value;
        return;
      }
      const T& wanted = body.full.at(reference)(index...);
      const bool both_nan = value != value && wanted != wanted;
      if (!(value == wanted) && !both_nan) ++different;
    }
  };

  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& different) const {
    std::int64_t own = 0;
    std::int64_t reference = 0;
    std::int64_t place = 0;
    for (int level = space.levels - 1; level >= 0; --level) {
      const std::int64_t index = i % space.extents[level];
      i /= space.extents[level];
      own += index * full.batch[level];
      reference += index * first[level];
      place += index * target.batch[level];
    }
    for_each_index<Rank>(full.extents, Element{*this, own, reference, place, different});
  }
};

template <class Exec, class T, int Rank, int Levels>
class UniformOutput {
 public:
  UniformOutput(const SpaceOf<Levels>& space, T* target, const Extents<Rank>& extents,
                const Extents<Rank>& strides, const Extents<Levels>& batch,
                const std::array<bool, max_levels>& dropped)
      : body_{space, {}, {target, extents, strides, batch}, {}} {
    std::int64_t size = 1;
    for (int d = Rank - 1; d >= 0; --d) {
      body_.full.extents[d] = extents[d];
      body_.full.strides[d] = size;
      size *= extents[d];
    }
    for (int level = space.levels - 1; level >= 0; --level) {
      const bool drop = dropped[static_cast<std::size_t>(level)];
      body_.full.batch[level] = size;
      body_.first[level] = drop ? 0 : size;
      size *= space.extents[level];
    }
    storage_ = Kokkos::View<T*, typename Exec::memory_space>(
        Kokkos::view_alloc(Kokkos::WithoutInitializing, "kmap:uniform_output"),
        static_cast<std::size_t>(size));
    body_.full.data = storage_.data();
  }

  const Operand<T, Rank, true, Levels>& operand() const { return body_.full; }

  /// Fills the target from the full array; throws ShapeError if it depends on a dropped axis.
  void collapse(const Exec& exec, int k) const {
    const std::string what = "out_axes is none for output " + std::to_string(k) + ", but ";
    if (body_.space.count() == 0) {
      throw ShapeError(what + "there is no example to take it from",
                       "give it an axis, or map at least one example");
    }
    std::int64_t different = 0;
    Kokkos::parallel_reduce(
        "kmap:uniform_output",
        Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, body_.space.count()),
        body_, different);
    if (different > 0) {
      throw ShapeError(what + "it depends on the mapped axis: " + std::to_string(different) +
                           " values differ from those of the first example",
                       "give that output an axis in out_axes");
    }
  }

 private:
  CollapseBody<T, Rank, Levels> body_;
  Kokkos::View<T*, typename Exec::memory_space> storage_;
};

}  // namespace kmap::detail
