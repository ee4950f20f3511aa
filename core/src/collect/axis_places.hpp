#pragma once
// The axes of one collective as places 0 … n - 1, and where the operand of each lies.

#include "kmap/communicator.hpp"
#include "kmap/detail/collective_session.hpp"
#include "kmap/detail/operand.hpp"
#include "kmap/detail/replay.hpp"

#include <cstdint>
#include <vector>

namespace kmap::detail {

/// One mapped level as a collective sees it.
struct LevelPart {
  int level = 0;
  std::int64_t first = 0;   // global index of the first example on this rank
  std::int64_t extent = 0;  // examples on this rank
  std::int64_t length = 0;  // on all
  std::int64_t weight = 0;  // of an index in the place
  std::int64_t stride = 0;  // of the operands, in elements
};

/// The examples along the axes of a collective, by their place: the row-major index on the product
/// of the axes, in the order of their names.
class AxisPlaces {
 public:
  AxisPlaces(const IterationSpace& space, const Communicator* comm, const CollectiveCall& call,
             const OperandArray& operand);

  std::int64_t count() const { return count_; }
  /// The axes in the order of their names.
  const std::vector<LevelPart>& axes() const { return axes_; }
  /// The other mapped levels, outermost first.
  const std::vector<LevelPart>& others() const { return others_; }
  /// Examples on this rank per place.
  std::int64_t other_count() const;

  /// True if places lie on several ranks.
  bool is_distributed() const { return distributed_ >= 0 && comm_->size() > 1; }
  const Communicator& comm() const { return *comm_; }
  int rank() const { return is_distributed() ? comm_->rank() : 0; }
  int ranks() const { return is_distributed() ? comm_->size() : 1; }

  int owner(std::int64_t place) const;
  bool is_here(std::int64_t place) const { return owner(place) == rank(); }
  /// Whether the place is among the examples here, which may be a part of this rank's.
  bool has(std::int64_t place) const;
  /// Where the operand of a place on this rank begins.
  std::int64_t offset(std::int64_t place) const;

  /// The places on a rank, row-major by its own extents.
  std::vector<std::int64_t> places_of(int rank) const;
  /// Weight of each axis in the numbering of places_of, for this rank.
  std::vector<std::int64_t> local_weights() const;

  /// The places in the order of the levels in memory, in which whole axes are reduced: unlike the
  /// order of names it keeps a rank's places together.
  std::int64_t place_in_order(std::int64_t position) const;
  /// Places per step of the distributed axis in that order.
  std::int64_t inner_count() const { return inner_count_; }
  /// The stride between neighbours in that order, if it is the same for all, else 0.
  std::int64_t common_stride() const { return common_stride_; }

 private:
  std::int64_t index_on(const LevelPart& axis, std::int64_t place) const {
    return axes_.size() == 1 ? place : place / axis.weight % axis.length;
  }

  const Communicator* comm_;
  std::vector<LevelPart> axes_;
  std::vector<LevelPart> ordered_;  // the axes by level
  std::vector<LevelPart> others_;
  int distributed_ = -1;  // which of axes_ is level 0, under pmap
  std::int64_t count_ = 1;
  std::int64_t inner_count_ = 1;
  std::int64_t common_stride_ = 0;
};

/// The rank that has an index of an axis of `length`, and the part that a rank has.
int rank_of(std::int64_t index, std::int64_t length, int ranks);

}  // namespace kmap::detail
