#pragma once
// The report of a run for programs: docs/report.md describes it.

#include "config/job_config.hpp"
#include "plan/plan.hpp"
#include "report/provenance.hpp"
#include "report/record.hpp"

#include "kmap/error.hpp"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kmap::report {

// What is known so far: a run that fails early has no plan, and one that fails later no record.
struct ReportContent {
  std::string job_file;
  const config::JobConfig* job = nullptr;
  const plan::Plan* plan = nullptr;
  const Provenance* provenance = nullptr;
  const RunRecord* record = nullptr;
  std::vector<std::string> warnings;
  std::optional<detail::Failure> failure;
};

std::string json_report(const ReportContent& content);

// Checks, before any work, that the report can be written there. Throws Error(cannot_create).
void check_report_place(const std::filesystem::path& file);

// Writes beside the name and renames, so that a reader never meets half of it. Replaces what is
// there. Throws Error(io_error).
void write_report(const std::filesystem::path& file, const std::string& text);

}  // namespace kmap::report
