#pragma once
// Where an output stands, and whether it can be made there.

#include "io/output.hpp"

#include <cstdint>
#include <filesystem>
#include <string>

namespace kmap::io {

// Throws Error(cannot_create).
[[noreturn]] void fail_create(const std::string& message, const std::string& remedy = {});

// The file that a name stands for: the target of a symbolic link, so that the link stays.
std::filesystem::path resolved(const std::filesystem::path& file);

std::filesystem::path folder_of(const std::filesystem::path& file);

// NAME.part, which has the content until it is complete.
std::filesystem::path part_of(const std::filesystem::path& file);

// As probe_output, on this rank alone.
void probe_output_place(const std::filesystem::path& file, IfExists if_exists);

// As check_output, on this rank alone.
void check_output_place(const std::filesystem::path& file, IfExists if_exists);

// Throws Error(cannot_create) if the disk has less room than that. It may lie (quotas,
// compression), so this catches only what is hopeless from the start.
void check_free_space(const std::filesystem::path& file, std::int64_t bytes_needed);

}  // namespace kmap::io
