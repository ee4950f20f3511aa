#pragma once
// What `kmap doctor` says: where the ranks run, what there is, and what is wrong with it.

#include "report/versions.hpp"
#include "runtime/launcher.hpp"
#include "runtime/memory.hpp"

#include "kmap/communicator.hpp"

#include <nlohmann/json.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace kmap::report {

struct RankFacts {
  int rank = 0;
  std::string host;
  std::vector<int> cores;  // that it may run on
  int threads = 1;
  int device = -1;
  std::string device_name;  // the same for the same device of the host, or empty
  detail::NodeMemory memory;
  std::map<std::string, std::string> variables;  // those of watched_variables() that are set
};

struct FilterFacts {
  int number = 0;
  std::string name;
  bool available = false;
};

struct PluginFacts {
  std::string library;
  std::vector<std::string> kernels;
};

// Something wrong. An error: kmap cannot work so.
struct Finding {
  bool is_error = false;
  std::string what;
  std::string remedy;
};

struct Diagnosis {
  Versions versions;
  std::vector<std::string> own_features;  // of rank 0's processor
  std::vector<RankFacts> ranks;
  std::vector<FilterFacts> filters;
  std::vector<std::string> filter_folders;
  std::optional<std::string> plugin_path;  // KMAP_PLUGINS
  std::vector<PluginFacts> plugins;
  std::string plugin_failure;  // what could not be loaded, with its remedy; or empty
  std::optional<detail::Launch> launch;
};

// Environment variables that change where threads run or what HDF5 does.
const std::vector<std::string>& watched_variables();

std::vector<FilterFacts> find_filters();
std::vector<std::string> own_feature_names();

// The facts of all ranks, on rank 0; nothing on others. Collective.
std::vector<RankFacts> gather_facts(const Communicator& comm, const RankFacts& mine);

// What is wrong with where the ranks run: nothing that keeps them from working.
std::vector<Finding> find_rank_problems(const std::vector<RankFacts>& ranks);

// These and all others, errors first.
std::vector<Finding> find_problems(const Diagnosis& diagnosis);

std::string diagnosis_text(const Diagnosis& diagnosis, const std::vector<Finding>& findings,
                           bool coloured);
nlohmann::ordered_json diagnosis_json(const Diagnosis& diagnosis,
                                      const std::vector<Finding>& findings);

}  // namespace kmap::report
