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

// An axis that is mapped, negative from the end; or none, null in the config.
struct MappedAxis {
  bool mapped = true;
  int axis = 0;
};

// A vmap inside the map over the distributed axis.
struct VmapConfig {
  std::string axis_name;                      // may be empty
  std::optional<std::int64_t> axis_size;      // where no input has the axis
  std::map<std::string, MappedAxis> in_axes;  // axis 0 of inputs that are not named
  std::map<std::string, MappedAxis> out_axes;
};

struct MapConfig {
  std::string axis_name;                   // of the distributed axis
  std::optional<std::int64_t> axis_size;   // where no input has the axis
  std::optional<std::int64_t> batch_size;  // of a block, at most
  std::vector<VmapConfig> vmap;            // outermost first
};

struct InputConfig {
  std::filesystem::path file;  // absolute
  std::string dataset;         // begins with /
  std::optional<Slice> slice;
  std::optional<Window> window;
  MappedAxis in_axis;          // not mapped: the whole dataset goes to every example
  std::optional<DType> dtype;  // converted to this on reading
  Location location;
  Location name_location;
};

struct OutputConfig {
  std::string path;                    // inside the file; default "/" + name
  std::optional<MappedAxis> out_axis;  // without: as the kernel says
  std::optional<DType> dtype;          // stored as this
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
  MapConfig map;
  std::optional<std::int64_t> seed;
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
