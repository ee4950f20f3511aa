#include "runtime/cores.hpp"

#include <sched.h>

#ifdef _OPENMP
#include <omp.h>
#endif

#include <algorithm>
#include <cerrno>
#include <memory>

namespace kmap::detail {

namespace {

// GNU's OpenMP binds the first thread to one place when it is loaded, if variables such as
// OMP_PROC_BIND ask for that: the mask of the process is then lost, but the places are known.
std::vector<int> cores_of_places() {
  std::vector<int> cores;
#ifdef _OPENMP
  for (int place = 0; place < omp_get_num_places(); ++place) {
    std::vector<int> ids(static_cast<std::size_t>(omp_get_place_num_procs(place)));
    omp_get_place_proc_ids(place, ids.data());
    cores.insert(cores.end(), ids.begin(), ids.end());
  }
  std::sort(cores.begin(), cores.end());
  cores.erase(std::unique(cores.begin(), cores.end()), cores.end());
#endif
  return cores;
}

}  // namespace

std::vector<int> own_cores() {
  if (std::vector<int> cores = cores_of_places(); !cores.empty()) return cores;
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
