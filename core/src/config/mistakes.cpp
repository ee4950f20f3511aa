#include "config/mistakes.hpp"

#include "kmap/error.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

namespace kmap::config {
namespace {

constexpr std::size_t most_shown = 100;

// The file from top to bottom, then the options in their order.
auto order(const Location& where) {
  return std::make_tuple(where.line == 0, where.line, where.column);
}

}  // namespace

std::string to_string(const Mistake& mistake) {
  std::string text = to_string(mistake.where) + ": ";
  if (!mistake.key.empty()) text += mistake.key + ": ";
  text += mistake.wrong;
  if (!mistake.expected.empty()) text += "; expected " + mistake.expected;
  if (!mistake.nearest.empty()) text += "; did you mean " + mistake.nearest + "?";
  return text;
}

void Mistakes::add(Mistake mistake) {
  const bool is_known = std::any_of(mistakes_.begin(), mistakes_.end(), [&](const Mistake& known) {
    return !mistake.key.empty() && known.key == mistake.key && known.where == mistake.where;
  });
  if (is_known) return;
  if (mistakes_.size() < most_shown) {
    mistakes_.push_back(std::move(mistake));
  } else {
    ++not_kept_;
  }
}

bool Mistakes::concern(const std::string& key) const {
  return std::any_of(mistakes_.begin(), mistakes_.end(),
                     [&](const Mistake& mistake) { return mistake.key == key; });
}

void Mistakes::expect(const std::string& key, const std::string& expected) {
  for (Mistake& mistake : mistakes_) {
    if (mistake.key == key && !mistake.expected.empty()) mistake.expected = expected;
  }
}

void Mistakes::throw_if_any() const {
  if (empty()) return;
  std::vector<Mistake> sorted = mistakes_;
  std::stable_sort(sorted.begin(), sorted.end(), [](const Mistake& a, const Mistake& b) {
    return order(a.where) < order(b.where);
  });
  std::string text;
  for (const Mistake& mistake : sorted) {
    if (!text.empty()) text += '\n';
    text += to_string(mistake);
  }
  if (not_kept_ > 0) text += "\nand " + std::to_string(not_kept_) + " more mistakes";
  throw ConfigError(text);
}

}  // namespace kmap::config
