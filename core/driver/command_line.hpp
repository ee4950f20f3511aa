#pragma once
// The words of the command line.

#include <string>
#include <vector>

namespace kmap::driver {

struct CommandLine {
  // "run", "validate", "list", "describe", "doctor", "version"; empty if there is nothing to do
  std::string command;
  std::string job;     // run, validate
  std::string kernel;  // describe
  std::vector<std::string> overrides;
  bool dry_run = false;
  bool quiet = false;
  std::string report;  // the file for the report of the run, or empty
  bool overwrite = false;
  bool allow_device_sharing = false;
  bool json = false;      // list, describe, doctor
  std::string message;    // help or what is wrong with the words
  bool is_error = false;  // of `message`
};

// Never prints and never ends the program: only rank 0 may print, and ranks are not known yet.
CommandLine parse_command_line(int argc, const char* const* argv);

}  // namespace kmap::driver
