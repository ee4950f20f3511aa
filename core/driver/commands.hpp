#pragma once
// The subcommands. Each is collective over the runtime's ranks, prints on rank 0 alone, and throws
// errors that all ranks agree on.

#include "command_line.hpp"

#include "kmap/error.hpp"
#include "kmap/runtime.hpp"

namespace kmap::driver {

ExitCode run(const Runtime& runtime, const CommandLine& line);
ExitCode validate(const Runtime& runtime, const CommandLine& line);
ExitCode list(const Runtime& runtime);
ExitCode describe(const Runtime& runtime, const CommandLine& line);

}  // namespace kmap::driver
