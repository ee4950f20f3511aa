#pragma once
// Maps in place: an output that is the memory of an input, as with donated arguments. What a trial
// has overwritten must be there again for the second run.

#include "kmap/detail/operand.hpp"
#include "kmap/example.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <vector>

namespace kmap::detail {

/// First and last address that an operand reaches, as numbers.
struct AddressRange {
  std::uintptr_t first = 1;
  std::uintptr_t last = 0;

  bool overlaps(const AddressRange& other) const {
    return first <= other.last && other.first <= last;
  }
};

template <class T, int Rank, bool Mapped, int Levels>
AddressRange addresses_of(const Operand<T, Rank, Mapped, Levels>& operand,
                          const SpaceOf<Levels>& space) {
  std::int64_t elements = 0;
  const auto reach = [&](std::int64_t extent, std::int64_t stride) {
    if (extent > 1) elements += (extent - 1) * stride;
  };
  for (int l = 0; l < space.levels; ++l) reach(space.extents[l], operand.batch[l]);
  for (int d = 0; d < Rank; ++d) reach(operand.extents[d], operand.strides[d]);
  const auto first = reinterpret_cast<std::uintptr_t>(operand.data);
  return {first, first + static_cast<std::uintptr_t>(elements + 1) * sizeof(T) - 1};
}
// Anything else, such as a constant, is no memory that an output could be.
template <class Other, int Levels>
AddressRange addresses_of(const Other&, const SpaceOf<Levels>&) {
  return {};
}

/// True if some output shares memory with some input.
template <class Body>
bool outputs_overlap_inputs(const Body& body) {
  const auto meets_output = [&](const auto& in) {
    const AddressRange read = addresses_of(in, body.space);
    return std::apply(
        [&](const auto&... out) { return (addresses_of(out, body.space).overlaps(read) || ...); },
        body.outs);
  };
  return std::apply([&](const auto&... in) { return (meets_output(in) || ...); }, body.ins);
}

/// The inputs of one block of a map in place.
template <class Body>
class KeptInputs {
 public:
  explicit KeptInputs(bool wanted) : wanted_(wanted) {}

  /// Copies the `length` examples along the level `last` from `at` on.
  void keep(const Body& body, const typename Body::Offsets& at, int last, std::int64_t length) {
    if (!wanted_) return;
    copy_.clear();
    each(body, at, last, length, [&](auto& element) {
      const auto* bytes = reinterpret_cast<const std::byte*>(&element);
      copy_.insert(copy_.end(), bytes, bytes + sizeof element);
    });
  }

  /// Writes them back.
  void restore(const Body& body, const typename Body::Offsets& at, int last, std::int64_t length) {
    if (!wanted_) return;
    const std::byte* next = copy_.data();
    each(body, at, last, length, [&](auto& element) {
      using T = std::remove_cvref_t<decltype(element)>;
      // Written by way of the output before.
      std::memcpy(static_cast<void*>(const_cast<T*>(&element)), next, sizeof element);
      next += sizeof element;
    });
  }

 private:
  template <class Action>
  static void each(const Body& body, const typename Body::Offsets& at, int last,
                   std::int64_t length, const Action& action) {
    int i = 0;
    std::apply([&](const auto&... in) { (each_of(in, at.in[i++], last, length, action), ...); },
               body.ins);
  }

  template <class T, int Rank, int Levels, class Action>
  static void each_of(const Operand<T, Rank, true, Levels>& in, std::int64_t offset, int last,
                      std::int64_t length, const Action& action) {
    for (std::int64_t j = 0; j < length; ++j) {
      const Example<T, Rank> example(in.data + offset + j * in.batch[last], in.extents, in.strides);
      for_each_index<Rank>(in.extents, [&](auto... index) { action(example(index...)); });
    }
  }
  template <class Other, class Action>
  static void each_of(const Other&, std::int64_t, int, std::int64_t, const Action&) {}

  bool wanted_;
  std::vector<std::byte> copy_;
};

}  // namespace kmap::detail
