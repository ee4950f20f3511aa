#include "report/provenance.hpp"

#include "kmap_build_info.hpp"
#include "report/versions.hpp"

#include <sys/stat.h>

#include <ctime>

namespace kmap::report {

namespace {

// Of the group's layout; raised when something in it changes its place or meaning.
constexpr std::int64_t format_version = 1;

std::string utc_text(std::time_t time) {
  std::tm parts{};
  gmtime_r(&time, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

// Size and time of an input file as rank 0 sees it, so that all ranks write the same.
struct FileIdentity {
  std::int64_t bytes = -1;
  std::int64_t modified = 0;
};

FileIdentity identify(const Communicator& comm, const std::string& path) {
  FileIdentity identity;
  struct stat status{};
  if (comm.is_root() && stat(path.c_str(), &status) == 0) {
    identity = {status.st_size, status.st_mtime};
  }
  comm.broadcast(&identity, sizeof identity);
  return identity;
}

void write_params(io::OutputFile& file, const plan::BoundKernel& kernel) {
  file.create_group("/kmap/params");
  for (const auto& [name, value] : kernel.values) {
    std::visit(
        [&, &key = name](const auto& v) {
          using V = std::remove_cvref_t<decltype(v)>;
          if constexpr (std::is_same_v<V, bool>) {
            file.write_attribute("/kmap/params", key, std::int64_t{v});
          } else {
            file.write_attribute("/kmap/params", key, v);
          }
        },
        value);
  }
}

void write_inputs(io::OutputFile& file, const Communicator& comm, const plan::Plan& plan) {
  file.create_group("/kmap/inputs");
  for (const plan::InputPlan& input : plan.inputs) {
    const std::string group = "/kmap/inputs/" + input.name;
    const FileIdentity identity = identify(comm, input.dataset.file);
    file.create_group(group);
    file.write_attribute(group, "file", input.dataset.file);
    file.write_attribute(group, "dataset", input.dataset.dataset);
    file.write_attribute(group, "shape", to_string(input.dataset.shape));
    file.write_attribute(group, "stored_type", input.dataset.stored_type);
    file.write_attribute(group, "read_as", std::string(name(input.type)));
    if (!input.replicated) {
      file.write_attribute(group, "first_row", input.rows.begin);
      file.write_attribute(group, "end_row", input.rows.end);
    }
    file.write_attribute(group, "file_bytes", identity.bytes);
    file.write_attribute(group, "file_modified", utc_text(identity.modified));
  }
}

}  // namespace

std::string utc_now() { return utc_text(std::time(nullptr)); }

void write_provenance(io::OutputFile& file, const Runtime& runtime, const config::JobConfig& job,
                      const plan::Plan& plan) {
  const Communicator& comm = runtime.comm();
  const std::string group = "/kmap";
  file.create_group(group);
  file.write_text("/kmap/config", job.as_written);
  file.write_text("/kmap/config_resolved", job.as_resolved);
  file.write_attribute(group, "format_version", format_version);
  file.write_attribute(group, "kmap_version", build_info::version);
  file.write_attribute(group, "git_revision", build_info::git_revision);
  file.write_attribute(group, "compiler", build_info::compiler);
  file.write_attribute(group, "build_type", build_info::build_type);
  file.write_attribute(group, "compile_flags", build_info::flags);
  file.write_attribute(group, "kokkos_version", kokkos_version());
  file.write_attribute(group, "mpi_version", comm.broadcast(mpi_version()));
  file.write_attribute(group, "hdf5_version", hdf5_version());
  file.write_attribute(group, "kernel", plan.kernel.info->name);
  file.write_attribute(group, "signature", plan.kernel.info->signature);
  file.write_attribute(group, "ranks", std::int64_t{comm.size()});
  // Of rank 0, where ranks differ: attributes are the same on all ranks.
  const Placement& placement = runtime.placement();
  int numbers[] = {placement.threads, placement.device};
  comm.broadcast(numbers, sizeof numbers);
  file.write_attribute(group, "threads_per_rank", std::int64_t{numbers[0]});
  file.write_attribute(group, "device", std::int64_t{numbers[1]});
  file.write_attribute(group, "host", comm.broadcast(placement.host));
  file.write_attribute(group, "backend", placement.backend);
  file.write_attribute(group, "started", comm.broadcast(utc_now()));
  write_params(file, plan.kernel);
  write_inputs(file, comm, plan);
}

}  // namespace kmap::report
