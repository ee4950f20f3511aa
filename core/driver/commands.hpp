#pragma once
// The subcommands. Each is collective over the runtime's ranks, prints on rank 0 alone, and throws
// errors that all ranks agree on.

#include "command_line.hpp"
#include "runtime/launcher.hpp"

#include "kmap/error.hpp"
#include "kmap/runtime.hpp"

#include <optional>

namespace kmap::driver {

ExitCode run(const Runtime& runtime, const CommandLine& line);
ExitCode validate(const Runtime& runtime, const CommandLine& line);
ExitCode list(const Runtime& runtime, const CommandLine& line);
ExitCode describe(const Runtime& runtime, const CommandLine& line);
// Loads the plug-ins itself, since it goes on where one cannot be loaded. `launch` is what the
// environment said before MPI started.
ExitCode doctor(const Runtime& runtime, const CommandLine& line,
                const std::optional<detail::Launch>& launch);

}  // namespace kmap::driver
