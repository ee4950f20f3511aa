#include "report/versions.hpp"

#include "kmap_build_info.hpp"
#include "runtime/processor.hpp"

#include "kmap/communicator.hpp"

#include <Kokkos_Core.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <hdf5.h>
#include <mpi.h>

#include <sys/utsname.h>

#include <array>
#include <fstream>
#include <sstream>

namespace kmap::report {

namespace {

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  std::istringstream stream(text);
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::string> feature_names(detail::FeatureSet set) {
  std::array<char, 512> text{};
  detail::name_features(set, text.data(), text.size());
  return words_of(text.data());
}

std::vector<std::string> kokkos_backends() {
  std::vector<std::string> names;
#ifdef KOKKOS_ENABLE_CUDA
  names.emplace_back(Kokkos::Cuda::name());
#endif
#ifdef KOKKOS_ENABLE_HIP
  names.emplace_back(Kokkos::HIP::name());
#endif
#ifdef KOKKOS_ENABLE_SYCL
  names.emplace_back("SYCL");
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  names.emplace_back(Kokkos::OpenMP::name());
#endif
#ifdef KOKKOS_ENABLE_THREADS
  names.emplace_back(Kokkos::Threads::name());
#endif
#ifdef KOKKOS_ENABLE_HPX
  names.emplace_back("HPX");
#endif
#ifdef KOKKOS_ENABLE_SERIAL
  names.emplace_back(Kokkos::Serial::name());
#endif
  return names;
}

std::string hdf5_library_version() {
  unsigned major = 0;
  unsigned minor = 0;
  unsigned release = 0;
  H5get_libversion(&major, &minor, &release);
  return fmt::format("{}.{}.{}", major, minor, release);
}

std::string json_version() {
  return fmt::format("{}.{}.{}", NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                     NLOHMANN_JSON_VERSION_PATCH);
}

// As the system calls itself, such as "Debian GNU/Linux 12 (bookworm)".
std::string distribution() {
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=";
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with(key)) continue;
    std::string name = line.substr(key.size());
    std::erase(name, '"');
    return ", " + name;
  }
  return "";
}

std::string platform() {
  utsname names{};
  if (uname(&names) != 0) return "unknown";
  return fmt::format("{} {} {}{}", names.sysname, names.release, names.machine, distribution());
}

std::string features_text(const std::vector<std::string>& features) {
  return features.empty() ? "no more than every processor of its family has"
                          : fmt::format("{}", fmt::join(features, " "));
}

}  // namespace

std::string mpi_version() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string version(text, static_cast<std::size_t>(length));
  return version.substr(0, version.find_first_of(",\n"));
}

std::string kokkos_version() {
  return fmt::format("{}.{}.{}", KOKKOS_VERSION / 10000, KOKKOS_VERSION / 100 % 100,
                     KOKKOS_VERSION % 100);
}

std::string hdf5_version() {
  return fmt::format("{}.{}.{}", H5_VERS_MAJOR, H5_VERS_MINOR, H5_VERS_RELEASE);
}

Versions find_versions() {
  Versions v;
  v.kmap = build_info::version;
  v.git_revision = build_info::git_revision;
  v.build_type = build_info::build_type;
  v.compiler = build_info::compiler;
  v.flags = build_info::flags;
  v.arch = build_info::arch;
  v.processor = build_info::processor;
  v.built_features = feature_names(detail::built_features);
  v.kokkos = kokkos_version();
  v.backend = Kokkos::DefaultExecutionSpace::name();
  v.backends = kokkos_backends();
  v.mpi = mpi_version();
  v.mpi_standard = fmt::format("{}.{}", MPI_VERSION, MPI_SUBVERSION);
  v.hdf5 = hdf5_library_version();
  v.hdf5_headers = hdf5_version();
  v.yaml_cpp = build_info::yaml_cpp_version;
  v.json = json_version();
  v.fmt = fmt::format("{}.{}.{}", FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100);
  v.platform = platform();
  return v;
}

std::string versions_text(const Versions& v) {
  std::string text = fmt::format("kmap {} ({})\n", v.kmap, v.git_revision);
  const auto line = [&](const char* name, const std::string& value) {
    text += fmt::format("{:<11}{}\n", name, value);
  };
  line("build", v.build_type + ", " + v.compiler);
  line("flags", v.flags);
  line("built for",
       fmt::format("{} ({}): {}", v.arch, v.processor, features_text(v.built_features)));
  line("Kokkos",
       fmt::format("{} with {}; {} by default", v.kokkos, fmt::join(v.backends, ", "), v.backend));
  line("MPI", fmt::format("{}, standard {}", v.mpi, v.mpi_standard));
  line("HDF5", fmt::format("{}, headers {}", v.hdf5, v.hdf5_headers));
  line("yaml-cpp", v.yaml_cpp);
  line("JSON", "nlohmann-json " + v.json);
  line("fmt", v.fmt);
  line("platform", v.platform);
  return text;
}

nlohmann::ordered_json versions_json(const Versions& v) {
  return {{"kmap", v.kmap},
          {"git_revision", v.git_revision},
          {"build_type", v.build_type},
          {"compiler", v.compiler},
          {"flags", v.flags},
          {"arch", v.arch},
          {"processor", v.processor},
          {"built_features", v.built_features},
          {"kokkos", v.kokkos},
          {"backend", v.backend},
          {"backends", v.backends},
          {"mpi", v.mpi},
          {"mpi_standard", v.mpi_standard},
          {"hdf5", v.hdf5},
          {"hdf5_headers", v.hdf5_headers},
          {"yaml_cpp", v.yaml_cpp},
          {"nlohmann_json", v.json},
          {"fmt", v.fmt},
          {"platform", v.platform}};
}

}  // namespace kmap::report
