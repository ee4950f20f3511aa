#include "command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <string_view>

#include "kmap_build_info.hpp"

namespace kmap::driver {

namespace {

const char* const footer =
    "Started alone, by mpirun or by srun. Exit codes are those of sysexits.h: 64 wrong command line, 65 "
    "unusable input data,\n66 input missing, 70 internal, 73 output cannot be created, 74 reading or "
    "writing failed, 78 mistake in the config.\nFlags that begin with --kokkos- are Kokkos' own, such as "
    "--kokkos-num-threads=N.";

void add_job(CLI::App& command, CommandLine& line) {
  command.add_option("job", line.job, "The run config (YAML)")->required();
  command
      .add_option("--set", line.overrides,
                  "Replace a key of the config: --set inputs.x.slice=0:10; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

// The words without the program and without Kokkos' flags, last first as CLI11 wants them.
std::vector<std::string> own_words(int argc, const char* const* argv) {
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) {
    if (!std::string_view(argv[i]).starts_with("--kokkos-")) words.emplace_back(argv[i]);
  }
  std::reverse(words.begin(), words.end());
  return words;
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app("kmap: maps a function of one example over the arrays of HDF5 files", "kmap");
  app.set_version_flag("--version", std::string("kmap ") + build_info::version + " (" +
                                        build_info::git_revision + ")");
  app.require_subcommand(1);
  app.footer(footer);

  CLI::App* run = app.add_subcommand("run", "Run a job: read, map, write");
  add_job(*run, line);
  run->add_flag("--dry-run", line.dry_run, "Open the inputs and print the plan; write nothing");
  run->add_flag("--overwrite", line.overwrite, "Replace an output file that exists");
  run->add_flag("--allow-device-sharing", line.allow_device_sharing,
                "Allow more ranks on a node than it has devices");
  CLI::App* validate =
      app.add_subcommand("validate", "Check a run config and its kernel without opening data");
  add_job(*validate, line);
  app.add_subcommand("list", "List the kernels");
  CLI::App* describe =
      app.add_subcommand("describe", "Show inputs, outputs and parameters of a kernel");
  describe->add_option("kernel", line.kernel, "Its name")->required();

  try {
    app.parse(own_words(argc, argv));
    line.command = app.get_subcommands().front()->get_name();
  } catch (const CLI::CallForHelp&) {
    const auto chosen = app.get_subcommands();
    line.message = chosen.empty() ? app.help() : chosen.front()->help();
  } catch (const CLI::CallForVersion& version) {
    line.message = std::string(version.what()) + "\n";
  } catch (const CLI::ParseError& error) {
    line.is_error = true;
    line.message = std::string(error.what()) + "; see kmap --help";
  }
  return line;
}

}  // namespace kmap::driver
