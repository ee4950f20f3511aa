// The `kmap` command: alone, under mpirun or under srun.

#include "commands.hpp"
#include "plugins.hpp"

#include "kmap/runtime.hpp"

#include <cstdio>
#include <exception>
#include <string>

namespace {

using kmap::ExitCode;

ExitCode show_message(const kmap::Communicator& comm, const kmap::driver::CommandLine& line) {
  if (comm.is_root()) {
    std::fprintf(line.is_error ? stderr : stdout, "%s%s%s", line.is_error ? "kmap: " : "",
                 line.message.c_str(), line.is_error ? "\n" : "");
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

ExitCode dispatch(const kmap::Runtime& runtime, const kmap::driver::CommandLine& line) {
  namespace driver = kmap::driver;
  if (line.command.empty()) return show_message(runtime.comm(), line);
  kmap::agreed(runtime.comm(), [] { driver::load_plugins(); });
  if (line.command == "run") return driver::run(runtime, line);
  if (line.command == "validate") return driver::validate(runtime, line);
  if (line.command == "list") return driver::list(runtime);
  return driver::describe(runtime, line);
}

}  // namespace

int main(int argc, char** argv) {
  const kmap::driver::CommandLine line = kmap::driver::parse_command_line(argc, argv);
  if (line.is_error) argc = 1;  // Kokkos need not see what is wrong
  try {
    const kmap::Runtime runtime(argc, argv, {line.allow_device_sharing});
    return kmap::guarded_main(runtime.comm(), [&] {
      require_equal_words(runtime.comm(), argc, argv);
      const ExitCode code = dispatch(runtime, line);
      flush_output(runtime.comm());
      return code;
    });
  } catch (const std::exception& error) {
    // Only the start of MPI and Kokkos gets here: there are no ranks to agree with.
    std::fprintf(stderr, "kmap: %s\n", error.what());
    return static_cast<int>(ExitCode::internal);
  }
}
