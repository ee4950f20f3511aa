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

std::vector<Fact> facts_of(const plan::BoundKernel& kernel) {
  std::vector<Fact> facts;
  for (const auto& [name, value] : kernel.values) {
    std::visit(
        [&, &key = name](const auto& v) {
          using V = std::remove_cvref_t<decltype(v)>;
          if constexpr (std::is_same_v<V, bool>) {
            facts.emplace_back(key, std::int64_t{v});
          } else {
            facts.emplace_back(key, v);
          }
        },
        value);
  }
  return facts;
}

std::vector<Fact> facts_of(const Communicator& comm, const plan::InputPlan& input) {
  const FileIdentity identity = identify(comm, input.dataset.file);
  std::vector<Fact> facts = {{"file", input.dataset.file},
                             {"dataset", input.dataset.dataset},
                             {"shape", to_string(input.dataset.shape)},
                             {"stored_type", input.dataset.stored_type},
                             {"read_as", std::string(name(input.type))}};
  if (!input.replicated) {
    // Row i of the batch is [first + i * step, first + i * step + length) of the axis.
    facts.emplace_back("axis", static_cast<std::int64_t>(input.rows.axis));
    facts.emplace_back("first", input.rows.first);
    facts.emplace_back("step", input.rows.step);
    facts.emplace_back("length", input.rows.length);
  }
  facts.emplace_back("file_bytes", identity.bytes);
  facts.emplace_back("file_modified", utc_text(identity.modified));
  return facts;
}

std::vector<Fact> facts_of(const Runtime& runtime, const plan::Plan& plan) {
  const Communicator& comm = runtime.comm();
  // Of rank 0, where ranks differ.
  const Placement& placement = runtime.placement();
  std::int64_t numbers[] = {placement.threads, placement.device};
  comm.broadcast(numbers, sizeof numbers);
  return {{"kmap_version", build_info::version},
          {"git_revision", build_info::git_revision},
          {"compiler", build_info::compiler},
          {"build_type", build_info::build_type},
          {"compile_flags", build_info::flags},
          {"kokkos_version", kokkos_version()},
          {"mpi_version", comm.broadcast(mpi_version())},
          {"hdf5_version", hdf5_version()},
          {"kernel", plan.kernel.info->name},
          {"signature", plan.kernel.info->signature},
          {"ranks", std::int64_t{comm.size()}},
          {"threads_per_rank", numbers[0]},
          {"device", numbers[1]},
          {"host", comm.broadcast(placement.host)},
          {"backend", placement.backend},
          {"started", comm.broadcast(utc_now())}};
}

void write_facts(io::OutputFile& file, const std::string& group, const std::vector<Fact>& facts) {
  for (const auto& [name, value] : facts) {
    std::visit([&, &key = name](const auto& v) { file.write_attribute(group, key, v); }, value);
  }
}

}  // namespace

std::string utc_now() { return utc_text(std::time(nullptr)); }

Provenance collect_provenance(const Runtime& runtime, const plan::Plan& plan) {
  Provenance provenance{facts_of(runtime, plan), facts_of(plan.kernel), {}};
  if (plan.kernel.info->takes_key) provenance.run.emplace_back("seed", plan.seed);
  for (const plan::InputPlan& input : plan.inputs) {
    provenance.inputs.emplace_back(input.name, facts_of(runtime.comm(), input));
  }
  return provenance;
}

void write_provenance(io::OutputFile& file, const Provenance& provenance,
                      const config::JobConfig& job) {
  const std::string group = "/kmap";
  file.create_group(group);
  file.write_text("/kmap/config", job.as_written);
  file.write_text("/kmap/config_resolved", job.as_resolved);
  file.write_attribute(group, "format_version", format_version);
  write_facts(file, group, provenance.run);
  file.create_group("/kmap/params");
  write_facts(file, "/kmap/params", provenance.params);
  file.create_group("/kmap/inputs");
  for (const auto& [name, facts] : provenance.inputs) {
    file.create_group("/kmap/inputs/" + name);
    write_facts(file, "/kmap/inputs/" + name, facts);
  }
}

}  // namespace kmap::report
