#include "command_line.hpp"

#include "runtime/nearest.hpp"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace kmap::driver {

namespace {

// Below CLI11's help, as it is: newer versions of CLI11 would break the lines of footers anew.
struct Footer {
  const char* command;  // empty: of kmap as a whole
  const char* text;
};

constexpr Footer footers[] = {{"", R"(kmap COMMAND --help says more about each.
Started alone, by mpirun or by srun. Exit codes are those of sysexits.h: 64 wrong command line,
65 unusable input data, 66 input missing, 70 internal, 73 output cannot be created,
74 reading or writing failed, 78 mistake in the config.
Flags that begin with --kokkos- are Kokkos' own, such as --kokkos-num-threads=N.
Colours are for terminals; the environment variable NO_COLOR=1 turns them off.
)"},
                              {"run", R"(Examples:
  kmap run job.yaml
  kmap run job.yaml --dry-run        open the inputs, print the plan, write nothing
  kmap run job.yaml --set inputs.x.slice=0:10 --set params.steps=5 --overwrite
  mpirun -n 4 kmap run job.yaml
  srun -n 64 --cpus-per-task=8 kmap run job.yaml
`kmap describe KERNEL` prints a config to begin with.
)"},
                              {"validate", R"(Examples:
  kmap validate job.yaml
  kmap validate job.yaml --set kernel=moments
Says all mistakes at once; exit code 0 if there is none, 78 otherwise.
)"},
                              {"list", R"(Examples:
  kmap list
  kmap list --json | jq -r '.[].name'
  KMAP_PLUGINS=/my/plugins kmap list     with kernels from outside: files or folders of *.so
)"},
                              {"describe", R"(Examples:
  kmap describe                     every key of a run config
  kmap describe lorenz
  kmap describe lorenz --json | jq -r .example_config > job.yaml
)"},
                              {"doctor", R"(Examples:
  kmap doctor
  mpirun -n 4 kmap doctor                as a job with four ranks would run
  srun -n 64 --cpus-per-task=8 kmap doctor
  kmap doctor --json | jq .findings
Exit code 0 if nothing is wrong and also with warnings; 70 if jobs cannot run so, because each
process believes to be alone.
)"}};

// Of the command whose help was asked for, or of kmap.
std::string help_text(const CLI::App& app) {
  const std::vector<CLI::App*> chosen = app.get_subcommands();
  const std::string command = chosen.empty() ? "" : chosen.front()->get_name();
  std::string text = app.help();  // of the subcommand, if there is one
  text.erase(text.find_last_not_of('\n') + 1);
  for (const Footer& footer : footers) {
    if (command == footer.command) text += std::string("\n\n") + footer.text;
  }
  return text;
}

void add_job(CLI::App& command, CommandLine& line) {
  command.add_option("job", line.job, "The run config (YAML)")->required();
  command
      .add_option("--set", line.overrides,
                  "Replace a key of the config: --set inputs.x.slice=0:10; repeatable")
      ->allow_extra_args(false)
      ->type_name("KEY=VALUE");
}

void add_json(CLI::App& command, CommandLine& line) {
  command.add_flag("--json", line.json, "For programs: JSON instead of text");
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

// Of a word that is no command: the ones that there are.
std::string wrong_words(const CLI::App& app, const std::vector<std::string>& words,
                        const CLI::ParseError& error) {
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; })) {
    names.push_back(command->get_name());
  }
  const bool is_other = words.empty() || words.back().starts_with("-") ||
                        std::find(names.begin(), names.end(), words.back()) != names.end();
  if (is_other) return std::string(error.what()) + "; see kmap --help";
  const std::string near = detail::nearest(words.back(), names);
  return "there is no command \"" + words.back() + "\"; " +
         (near.empty() ? "" : "did you mean " + near + "? ") + "see kmap --help";
}

// Kokkos ends the program with a stack trace if these are no numbers.
std::string wrong_kokkos_flag(int argc, const char* const* argv) {
  constexpr struct {
    std::string_view name;
    int least;
  } flags[] = {{"--kokkos-num-threads", 1}, {"--kokkos-device-id", 0}};
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    for (const auto& flag : flags) {
      if (!word.starts_with(flag.name)) continue;
      const std::string_view value = word.substr(std::min(word.size(), flag.name.size() + 1));
      int number = -1;
      const auto [end, wrong] = std::from_chars(value.begin(), value.end(), number);
      const bool is_number = wrong == std::errc() && end == value.end();
      if (is_number && number >= flag.least && word[flag.name.size()] == '=') continue;
      return std::string(word) + ": expected " + std::string(flag.name) + "=N with N at least " +
             std::to_string(flag.least);
    }
  }
  return {};
}

}  // namespace

CommandLine parse_command_line(int argc, const char* const* argv) {
  CommandLine line;
  CLI::App app("kmap: maps a function of one example over the arrays of HDF5 files", "kmap");
  app.set_version_flag("--version", "", "Versions of kmap and of what it is built on");
  app.require_subcommand(1);

  CLI::App* run = app.add_subcommand("run", "Run a job: read, map, write");
  add_job(*run, line);
  run->add_flag("--dry-run", line.dry_run, "Open the inputs and print the plan; write nothing");
  run->add_flag("--overwrite", line.overwrite, "Replace an output file that exists");
  run->add_flag("--quiet", line.quiet,
                "Print no plan, progress or summary; only errors and warnings");
  run->add_option("--report", line.report,
                  "Write the plan, times of every rank and provenance as JSON to this file")
      ->type_name("FILE.json")
      ->check([](const std::string& name) {
        return name.empty() ? std::string("the name of the file is empty") : std::string();
      });
  run->add_flag("--allow-device-sharing", line.allow_device_sharing,
                "Allow more ranks on a node than it has devices");
  CLI::App* validate =
      app.add_subcommand("validate", "Check a run config and its kernel without opening data");
  add_job(*validate, line);
  CLI::App* list = app.add_subcommand("list", "List the kernels");
  add_json(*list, line);
  CLI::App* describe =
      app.add_subcommand("describe", "Show inputs, outputs, parameters and a config of a kernel");
  describe->add_option("kernel", line.kernel, "Its name; without it, the keys of run configs");
  add_json(*describe, line);
  CLI::App* doctor = app.add_subcommand(
      "doctor", "Say where ranks run and what there is, and warn of what is wrong with it");
  add_json(*doctor, line);

  const std::vector<std::string> words = own_words(argc, argv);
  if (std::string wrong = wrong_kokkos_flag(argc, argv); !wrong.empty()) {
    line.message = std::move(wrong);
    line.is_error = true;
    return line;
  }
  try {
    app.parse(std::vector<std::string>(words));
    line.command = app.get_subcommands().front()->get_name();
  } catch (const CLI::CallForHelp&) {
    line.message = help_text(app);
  } catch (const CLI::CallForVersion&) {
    line.command = "version";
  } catch (const CLI::ParseError& error) {
    line.is_error = true;
    line.message = wrong_words(app, words, error);
  }
  return line;
}

}  // namespace kmap::driver
