#pragma once
// Checks a tree against the schema and completes it.

#include "config/mistakes.hpp"
#include "config/node.hpp"

#include <filesystem>

namespace kmap::config {

// Where relative paths start. Paths with .. at their front leave the config's folder as the file
// system does, also if the folder was reached by a link.
struct Folders {
  std::filesystem::path config;       // of the config file, absolute
  std::filesystem::path config_real;  // the same without links
  std::filesystem::path working;      // for paths in --set options
};

// Afterwards, unless there are mistakes: only known keys, in the order of the schema, short forms
// expanded, defaults filled in, each scalar of its type, paths absolute.
void complete(Node& root, const Folders& folders, Mistakes& mistakes);

}  // namespace kmap::config
