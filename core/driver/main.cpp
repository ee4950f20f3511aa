// The `kmap` command: alone, under mpirun or under srun.

#include "commands.hpp"
#include "environment_check.hpp"
#include "plugins.hpp"
#include "report/versions.hpp"
#include "runtime/colour.hpp"
#include "runtime/launcher.hpp"

#include "kmap/runtime.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

namespace {

using kmap::ExitCode;

std::string error_text(const std::string& message) {
  return kmap::detail::error_text(message, "", kmap::detail::use_colours(STDERR_FILENO));
}

ExitCode show_message(const kmap::Communicator& comm, const kmap::driver::CommandLine& line) {
  if (comm.is_root()) {
    if (line.is_error) {
      std::fputs(error_text(line.message).c_str(), stderr);
    } else {
      std::fputs(line.message.c_str(), stdout);
    }
  }
  return line.is_error ? ExitCode::usage : ExitCode::ok;
}

// Ranks with other words would wait for each other in different places. Kokkos' flags, which are no
// longer among them, may differ.
void require_equal_words(const kmap::Communicator& comm, int argc, const char* const* argv) {
  std::string words;
  for (int i = 1; i < argc; ++i) words += std::string(argv[i]) + '\n';
  const std::string first = comm.broadcast(words);
  kmap::agreed(comm, [&] {
    if (words == first) return;
    throw kmap::Error(ExitCode::usage, "was started with other words than rank 0",
                      "start all ranks with the same command line");
  });
}

// A full disk or a closed pipe behind stdout must not look like success.
void flush_output(const kmap::Communicator& comm) {
  kmap::agreed(comm, [&] {
    if (comm.is_root() && (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)) {
      throw kmap::Error(ExitCode::io_error, "cannot write to the standard output");
    }
  });
}

ExitCode show_versions(const kmap::Communicator& comm) {
  if (comm.is_root()) {
    std::fputs(kmap::report::versions_text(kmap::report::find_versions()).c_str(), stdout);
  }
  return ExitCode::ok;
}

// Known only before MPI and Kokkos start, told when there are ranks to agree with.
struct Start {
  std::string wrong_variable;
  std::optional<kmap::detail::Launch> launch;
};

// Each of these processes would do the whole job and write the same file.
void refuse_wrong_launch(const kmap::Communicator& comm, const Start& start) {
  if (comm.size() > 1 || !start.launch) return;
  const auto wrong = kmap::detail::wrong_launch(*start.launch, kmap::report::mpi_version());
  throw kmap::RuntimeError(wrong.message, wrong.remedy);
}

ExitCode dispatch(const kmap::Runtime& runtime, const kmap::driver::CommandLine& line,
                  const Start& start) {
  namespace driver = kmap::driver;
  const kmap::Communicator& comm = runtime.comm();
  kmap::agreed(comm, [&] {
    if (start.wrong_variable.empty()) return;
    throw kmap::Error(ExitCode::usage, start.wrong_variable, "correct the variable, or unset it");
  });
  if (line.command == "version") return show_versions(comm);
  if (line.command.empty()) return show_message(comm, line);
  if (line.command == "doctor") return driver::doctor(runtime, line, start.launch);
  if (line.command == "run") kmap::agreed(comm, [&] { refuse_wrong_launch(comm, start); });
  std::vector<driver::Plugin> plugins;
  kmap::agreed(comm, [&] { driver::load_plugins(plugins); });
  if (line.command == "run") return driver::run(runtime, line);
  if (line.command == "validate") return driver::validate(runtime, line);
  if (line.command == "list") return driver::list(runtime, line);
  return driver::describe(runtime, line);
}

// Open MPI looks for a way to share file pointers whenever a file is opened, and in version 4 one
// such way overruns a buffer when the path is longer than some 240 bytes. Nothing here shares them;
// this way needs no names. What the user has chosen stays.
void keep_open_mpi_from_long_paths() { setenv("OMPI_MCA_sharedfp", "individual", 0); }

}  // namespace

int main(int argc, char** argv) {
  keep_open_mpi_from_long_paths();
  const kmap::driver::CommandLine line = kmap::driver::parse_command_line(argc, argv);
  if (line.is_error) argc = 1;  // Kokkos need not see what is wrong
  const Start start = {kmap::driver::take_wrong_kokkos_variables(),
                       kmap::detail::find_launch(kmap::detail::own_variable)};
  // The doctor reports ranks that share a device.
  const bool allow_device_sharing = line.allow_device_sharing || line.command == "doctor";
  try {
    const kmap::Runtime runtime(argc, argv, {allow_device_sharing});
    return kmap::guarded_main(runtime.comm(), [&] {
      require_equal_words(runtime.comm(), argc, argv);
      const ExitCode code = dispatch(runtime, line, start);
      flush_output(runtime.comm());
      return code;
    });
  } catch (const std::exception& error) {
    // Only the start of MPI and Kokkos gets here: there are no ranks to agree with.
    std::fputs(error_text(error.what()).c_str(), stderr);
    return static_cast<int>(ExitCode::internal);
  }
}
