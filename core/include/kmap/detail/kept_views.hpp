#pragma once
// Large arrays that kmap made on the host, kept for the next ones of the same type and shape: a
// page that is touched for the first time costs more than the work on it.

#include "kmap/shape.hpp"

#include <Kokkos_Core.hpp>

#include <any>
#include <cstddef>
#include <cstdint>
#include <list>
#include <mutex>
#include <optional>
#include <string>

namespace kmap::detail {

/// Holds the last large Views that kmap made, and hands out again those that nobody else holds. It
/// never holds more than its limit. Before another View is made, those that nobody else holds are
/// cut down to as many bytes as were ever in use at once, so that kmap's large arrays never take
/// more than twice of that. For all threads.
class KeptViews {
 public:
  /// Bytes of the smallest View that is worth it; the C library serves smaller ones well.
  static constexpr std::int64_t least = std::int64_t{4} << 20;

  /// Bytes to hold at most. At first 0: then nothing is kept.
  void set_limit(std::int64_t bytes);

  /// Lets go of all, so that memory is free as soon as nobody holds it.
  void clear();

  /// A View of that label and shape that nobody holds; its elements are whatever they were.
  template <class View>
  std::optional<View> find(const std::string& label, const Shape& shape);

  /// Lets go of what must go before that many bytes are allocated.
  void make_room(std::int64_t bytes);

  /// Keeps a View of that many bytes, if the limit allows it.
  template <class View>
  void add(const View& view, std::int64_t bytes) {
    add({view, &use_count_of<View>, bytes});
  }

 private:
  struct Kept {
    std::any view;
    int (*use_count)(const std::any&);
    std::int64_t bytes;

    bool is_idle() const { return use_count(view) == 1; }
  };

  template <class View>
  static int use_count_of(const std::any& view) {
    return std::any_cast<const View&>(view).use_count();
  }

  template <class View>
  static bool has_shape(const View& view, const Shape& shape) {
    for (std::size_t d = 0; d < View::rank(); ++d) {
      if (static_cast<std::int64_t>(view.extent(d)) != shape[d]) return false;
    }
    return true;
  }

  void add(Kept kept);
  void note_use(std::int64_t bytes);
  void drop_beyond(std::int64_t bytes);

  std::mutex mutex_;
  std::list<Kept> kept_;  // the last one used first
  std::int64_t limit_ = 0;
  std::int64_t most_used_ = 0;  // bytes in use at once, so far
};

template <class View>
std::optional<View> KeptViews::find(const std::string& label, const Shape& shape) {
  std::optional<View> found;
  {
    const std::lock_guard lock(mutex_);
    for (auto at = kept_.begin(); at != kept_.end(); ++at) {
      const View* view = std::any_cast<View>(&at->view);
      // None but this list can copy a View that it alone holds.
      if (view == nullptr || !has_shape(*view, shape) || !at->is_idle() || view->label() != label) {
        continue;
      }
      found = *view;
      kept_.splice(kept_.begin(), kept_, at);
      note_use(0);
      break;
    }
  }
  // As Kokkos does before it frees memory: work that was given it may still be running.
  if (found) Kokkos::fence("kmap:reuse");
  return found;
}

/// Those of this process: a map knows no object of the program that could hold them. Runtime sets
/// their limit, and clears them before Kokkos ends.
KeptViews& kept_views();

}  // namespace kmap::detail
