#include "collect/call_text.hpp"

#include "kmap/dtype.hpp"

#include <array>

namespace kmap::detail {

std::string_view name_of(CollectiveKind kind) {
  static constexpr std::array<std::string_view, 11> names = {
      "none",       "psum",       "pmean",    "pmax",     "pmin",      "psum_scatter",
      "all_gather", "all_to_all", "ppermute", "pshuffle", "pbroadcast"};
  return names[static_cast<std::size_t>(kind)];
}

std::string axes_text(const CollectiveCall& call, const std::vector<std::string>& names) {
  std::string text = call.axis_count == 1 ? "axis " : "axes ";
  for (int a = 0; a < call.axis_count; ++a) {
    if (a > 0) text += ", ";
    text += '"' + names[static_cast<std::size_t>(call.axes[a])] + '"';
  }
  return text;
}

Shape extents_of(const CollectiveCall& call) { return {call.extents, call.extents + call.rank}; }

std::string call_text(const CollectiveCall& call, const std::vector<std::string>& names) {
  return std::string(name_of(call.kind)) + (call.tiled ? " (tiled)" : "") + " over " +
         axes_text(call, names) + " of " + std::string(name(call.dtype)) + " with shape " +
         to_string(extents_of(call));
}

}  // namespace kmap::detail
