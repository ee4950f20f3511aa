#include "kmap/detail/kept_views.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace kmap::detail {

namespace {

// More would take longer to look through than they save.
constexpr std::size_t most_views = 256;

}  // namespace

void KeptViews::set_limit(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  limit_ = bytes;
  drop_beyond(limit_);
}

void KeptViews::clear() {
  const std::lock_guard lock(mutex_);
  kept_.clear();
  most_used_ = 0;
}

void KeptViews::make_room(std::int64_t bytes) {
  const std::lock_guard lock(mutex_);
  if (bytes > limit_) return;
  note_use(bytes);
  drop_beyond(limit_ - bytes);
  std::int64_t idle = 0;
  for (auto at = kept_.begin(); at != kept_.end();) {
    const bool counts = at->is_idle();
    if (counts) idle += at->bytes;
    at = counts && idle > most_used_ ? kept_.erase(at) : std::next(at);
  }
}

void KeptViews::add(Kept kept) {
  const std::lock_guard lock(mutex_);
  if (kept.bytes > limit_) return;
  kept_.push_front(std::move(kept));
  drop_beyond(limit_);
}

// With that many bytes about to be used.
void KeptViews::note_use(std::int64_t bytes) {
  for (const Kept& kept : kept_) {
    if (!kept.is_idle()) bytes += kept.bytes;
  }
  most_used_ = std::max(most_used_, bytes);
}

void KeptViews::drop_beyond(std::int64_t bytes) {
  std::int64_t held = 0;
  auto at = kept_.begin();
  for (std::size_t i = 0; at != kept_.end() && i < most_views; ++i, ++at) {
    held += at->bytes;
    if (held > bytes) break;
  }
  kept_.erase(at, kept_.end());
}

KeptViews& kept_views() {
  static KeptViews views;
  return views;
}

}  // namespace kmap::detail
