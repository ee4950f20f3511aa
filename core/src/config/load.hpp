#pragma once
// YAML text -> JobConfig.

#include "config/job_config.hpp"
#include "config/mistakes.hpp"

#include "kmap/communicator.hpp"

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace kmap::config {

// What else has to be right, beside the schema: the kernel's part. It sees a config in which what
// is already reported as a mistake is missing or left at its default.
using ExtraCheck = std::function<void(const JobConfig&, Mistakes&)>;

// Reads and validates `file` with `overrides` ("key.path=value") on rank 0 and gives the same
// config to every rank. All mistakes, those of `check` too, are reported at once, in one agreed
// Error of kind bad_config. A missing or unreadable file is an Error of kind no_input. Collective.
//
// Relative paths in the file are relative to its folder; those in overrides to the working folder,
// where they were typed. The value of an override is YAML if it begins with a bracket or a quote,
// otherwise all of it is one scalar. Later overrides win over earlier ones. Environment variables
// and the working folder are those of rank 0.
JobConfig load(const Communicator& comm, const std::filesystem::path& file,
               const std::vector<std::string>& overrides, const ExtraCheck& check = {});

// As load, for one process and from text; `file` names it in messages and gives the folder that
// relative paths start from. Throws ConfigError.
JobConfig parse(const std::string& text, const std::filesystem::path& file,
                const std::vector<std::string>& overrides, const ExtraCheck& check = {});

}  // namespace kmap::config
