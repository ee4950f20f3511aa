#include "report/diagnosis.hpp"
#include "runtime/cores.hpp"
#include "runtime/lower_case.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <utility>

namespace kmap::report {

namespace {

// Ranks of one host whose cores overlap, directly or through others of the group.
struct Sharers {
  std::set<int> cores;
  std::vector<const RankFacts*> ranks;
};

bool overlap(const std::set<int>& cores, const std::vector<int>& others) {
  return std::any_of(others.begin(), others.end(), [&](int core) { return cores.contains(core); });
}

std::vector<Sharers> find_sharers(const std::vector<RankFacts>& ranks) {
  std::vector<Sharers> groups;
  for (const RankFacts& rank : ranks) {
    Sharers joined{{rank.cores.begin(), rank.cores.end()}, {&rank}};
    std::erase_if(groups, [&](const Sharers& group) {
      const bool joins = group.ranks[0]->host == rank.host && overlap(group.cores, rank.cores);
      if (joins) {
        joined.cores.insert(group.cores.begin(), group.cores.end());
        joined.ranks.insert(joined.ranks.end(), group.ranks.begin(), group.ranks.end());
      }
      return joins;
    });
    groups.push_back(std::move(joined));
  }
  return groups;
}

std::string ranks_text(std::vector<int> ranks) {
  std::sort(ranks.begin(), ranks.end());
  return (ranks.size() == 1 ? "rank " : "ranks ") + detail::number_ranges(ranks);
}

std::string ranks_text(const std::vector<const RankFacts*>& ranks) {
  std::vector<int> numbers;
  for (const RankFacts* rank : ranks) numbers.push_back(rank->rank);
  return ranks_text(std::move(numbers));
}

std::optional<std::string> variable(const RankFacts& rank, const std::string& name) {
  const auto found = rank.variables.find(name);
  return found == rank.variables.end() ? std::nullopt : std::optional(found->second);
}

// The variable by which OpenMP binds the threads of this rank, as "NAME=value"; or empty.
std::string binding(const RankFacts& rank) {
  const std::string bind = detail::lower_case(variable(rank, "OMP_PROC_BIND").value_or(""));
  if (bind == "false") return "";
  for (const char* name : {"GOMP_CPU_AFFINITY", "KMP_AFFINITY", "OMP_PLACES", "OMP_PROC_BIND"}) {
    const std::string value = variable(rank, name).value_or("");
    const bool off = name == std::string("KMP_AFFINITY") &&
                     (value.find("none") != value.npos || value.find("disabled") != value.npos);
    if (!value.empty() && !off) return name + ("=" + value);
  }
  return "";
}

// What chose the threads of the rank, to be named beside their number.
std::string chosen_by(const RankFacts& rank) {
  for (const char* name : {"KOKKOS_NUM_THREADS", "OMP_NUM_THREADS"}) {
    if (const auto value = variable(rank, name)) return fmt::format(" ({}={})", name, *value);
  }
  return "";
}

std::string count_of(std::size_t count, const char* noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

const char* const bind_remedy =
    "give each rank cores of its own: mpirun --map-by slot:PE=N --bind-to core, srun "
    "--cpus-per-task=N --cpu-bind=cores";

void check_cores(const std::vector<RankFacts>& ranks, std::vector<Finding>& findings) {
  for (const Sharers& group : find_sharers(ranks)) {
    if (group.cores.empty()) continue;  // the system does not say
    const auto threads =
        std::accumulate(group.ranks.begin(), group.ranks.end(), std::size_t{0},
                        [](std::size_t sum, const RankFacts* rank) { return sum + rank->threads; });
    const RankFacts& one = *group.ranks.back();
    const std::string cores =
        (group.cores.size() == 1 ? "" : std::to_string(group.cores.size()) + " ") +
        (group.cores.size() == 1 ? "core " : "cores ") +
        detail::number_ranges({group.cores.begin(), group.cores.end()}) + " of " + one.host;
    if (threads > group.cores.size()) {
      const bool alone = group.ranks.size() == 1;
      findings.push_back(
          {false,
           fmt::format("{} {} on {}{}", ranks_text(group.ranks),
                       alone ? fmt::format("runs {}", count_of(threads, "thread"))
                             : fmt::format("run {} together", count_of(threads, "thread")),
                       cores, chosen_by(one)),
           alone ? "lower the number of threads, or leave its choice to kmap: unset "
                   "OMP_NUM_THREADS and KOKKOS_NUM_THREADS"
                 : "start fewer ranks or threads on a node, or " + std::string(bind_remedy)});
    }
    const std::string bound = binding(one);
    if (group.ranks.size() > 1 && !bound.empty()) {
      findings.push_back(
          {false,
           fmt::format("{} binds the threads of {} to the same places among {}, "
                       "while others may stay idle",
                       bound, ranks_text(group.ranks), cores),
           fmt::format("unset {}, or {}", bound.substr(0, bound.find('=')), bind_remedy)});
    }
  }
}

void check_devices(const std::vector<RankFacts>& ranks, std::vector<Finding>& findings) {
  std::map<std::pair<std::string, std::string>, std::vector<int>> users;
  for (const RankFacts& rank : ranks) {
    if (rank.device < 0) continue;
    const std::string device =
        rank.device_name.empty() ? std::to_string(rank.device) : rank.device_name;
    users[{rank.host, device}].push_back(rank.rank);
  }
  for (const auto& [device, sharing] : users) {
    if (sharing.size() == 1) continue;
    findings.push_back({false,
                        fmt::format("{} share the device {} of {}", ranks_text(sharing),
                                    device.second, device.first),
                        "start one rank per device; srun --gpus-per-task=1 gives each its own"});
  }
}

// A list of numbers, one for each level of nested parallel regions.
bool is_thread_list(const std::string& text) {
  std::size_t begin = 0;
  while (true) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    std::string item = text.substr(begin, end - begin);
    std::erase(item, ' ');
    if (detail::parse_count(item).value_or(0) < 1) return false;
    if (end == text.size()) return true;
    begin = end + 1;
  }
}

struct Harmful {
  const char* name;
  bool (*is_harmful)(const std::string& value);
  const char* effect;
  const char* remedy;
};

const std::vector<Harmful>& harmful_variables() {
  static const std::vector<Harmful> variables = {
      {"OMP_NUM_THREADS", [](const std::string& value) { return !is_thread_list(value); },
       "is not a number of threads, so OpenMP ignores it and takes all cores",
       "set it to a number, or unset it: kmap then takes the rank's share of the cores"},
      {"HDF5_USE_FILE_LOCKING",
       [](const std::string& value) {
         return detail::lower_case(value) == "false" || value == "0";
       },
       "lets another program change a file while kmap reads or writes it",
       "unset it, except on a file system that has no locks (or use BEST_EFFORT there)"},
      {"HDF5_DISABLE_VERSION_CHECK",
       [](const std::string& value) { return !value.empty() && value != "0"; },
       "hides that kmap runs with another HDF5 than it was compiled for, which can destroy data",
       "unset it, and build kmap anew with the HDF5 that it runs with"}};
  return variables;
}

void check_variables(const std::vector<RankFacts>& ranks, std::vector<Finding>& findings) {
  for (const Harmful& harmful : harmful_variables()) {
    std::map<std::string, std::vector<int>> having;
    for (const RankFacts& rank : ranks) {
      const std::optional<std::string> value = variable(rank, harmful.name);
      if (value && harmful.is_harmful(*value)) having[*value].push_back(rank.rank);
    }
    for (const auto& [value, with] : having) {
      const std::string where = with.size() == ranks.size() ? "" : " on " + ranks_text(with);
      findings.push_back({false,
                          fmt::format("{}={}{} {}", harmful.name, value, where, harmful.effect),
                          harmful.remedy});
    }
  }
}

void check_libraries(const Diagnosis& diagnosis, std::vector<Finding>& findings) {
  const Versions& versions = diagnosis.versions;
  if (versions.hdf5 != versions.hdf5_headers) {
    findings.push_back({false,
                        fmt::format("kmap was compiled for HDF5 {} and runs with {}",
                                    versions.hdf5_headers, versions.hdf5),
                        "load the HDF5 that kmap was built with, or build kmap anew"});
  }
  if (!diagnosis.plugin_failure.empty()) {
    const std::string& failure = diagnosis.plugin_failure;
    const std::string label = "\n  remedy: ";
    const std::size_t remedy = failure.find(label);
    findings.push_back({false, failure.substr(0, remedy),
                        remedy == failure.npos ? "correct KMAP_PLUGINS, or unset it"
                                               : failure.substr(remedy + label.size())});
  }
}

}  // namespace

std::vector<Finding> find_rank_problems(const std::vector<RankFacts>& ranks) {
  std::vector<Finding> findings;
  check_cores(ranks, findings);
  check_devices(ranks, findings);
  check_variables(ranks, findings);
  return findings;
}

std::vector<Finding> find_problems(const Diagnosis& diagnosis) {
  std::vector<Finding> findings;
  if (diagnosis.launch && diagnosis.ranks.size() == 1) {
    const detail::WrongLaunch wrong =
        detail::wrong_launch(*diagnosis.launch, diagnosis.versions.mpi);
    findings.push_back({true, wrong.message, wrong.remedy});
  }
  for (Finding& finding : find_rank_problems(diagnosis.ranks)) {
    findings.push_back(std::move(finding));
  }
  check_libraries(diagnosis, findings);
  return findings;
}

}  // namespace kmap::report
