#pragma once
// What this kmap is made of: for --version, `kmap doctor` and the outputs' provenance.

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace kmap::report {

struct Versions {
  std::string kmap;
  std::string git_revision;
  std::string build_type;
  std::string compiler;
  std::string flags;
  std::string arch;       // KMAP_ARCH
  std::string processor;  // that "native" stood for
  std::vector<std::string> built_features;
  std::string kokkos;
  std::string backend;                // the default one
  std::vector<std::string> backends;  // all
  std::string mpi;
  std::string mpi_standard;
  std::string hdf5;          // the library that runs
  std::string hdf5_headers;  // kmap was compiled with
  std::string yaml_cpp;
  std::string json;
  std::string fmt;
  std::string platform;
};

Versions find_versions();

// "kmap 0.1.0 (revision)" and a line for each of the rest.
std::string versions_text(const Versions& versions);
nlohmann::ordered_json versions_json(const Versions& versions);

std::string kokkos_version();
std::string mpi_version();
std::string hdf5_version();  // of the headers

}  // namespace kmap::report
