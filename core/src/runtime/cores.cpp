#include "runtime/cores.hpp"

#include <sched.h>

#include <cerrno>
#include <memory>

namespace kmap::detail {

std::vector<int> own_cores() {
  // The kernel refuses masks smaller than its own with EINVAL.
  for (int count = 1024; count <= 1 << 20; count *= 2) {
    const auto free_set = [](cpu_set_t* set) { CPU_FREE(set); };
    const std::unique_ptr<cpu_set_t, decltype(free_set)> set(
        CPU_ALLOC(static_cast<std::size_t>(count)), free_set);
    const std::size_t size = CPU_ALLOC_SIZE(static_cast<std::size_t>(count));
    if (!set) return {};
    CPU_ZERO_S(size, set.get());
    if (sched_getaffinity(0, size, set.get()) != 0) {
      if (errno != EINVAL) return {};
      continue;
    }
    std::vector<int> cores;
    for (int core = 0; core < count; ++core) {
      if (CPU_ISSET_S(static_cast<std::size_t>(core), size, set.get())) cores.push_back(core);
    }
    return cores;
  }
  return {};
}

std::string number_ranges(const std::vector<int>& numbers) {
  if (numbers.empty()) return "none";
  std::string text;
  for (std::size_t begin = 0; begin < numbers.size();) {
    std::size_t end = begin;
    while (end + 1 < numbers.size() && numbers[end + 1] == numbers[end] + 1) ++end;
    if (!text.empty()) text += ",";
    text += std::to_string(numbers[begin]);
    if (end > begin) text += "-" + std::to_string(numbers[end]);
    begin = end + 1;
  }
  return text;
}

}  // namespace kmap::detail
