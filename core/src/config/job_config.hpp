#pragma once
// The run config as data: what config/ makes of YAML, and all that plan/ and run/ know of it.

#include "kmap/dtype.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace kmap::config {

// Where something was written: for messages. Lines and columns (in characters) from 1; line 0 for a
// --set option, whose text is then in `file` and whose number (from 1) is the column.
struct Location {
  std::string file;
  int line = 0;
  int column = 0;
  bool operator==(const Location&) const = default;
};
std::string to_string(const Location& location);  // "job.yaml:3:5" or "--set inputs.x.slice=0:10"

// A parameter's value as written; the kernel's declaration decides which type it must have.
using ParamValue = std::variant<bool, std::int64_t, double, std::string>;

struct Param {
  std::string text;        // the scalar, variables replaced
  bool quoted = false;     // "1" is text, 1 is a number
  Location location;       // of the value
  Location name_location;  // of the name before it
};

// Python's start:stop:step of the batch; start and stop may be absent, each may be negative.
struct Slice {
  std::optional<std::int64_t> start;
  std::optional<std::int64_t> stop;
  std::int64_t step = 1;
};

// Parts of an axis, one every `stride` elements.
struct Window {
  std::int64_t size = 0;
  std::int64_t stride = 0;
};

struct InputConfig {
  std::filesystem::path file;  // absolute
  std::string dataset;         // begins with /
  std::optional<Slice> slice;
  std::optional<Window> window;
  bool replicated = false;     // in_axis: null, the whole dataset goes to every example
  int in_axis = 0;             // otherwise; negative from the end
  std::optional<DType> dtype;  // converted to this on reading
  Location location;
  Location name_location;
};

struct OutputConfig {
  std::string path;            // inside the file; default "/" + name
  std::optional<DType> dtype;  // stored as this
  Location location;
  Location name_location;
};

enum class IfExists { error, overwrite };
enum class Staging { automatic, always };

struct JobConfig {
  std::string kernel;
  Location kernel_location;
  std::map<std::string, Param> params;
  std::map<std::string, InputConfig> inputs;
  std::filesystem::path output_file;  // absolute
  Location output_location;
  IfExists if_exists = IfExists::error;
  std::map<std::string, OutputConfig> output_datasets;  // only those that the config names
  std::optional<std::int64_t> memory;                   // bytes that a rank may hold in blocks
  Staging staging = Staging::automatic;
  double progress = 600;    // seconds between two lines of progress, at most
  std::string as_written;   // the file's text
  std::string as_resolved;  // YAML with every default filled in, overrides and variables applied
  std::map<std::string, Location> locations;  // of every value, "inputs.x.slice"; "" is the whole

  // Where the value of `key` is, or of what is around it if the config does not have it.
  Location where(const std::string& key) const;
};

}  // namespace kmap::config
