#include "report/diagnosis.hpp"
#include "report/text.hpp"
#include "runtime/colour.hpp"
#include "runtime/cores.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace kmap::report {

namespace {

std::string line(const char* name, const std::string& value) {
  return fmt::format("{:<11}{}\n", name, value);
}

// Of one host, in the order of their first ranks.
struct Node {
  const RankFacts* first;
  int ranks;
};

std::vector<Node> nodes_of(const std::vector<RankFacts>& ranks) {
  std::vector<Node> nodes;
  for (const RankFacts& rank : ranks) {
    const auto node = std::find_if(nodes.begin(), nodes.end(), [&](const Node& other) {
      return other.first->host == rank.host;
    });
    if (node == nodes.end()) {
      nodes.push_back({&rank, 1});
    } else {
      ++node->ranks;
    }
  }
  return nodes;
}

std::string filters_text(const Diagnosis& diagnosis) {
  std::vector<std::string> here;
  std::vector<std::string> missing;
  for (const FilterFacts& filter : diagnosis.filters) {
    (filter.available ? here : missing)
        .push_back(fmt::format("{} ({})", filter.name, filter.number));
  }
  return line("filters", fmt::format("{}", fmt::join(here, ", "))) +
         (missing.empty() ? "" : line("", fmt::format("not: {}", fmt::join(missing, ", ")))) +
         line("", diagnosis.filter_folders.empty()
                      ? "plug-ins are searched nowhere"
                      : fmt::format("plug-ins are searched in {}",
                                    fmt::join(diagnosis.filter_folders, ", ")));
}

std::string plugins_text(const Diagnosis& diagnosis) {
  if (!diagnosis.plugin_path) return line("plug-ins", "none: KMAP_PLUGINS is not set");
  std::string text = line("plug-ins", "KMAP_PLUGINS=" + *diagnosis.plugin_path);
  for (const PluginFacts& plugin : diagnosis.plugins) {
    text += line("", plugin.kernels.empty()
                         ? plugin.library + ": no kernel"
                         : fmt::format("{}: {}", plugin.library, fmt::join(plugin.kernels, ", ")));
  }
  return text;
}

std::string processor_text(const Diagnosis& diagnosis) {
  const std::vector<std::string>& used = diagnosis.versions.built_features;
  std::vector<std::string> unused;
  for (const std::string& feature : diagnosis.own_features) {
    if (std::find(used.begin(), used.end(), feature) == used.end()) unused.push_back(feature);
  }
  return line("processor", unused.empty()
                               ? "has what kmap was built for, and no more that it could use"
                               : fmt::format("has what kmap was built for, and unused: {}",
                                             fmt::join(unused, " ")));
}

std::string memory_text(const Node& node) {
  const detail::NodeMemory& memory = node.first->memory;
  std::string text = fmt::format("{}: {} usable of {}", node.first->host,
                                 bytes_text(memory.usable()), bytes_text(memory.physical));
  if (memory.group) text += ", control group " + bytes_text(*memory.group);
  if (memory.slurm) text += ", Slurm " + bytes_text(*memory.slurm);
  return text + fmt::format("; {} for each of {} {}", bytes_text(memory.usable() / node.ranks),
                            node.ranks, node.ranks == 1 ? "rank" : "ranks");
}

std::string device_text(const RankFacts& rank) {
  if (rank.device < 0) return "-";
  return rank.device_name.empty() ? std::to_string(rank.device)
                                  : fmt::format("{} at {}", rank.device, rank.device_name);
}

bool is_alike(const RankFacts& a, const RankFacts& b) {
  return a.host == b.host && a.cores == b.cores && a.threads == b.threads &&
         device_text(a) == device_text(b);
}

using Row = std::vector<std::string>;

// Ranks that follow each other and differ in nothing are one row.
std::vector<Row> rank_rows(const std::vector<RankFacts>& ranks) {
  std::vector<Row> rows = {{"ranks", "host", "cores", "threads", "device"}};
  for (std::size_t begin = 0; begin < ranks.size();) {
    std::vector<int> numbers = {ranks[begin].rank};
    std::size_t end = begin + 1;
    for (; end < ranks.size() && is_alike(ranks[begin], ranks[end]); ++end) {
      numbers.push_back(ranks[end].rank);
    }
    rows.push_back({detail::number_ranges(numbers), ranks[begin].host,
                    detail::number_ranges(ranks[begin].cores), std::to_string(ranks[begin].threads),
                    device_text(ranks[begin])});
    begin = end;
  }
  return rows;
}

std::string table_text(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const Row& row : rows) {
    std::string cells = " ";
    for (std::size_t i = 0; i < row.size(); ++i) cells += fmt::format(" {:<{}}", row[i], widths[i]);
    text += cells.substr(0, cells.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

std::string variables_text(const RankFacts& rank) {
  std::vector<std::string> set;
  for (const auto& [name, value] : rank.variables) set.push_back(name + "=" + value);
  return set.empty() ? "none of those that matter" : fmt::format("{}", fmt::join(set, " "));
}

std::string finding_text(const Finding& finding, bool coloured) {
  const std::string label = finding.is_error ? detail::error_colour("error:", coloured)
                                             : detail::warning_colour("warning:", coloured);
  return fmt::format("{} {}\n  {} {}\n", label, finding.what,
                     detail::remedy_colour("remedy:", coloured), finding.remedy);
}

}  // namespace

std::string diagnosis_text(const Diagnosis& diagnosis, const std::vector<Finding>& findings,
                           bool coloured) {
  const std::vector<Node> nodes = nodes_of(diagnosis.ranks);
  std::string text = versions_text(diagnosis.versions) + processor_text(diagnosis) +
                     filters_text(diagnosis) + plugins_text(diagnosis);
  text += line("variables", variables_text(diagnosis.ranks.front()));
  const char* label = "memory";
  for (const Node& node : nodes) {
    text += line(label, memory_text(node));
    label = "";
  }
  text += line("launch", fmt::format("{} {} on {} {}", diagnosis.ranks.size(),
                                     diagnosis.ranks.size() == 1 ? "rank" : "ranks", nodes.size(),
                                     nodes.size() == 1 ? "node" : "nodes"));
  text += table_text(rank_rows(diagnosis.ranks)) + "\n";
  for (const Finding& finding : findings) text += finding_text(finding, coloured);
  return findings.empty() ? text + "nothing wrong found\n" : text;
}

nlohmann::ordered_json diagnosis_json(const Diagnosis& diagnosis,
                                      const std::vector<Finding>& findings) {
  using Json = nlohmann::ordered_json;
  const auto or_null = [](const auto& value) { return value ? Json(*value) : Json(nullptr); };
  Json json = {{"versions", versions_json(diagnosis.versions)},
               {"processor_features", diagnosis.own_features},
               {"filters", Json::array()},
               {"filter_folders", diagnosis.filter_folders},
               {"plugin_path", or_null(diagnosis.plugin_path)},
               {"plugins", Json::array()},
               {"nodes", Json::array()},
               {"ranks", Json::array()},
               {"findings", Json::array()}};
  for (const FilterFacts& filter : diagnosis.filters) {
    json["filters"].push_back(
        {{"number", filter.number}, {"name", filter.name}, {"available", filter.available}});
  }
  for (const PluginFacts& plugin : diagnosis.plugins) {
    json["plugins"].push_back({{"library", plugin.library}, {"kernels", plugin.kernels}});
  }
  for (const Node& node : nodes_of(diagnosis.ranks)) {
    const detail::NodeMemory& memory = node.first->memory;
    json["nodes"].push_back({{"host", node.first->host},
                             {"ranks", node.ranks},
                             {"physical_bytes", memory.physical},
                             {"group_bytes", or_null(memory.group)},
                             {"slurm_bytes", or_null(memory.slurm)},
                             {"usable_bytes", memory.usable()},
                             {"usable_bytes_per_rank", memory.usable() / node.ranks}});
  }
  for (const RankFacts& rank : diagnosis.ranks) {
    json["ranks"].push_back({{"rank", rank.rank},
                             {"host", rank.host},
                             {"cores", rank.cores},
                             {"threads", rank.threads},
                             {"device", rank.device < 0 ? Json(nullptr) : Json(rank.device)},
                             {"device_name", rank.device_name},
                             {"variables", rank.variables}});
  }
  for (const Finding& finding : findings) {
    json["findings"].push_back({{"level", finding.is_error ? "error" : "warning"},
                                {"what", finding.what},
                                {"remedy", finding.remedy}});
  }
  return json;
}

}  // namespace kmap::report
