#include "collect/check_call.hpp"

#include "collect/call_text.hpp"

#include "kmap/error.hpp"

#include <algorithm>
#include <utility>

namespace kmap::detail {

namespace {

std::string text(std::int64_t n) { return std::to_string(n); }

class Check {
 public:
  Check(const CollectiveCall& call, const std::vector<std::string>& names, std::int64_t places)
      : names_(names) {
    result_.call = call;
    result_.places = places;
  }

  CheckedCall run() {
    const CollectiveKind kind = result_.call.kind;
    if (kind == CollectiveKind::ppermute) {
      read_pairs();
    } else if (kind == CollectiveKind::pshuffle) {
      read_order();
    } else if (kind == CollectiveKind::pbroadcast) {
      check_source();
    } else {
      read_groups();
      check_dims();
    }
    return std::move(result_);
  }

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const {
    throw ShapeError(call_text(result_.call, names_) + ": " + what, remedy);
  }
  // "axis \"i\" (size 4)"
  std::string axis_text() const {
    return axes_text(result_.call, names_) + " (size " + text(result_.places) + ")";
  }

  std::vector<std::int64_t> words() const {
    const std::int64_t* table = result_.call.table;
    if (table == nullptr) return {};
    return {table + 1, table + table[0]};
  }

  // ---- Groups
  void read_groups() {
    if (result_.call.table == nullptr) return;
    const std::vector<std::int64_t> all = words();
    const auto count = static_cast<std::size_t>(all[0]);
    std::size_t at = 1 + count;
    for (std::size_t g = 0; g < count; ++g) {
      const auto size = static_cast<std::size_t>(all[1 + g]);
      result_.groups.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                                  all.begin() + static_cast<std::ptrdiff_t>(at + size));
      at += size;
    }
    check_cover();
    if (wants_equal_groups()) check_equal();
  }

  void check_cover() const {
    const std::string remedy =
        "list every index from 0 to " + text(result_.places - 1) + " in exactly one group";
    std::vector<char> seen(static_cast<std::size_t>(result_.places), 0);
    for (const auto& group : result_.groups) {
      for (const std::int64_t member : group) {
        if (member < 0 || member >= result_.places) {
          fail("axis_index_groups has index " + text(member) + ", outside of " + axis_text(),
               remedy);
        }
        char& mark = seen[static_cast<std::size_t>(member)];
        if (mark != 0) fail("axis_index_groups has index " + text(member) + " twice", remedy);
        mark = 1;
      }
    }
    const auto missing = std::find(seen.begin(), seen.end(), 0);
    if (missing != seen.end()) {
      fail("axis_index_groups do not cover the axis: index " + text(missing - seen.begin()) +
               " of " + axis_text() + " is in no group",
           remedy);
    }
  }

  bool wants_equal_groups() const {
    const CollectiveKind kind = result_.call.kind;
    return kind == CollectiveKind::psum_scatter || kind == CollectiveKind::all_gather ||
           kind == CollectiveKind::all_to_all;
  }

  void check_equal() const {
    for (const auto& group : result_.groups) {
      if (group.size() != result_.groups.front().size()) {
        fail("axis_index_groups have sizes " + text(result_.size()) + " and " +
                 text(static_cast<std::int64_t>(group.size())),
             "the shape of the result depends on the size: give groups of one size");
      }
    }
  }

  // ---- Dimensions
  int place(int axis, int rank, const char* what) const {
    if (axis >= -rank && axis < rank) return axis < 0 ? axis + rank : axis;
    fail(std::string(what) + " " + text(axis) + " is out of range for rank " + text(rank),
         "use one from " + text(-rank) + " to " + text(rank - 1));
  }

  void check_parts(int dim, const char* what) const {
    const std::int64_t n = result_.size();
    const std::int64_t extent = result_.call.extents[dim];
    const std::string size =
        result_.groups.empty()
            ? "the size of " + axes_text(result_.call, names_) + ", " + text(result_.places)
            : "the size of each group, " + text(n);
    if (result_.call.tiled ? extent % std::max<std::int64_t>(n, 1) != 0 : extent != n) {
      fail(std::string(what) + " " + text(dim) + " of the operand has size " + text(extent) +
               (result_.call.tiled ? ", which is not a multiple of " : ", which is not ") + size,
           result_.call.tiled ? "give a dimension that can be cut into that many equal parts"
                              : "give a dimension of that size, or use tiled for a multiple of it");
    }
  }

  void check_dims() {
    CollectiveCall& call = result_.call;
    if (call.kind == CollectiveKind::psum_scatter) {
      call.dim = place(call.dim, call.rank, "scatter_dimension");
      check_parts(call.dim, "scatter_dimension");
    } else if (call.kind == CollectiveKind::all_gather) {
      call.dim = place(call.dim, call.tiled ? call.rank : call.rank + 1, "axis");
    } else if (call.kind == CollectiveKind::all_to_all) {
      call.dim = place(call.dim, call.rank, "split_axis");
      call.other_dim = place(call.other_dim, call.rank, "concat_axis");
      check_parts(call.dim, "split_axis");
    }
  }

  // ---- Who gets whose operand
  void check_index(std::int64_t index, const char* what) const {
    if (index < 0 || index >= result_.places) {
      fail(std::string(what) + " " + text(index) + ", outside of " + axis_text(),
           "use indices from 0 to " + text(result_.places - 1));
    }
  }

  void read_pairs() {
    const std::int64_t n = result_.places;
    result_.sources.assign(static_cast<std::size_t>(n), -1);
    if (result_.call.table == nullptr) {
      std::int64_t to = (result_.call.number % n + n) % n;
      for (std::int64_t i = 0; i < n; ++i) {
        result_.sources[static_cast<std::size_t>(to)] = i;
        if (++to == n) to = 0;
      }
      return;
    }
    const std::vector<std::int64_t> pairs = words();
    std::vector<char> sends(static_cast<std::size_t>(n), 0);
    for (std::size_t p = 0; p + 1 < pairs.size(); p += 2) {
      check_index(pairs[p], "the pairs have source");
      check_index(pairs[p + 1], "the pairs have destination");
      char& sent = sends[static_cast<std::size_t>(pairs[p])];
      std::int64_t& source = result_.sources[static_cast<std::size_t>(pairs[p + 1])];
      if (sent != 0) repeated("source", pairs[p]);
      if (source >= 0) repeated("destination", pairs[p + 1]);
      sent = 1;
      source = pairs[p];
    }
  }

  [[noreturn]] void repeated(const char* what, std::int64_t index) const {
    fail("the pairs have " + std::string(what) + " " + text(index) + " twice",
         "each index may send once and receive once; for one to all use pbroadcast");
  }

  void read_order() {
    result_.sources = words();
    const auto n = static_cast<std::int64_t>(result_.sources.size());
    if (n != result_.places) {
      fail("the order has " + text(n) + " indices for " + axis_text(), "list every index once");
    }
    std::vector<char> seen(static_cast<std::size_t>(n), 0);
    for (const std::int64_t source : result_.sources) {
      check_index(source, "the order has index");
      char& mark = seen[static_cast<std::size_t>(source)];
      if (mark != 0) {
        fail("the order is not a permutation: it has index " + text(source) + " twice",
             "list every index once");
      }
      mark = 1;
    }
  }

  void check_source() const { check_index(result_.call.number, "the source is"); }

  const std::vector<std::string>& names_;
  CheckedCall result_;
};

}  // namespace

CheckedCall check_call(const CollectiveCall& call, const std::vector<std::string>& names,
                       std::int64_t places) {
  return Check(call, names, places).run();
}

}  // namespace kmap::detail
