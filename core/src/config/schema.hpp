#pragma once
// The keys of a run config, declared once: validation, defaults and the resolved config follow it.

#include <cstdint>
#include <span>
#include <string_view>

namespace kmap::config {

enum class Kind : std::uint8_t {
  map,      // of the keys declared in `keys`
  named,    // a map of names that the user or the kernel chooses, each to a value like `each`
  list,     // of values like `each`, in order
  text,     // not a number, true or false unless quoted
  scalar,   // of a type that the kernel declares
  file,     // a path in the file system
  dataset,  // a path inside an HDF5 file
  choice,   // one of `choices`
  axis,     // an integer, negative ones from the end, or null
  slice,    // START:STOP or START:STOP:STEP
  count,    // an integer of at least 1
  integer,  // of 64 bits
  size,     // bytes, with a unit
  duration  // seconds, with a unit or as HH:MM:SS
};

// A scalar may stand in the place of a map.
enum class ShortForm : std::uint8_t {
  none,
  first_key,        // it is the value of the first key
  file_and_dataset  // FILE:/DATASET, the values of the first two keys
};

struct Key {
  std::string_view name;
  Kind kind;
  bool required = false;
  std::string_view default_value = {};  // as in YAML; "NAME" stands for the name of the map around
  std::string_view unit = {};
  std::string_view example = {};  // of a value, for messages and documents
  std::string_view doc = {};      // one sentence
  std::span<const std::string_view> choices = {};
  std::span<const Key> keys = {};  // if a map
  const Key* each = nullptr;       // if named or a list
  ShortForm short_form = ShortForm::none;
};

// The whole run config: a map.
const Key& schema();

// The key of that name in a map or named map, or of an item of a list, or nullptr.
const Key* find_key(const Key& map, std::string_view name);

}  // namespace kmap::config
