#include "runtime/nearest.hpp"

#include "runtime/lower_case.hpp"

#include <algorithm>
#include <utility>

namespace kmap::detail {
namespace {

constexpr std::size_t longest_name = 256;  // what is longer is no typing mistake

// Optimal string alignment: Levenshtein's distance with swaps of neighbours.
std::size_t edits(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replace = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({replace, last[j] + 1, row[j - 1] + 1});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool one_begins_other(std::string_view a, std::string_view b) {
  return std::min(a.size(), b.size()) >= 2 && (a.starts_with(b) || b.starts_with(a));
}

}  // namespace

std::vector<std::string> nearest_names(std::string_view name,
                                       const std::vector<std::string>& candidates,
                                       std::size_t most) {
  if (name.empty() || name.size() > longest_name) return {};
  const std::string wanted = lower_case(name);
  std::vector<std::pair<std::size_t, const std::string*>> near;
  for (const std::string& candidate : candidates) {
    if (candidate.empty() || candidate.size() > longest_name) continue;
    const std::string other = lower_case(candidate);
    const std::size_t distance = edits(wanted, other);
    const std::size_t longer = std::max(wanted.size(), other.size());
    // A third of the letters may differ, but one always may if any letter is left.
    const bool few = distance <= std::max<std::size_t>(1, longer / 3) && distance < longer;
    if (few || one_begins_other(wanted, other)) near.emplace_back(distance, &candidate);
  }
  std::stable_sort(near.begin(), near.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(most, near.size()); ++i) names.push_back(*near[i].second);
  return names;
}

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  const std::vector<std::string> names = nearest_names(name, candidates, 1);
  return names.empty() ? std::string{} : names.front();
}

}  // namespace kmap::detail
