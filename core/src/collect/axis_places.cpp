#include "collect/axis_places.hpp"

#include "kmap/shape.hpp"

#include <algorithm>

namespace kmap::detail {

int rank_of(std::int64_t index, std::int64_t length, int ranks) {
  const std::int64_t base = length / ranks;
  const std::int64_t longer = length % ranks;
  const std::int64_t in_longer = longer * (base + 1);
  if (index < in_longer) return static_cast<int>(index / (base + 1));
  return static_cast<int>(longer + (index - in_longer) / base);
}

AxisPlaces::AxisPlaces(const IterationSpace& space, const Communicator* comm,
                       const CollectiveCall& call, const OperandArray& operand)
    : comm_(comm) {
  const auto part = [&](int level) {
    return LevelPart{level, space.offset[level],         space.extents[level], space.length[level],
                     0,     operand.level_strides[level]};
  };
  std::vector<bool> named(max_levels, false);
  for (int a = 0; a < call.axis_count; ++a) {
    axes_.push_back(part(call.axes[a]));
    named[static_cast<std::size_t>(call.axes[a])] = true;
  }
  for (auto axis = axes_.rbegin(); axis != axes_.rend(); ++axis) {
    axis->weight = count_;
    count_ *= axis->length;
  }
  for (int level = 0; level < space.levels; ++level) {
    if (!named[static_cast<std::size_t>(level)]) others_.push_back(part(level));
  }
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    if (comm != nullptr && axes_[a].level == 0) distributed_ = static_cast<int>(a);
  }
  ordered_ = axes_;
  std::sort(ordered_.begin(), ordered_.end(),
            [](const LevelPart& a, const LevelPart& b) { return a.level < b.level; });
  common_stride_ = ordered_.empty() ? 0 : ordered_.back().stride;
  for (std::size_t a = ordered_.size(); a-- > 1;) {
    inner_count_ *= ordered_[a].length;
    if (ordered_[a - 1].stride != ordered_[a].stride * ordered_[a].length) common_stride_ = 0;
  }
}

std::int64_t AxisPlaces::other_count() const {
  std::int64_t n = 1;
  for (const LevelPart& other : others_) n *= other.extent;
  return n;
}

int AxisPlaces::owner(std::int64_t place) const {
  if (!is_distributed()) return 0;
  const LevelPart& axis = axes_[static_cast<std::size_t>(distributed_)];
  return rank_of(index_on(axis, place), axis.length, comm_->size());
}

bool AxisPlaces::has(std::int64_t place) const {
  return std::all_of(axes_.begin(), axes_.end(), [&](const LevelPart& axis) {
    const std::int64_t index = index_on(axis, place) - axis.first;
    return index >= 0 && index < axis.extent;
  });
}

std::int64_t AxisPlaces::offset(std::int64_t place) const {
  std::int64_t result = 0;
  for (const LevelPart& axis : axes_) {
    result += (index_on(axis, place) - axis.first) * axis.stride;
  }
  return result;
}

std::vector<std::int64_t> AxisPlaces::places_of(int rank) const {
  std::vector<std::int64_t> places = {0};
  for (std::size_t a = 0; a < axes_.size(); ++a) {
    Range range = {0, axes_[a].length};
    if (is_distributed() && static_cast<int>(a) == distributed_) {
      range = shard_of(axes_[a].length, comm_->size(), rank);
    }
    std::vector<std::int64_t> next;
    next.reserve(places.size() * static_cast<std::size_t>(range.size()));
    for (const std::int64_t place : places) {
      for (std::int64_t i = range.begin; i < range.end; ++i) {
        next.push_back(place + i * axes_[a].weight);
      }
    }
    places = std::move(next);
  }
  return places;
}

std::vector<std::int64_t> AxisPlaces::local_weights() const {
  std::vector<std::int64_t> weights(axes_.size());
  std::int64_t weight = 1;
  for (std::size_t a = axes_.size(); a-- > 0;) {
    weights[a] = weight;
    weight *= axes_[a].extent;
  }
  return weights;
}

std::int64_t AxisPlaces::place_in_order(std::int64_t position) const {
  if (ordered_.size() == 1) return position;
  std::int64_t place = 0;
  for (auto axis = ordered_.rbegin(); axis != ordered_.rend(); ++axis) {
    place += position % axis->length * axis->weight;
    position /= axis->length;
  }
  return place;
}

}  // namespace kmap::detail
