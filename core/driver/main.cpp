// The `kmap` command: alone, under mpirun or under srun.

#include <cstdio>
#include <exception>

#include "commands.hpp"
#include "kmap/runtime.hpp"
#include "plugins.hpp"

namespace {

using kmap::ExitCode;

ExitCode show_message(const kmap::Communicator& comm, const kmap::driver::CommandLine& line) {
  if (comm.is_root()) {
    std::fprintf(line.is_error ? stderr : stdout, "%s%s%s", line.is_error ? "kmap: " : "",
                 line.message.c_str(), line.is_error ? "\n" : "");
  }
  return line.is_error ? ExitCode::usage : ExitCode::ok;
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
  try {
    const kmap::Runtime runtime(argc, argv, {line.allow_device_sharing});
    return kmap::guarded_main(runtime.comm(), [&] { return dispatch(runtime, line); });
  } catch (const std::exception& error) {
    // Only the start of MPI and Kokkos gets here: there are no ranks to agree with.
    std::fprintf(stderr, "kmap: %s\n", error.what());
    return static_cast<int>(ExitCode::internal);
  }
}
