// What ranks and libraries say, for the diagnosis.

#include "io/filters.hpp"
#include "report/diagnosis.hpp"
#include "runtime/processor.hpp"

#include <array>
#include <cstdint>
#include <sstream>

namespace kmap::report {

namespace {

using Json = nlohmann::json;

Json optional_json(const std::optional<std::int64_t>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::optional<std::int64_t> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<std::int64_t>());
}

// Names of hosts and variables may be any bytes, so that JSON's text is not for them.
std::vector<std::uint8_t> pack(const RankFacts& facts) {
  return Json::to_cbor(Json{{"rank", facts.rank},
                            {"host", facts.host},
                            {"cores", facts.cores},
                            {"threads", facts.threads},
                            {"device", facts.device},
                            {"device_name", facts.device_name},
                            {"physical", facts.memory.physical},
                            {"group", optional_json(facts.memory.group)},
                            {"slurm", optional_json(facts.memory.slurm)},
                            {"variables", facts.variables}});
}

RankFacts unpack(const std::uint8_t* begin, const std::uint8_t* end) {
  const Json json = Json::from_cbor(begin, end);
  RankFacts facts;
  facts.rank = json.at("rank").get<int>();
  facts.host = json.at("host").get<std::string>();
  facts.cores = json.at("cores").get<std::vector<int>>();
  facts.threads = json.at("threads").get<int>();
  facts.device = json.at("device").get<int>();
  facts.device_name = json.at("device_name").get<std::string>();
  facts.memory = {json.at("physical").get<std::int64_t>(), optional_number(json.at("group")),
                  optional_number(json.at("slurm"))};
  facts.variables = json.at("variables").get<std::map<std::string, std::string>>();
  return facts;
}

}  // namespace

const std::vector<std::string>& watched_variables() {
  static const std::vector<std::string> names = {
      "OMP_NUM_THREADS",      "OMP_PROC_BIND",         "OMP_PLACES",
      "GOMP_CPU_AFFINITY",    "KMP_AFFINITY",          "KOKKOS_NUM_THREADS",
      "HDF5_PLUGIN_PATH",     "HDF5_USE_FILE_LOCKING", "HDF5_DISABLE_VERSION_CHECK",
      "CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",  "HIP_VISIBLE_DEVICES"};
  return names;
}

std::vector<FilterFacts> find_filters() {
  std::vector<FilterFacts> filters;
  for (const io::Filter& filter : io::known_filters()) {
    filters.push_back({filter.number, filter.name, io::can_decode(filter.number)});
  }
  return filters;
}

std::vector<std::string> own_feature_names() {
  std::array<char, 512> text{};
  detail::name_features(detail::own_features(), text.data(), text.size());
  std::vector<std::string> names;
  std::istringstream stream(text.data());
  for (std::string name; stream >> name;) names.push_back(name);
  return names;
}

std::vector<RankFacts> gather_facts(const Communicator& comm, const RankFacts& mine) {
  const std::vector<std::uint8_t> packed = pack(mine);
  const int size = static_cast<int>(packed.size());
  std::vector<int> sizes(static_cast<std::size_t>(comm.is_root() ? comm.size() : 0));
  check_mpi(MPI_Gather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, 0, comm.get()), "MPI_Gather");
  std::vector<int> offsets = {0};
  for (const int one : sizes) offsets.push_back(offsets.back() + one);
  std::vector<std::uint8_t> all(static_cast<std::size_t>(offsets.back()));
  check_mpi(MPI_Gatherv(packed.data(), size, MPI_BYTE, all.data(), sizes.data(), offsets.data(),
                        MPI_BYTE, 0, comm.get()),
            "MPI_Gatherv");
  std::vector<RankFacts> facts;
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    facts.push_back(unpack(all.data() + offsets[i], all.data() + offsets[i + 1]));
  }
  return facts;
}

}  // namespace kmap::report
