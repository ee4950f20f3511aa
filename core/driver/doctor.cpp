#include "commands.hpp"
#include "io/filters.hpp"
#include "io/handles.hpp"
#include "plugins.hpp"
#include "rank_facts.hpp"
#include "report/diagnosis.hpp"
#include "report/kernel_json.hpp"
#include "runtime/colour.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <exception>

namespace kmap::driver {

namespace {

void add_plugins(report::Diagnosis& diagnosis) {
  diagnosis.plugin_path = detail::own_variable("KMAP_PLUGINS");
  std::vector<Plugin> loaded;
  try {
    load_plugins(loaded);
  } catch (const std::exception& error) {
    diagnosis.plugin_failure = error.what();
  }
  for (const Plugin& plugin : loaded) {
    diagnosis.plugins.push_back({plugin.library, plugin.kernels});
  }
}

}  // namespace

ExitCode doctor(const Runtime& runtime, const CommandLine& line,
                const std::optional<detail::Launch>& launch) {
  report::Diagnosis diagnosis;
  diagnosis.ranks = report::gather_facts(runtime.comm(), own_facts(runtime));
  int code = 0;
  // Plug-ins and filters are as rank 0 finds them.
  agreed(runtime.comm(), [&] {
    if (!runtime.comm().is_root()) return;
    io::keep_hdf5_quiet();
    diagnosis.versions = report::find_versions();
    diagnosis.own_features = report::own_feature_names();
    diagnosis.filters = report::find_filters();
    diagnosis.filter_folders = io::plugin_folders();
    diagnosis.launch = launch;
    add_plugins(diagnosis);
    const std::vector<report::Finding> findings = report::find_problems(diagnosis);
    fmt::print("{}", line.json ? report::json_text(report::diagnosis_json(diagnosis, findings))
                               : report::diagnosis_text(diagnosis, findings,
                                                        detail::use_colours(STDOUT_FILENO)));
    for (const report::Finding& finding : findings) {
      if (finding.is_error) code = static_cast<int>(ExitCode::internal);
    }
  });
  runtime.comm().broadcast(&code, sizeof code);
  return static_cast<ExitCode>(code);
}

}  // namespace kmap::driver
