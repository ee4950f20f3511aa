#include "run/input_block.hpp"

#include "run/arrange.hpp"

namespace kmap::run {

using plan::Access;

InputBlock::InputBlock(const plan::InputPlan& plan, const io::InputDataset& dataset,
                       std::int64_t most_rows, bool staged)
    : plan_(&plan),
      dataset_(&dataset),
      buffer_(plan.replicated ? plan.whole_bytes : plan.block_bytes(most_rows), staged) {
  if (!plan.replicated) span_.resize(static_cast<std::size_t>(plan.arranging_bytes(most_rows)));
}

void InputBlock::read_whole() {
  if (!plan_->replicated) return;
  dataset_->read_all(plan_->type, buffer_.host());
  read_bytes_ = plan_->whole_bytes;
  to_device();
  read_bytes_ = 0;  // it stays there
}

void InputBlock::read(Range rows) {
  if (plan_->replicated || rows.size() <= 0) return;
  read_bytes_ = plan_->block_bytes(rows.size());
  switch (plan_->access) {
    case Access::in_place:
      return read_span(rows, buffer_.host());
    case Access::arranged:
      read_span(rows, span_.data());
      return arrange(rows);
    case Access::row_by_row:
      for (std::int64_t i = 0; i < rows.size(); ++i) {
        const std::int64_t begin = plan_->rows.begin(rows.begin + i);
        auto* place = static_cast<std::byte*>(buffer_.host()) + i * plan_->row_bytes;
        dataset_->read_slab(plan_->rows.axis, {begin, begin + plan_->rows.length}, plan_->type,
                            place);
      }
  }
}

void InputBlock::read_span(Range rows, void* out) const {
  dataset_->read_slab(plan_->rows.axis, plan_->rows.span(rows), plan_->type, out);
}

void InputBlock::arrange(Range rows) {
  const plan::RowMap& map = plan_->rows;
  const Shape& shape = plan_->dataset.shape;
  const auto axis = static_cast<std::ptrdiff_t>(map.axis);
  const Range span = map.span(rows);
  const auto inner_bytes = count(Shape(shape.begin() + axis + 1, shape.end())) *
                           static_cast<std::int64_t>(size_of(plan_->type));
  const Source source{span_.data(), count(Shape(shape.begin(), shape.begin() + axis)),
                      span.size() * inner_bytes};
  const RowPlaces places{rows.size(), (map.begin(rows.begin) - span.begin) * inner_bytes,
                         map.step * inner_bytes, map.length * inner_bytes};
  arrange_rows(source, places, static_cast<std::byte*>(buffer_.host()));
}

}  // namespace kmap::run
