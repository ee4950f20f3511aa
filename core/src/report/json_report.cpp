#include "report/json_report.hpp"

#include "report/kernel_json.hpp"

#include "kmap/communicator.hpp"

#include <nlohmann/json.hpp>

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <optional>

namespace kmap::report {

namespace {

namespace fs = std::filesystem;
// Keys stay in the order in which people want to read them.
using Json = nlohmann::ordered_json;

// Of the layout; raised when a key changes its place or meaning, not when one is added.
constexpr int report_version = 1;

Json json_of(const std::vector<Fact>& facts) {
  Json object = Json::object();
  for (const auto& [name, value] : facts) {
    std::visit([&, &key = name](const auto& v) { object[key] = v; }, value);
  }
  return object;
}

Json json_of(const Provenance& provenance) {
  Json object = json_of(provenance.run);
  object["params"] = json_of(provenance.params);
  object["inputs"] = Json::object();
  for (const auto& [name, facts] : provenance.inputs) object["inputs"][name] = json_of(facts);
  return object;
}

Json json_of(const plan::InputPlan& input) {
  const io::DatasetInfo& dataset = input.dataset;
  Json object = {{"name", input.name},
                 {"file", dataset.file},
                 {"dataset", dataset.dataset},
                 {"shape", dataset.shape},
                 {"stored_type", dataset.stored_type},
                 {"chunk", dataset.chunk},
                 {"filters", dataset.filters},
                 {"type", name(input.type)},
                 {"example_shape", input.core},
                 {"bytes", input.whole_bytes}};
  if (input.replicated) {
    object["axis"] = nullptr;
  } else {
    object["axis"] = input.rows.axis;
    object["rows"] = {
        {"first", input.rows.first}, {"step", input.rows.step}, {"length", input.rows.length}};
  }
  return object;
}

Json json_of(const plan::OutputPlan& output) {
  const std::optional<std::size_t> axis = output.row_axis();
  return {{"name", output.name},          {"dataset", output.path},
          {"shape", output.shape},        {"axis", axis ? Json(*axis) : Json(nullptr)},
          {"type", name(output.type)},    {"stored_type", name(output.stored)},
          {"example_shape", output.core}, {"bytes", output.whole_bytes}};
}

Json json_of(const plan::CoordinatePlan& coordinate) {
  return {{"name", coordinate.name},   {"dataset", coordinate.path},
          {"shape", coordinate.shape}, {"dimension", coordinate.dim},
          {"unit", coordinate.unit},   {"stored_type", name(coordinate.stored)},
          {"bytes", coordinate.bytes}};
}

Json json_of(const plan::Plan& plan) {
  Json object = {
      {"kernel", plan.kernel.info->name},
      {"rows", plan.rows},
      {"examples_per_row", plan.loops},
      {"examples", plan.examples()},
      {"ranks", plan.resources.ranks},
      {"rows_per_rank", {plan.shard(plan.resources.ranks - 1).size(), plan.shard(0).size()}},
      {"blocks_per_rank", plan.steps},
      {"rows_per_block", plan.block_rows},
      {"memory_per_rank", plan.memory_needed()},
      {"memory_allowed", plan.resources.memory},
      {"staged", plan.resources.staged}};
  object["axes"] = Json::array();
  for (std::size_t l = 0; l < plan.level_names.size(); ++l) {
    object["axes"].push_back(
        {{"name", plan.level_names[l]}, {"length", plan.level_length(static_cast<int>(l))}});
  }
  if (plan.kernel.info->takes_key) object["seed"] = plan.seed;
  object["inputs"] = Json::array();
  for (const plan::InputPlan& input : plan.inputs) object["inputs"].push_back(json_of(input));
  object["outputs"] = Json::array();
  for (const plan::OutputPlan& output : plan.outputs) object["outputs"].push_back(json_of(output));
  object["coordinates"] = Json::array();
  for (const plan::CoordinatePlan& coordinate : plan.coordinates) {
    object["coordinates"].push_back(json_of(coordinate));
  }
  return object;
}

Json json_of(const Spread& spread) {
  return {{"min", spread.least}, {"mean", spread.mean}, {"max", spread.most}};
}

Json json_of(const RankRecord& rank, int number) {
  return {{"rank", number},
          {"host", rank.host},
          {"threads", rank.threads},
          {"device", rank.device},
          {"rows", rank.rows},
          {"read_seconds", rank.times.read},
          {"map_seconds", rank.times.map},
          {"write_seconds", rank.times.write},
          {"wait_seconds", rank.times.wait},
          {"peak_memory_bytes", rank.peak_memory}};
}

Json json_of(const RunRecord& record, const plan::Plan& plan) {
  const double seconds = record.seconds > 0 ? record.seconds : 1e-9;
  const std::int64_t in = bytes_read(plan);
  const std::int64_t out = bytes_written(plan);
  Json object = {{"examples", plan.examples()},
                 {"bytes_read", in},
                 {"bytes_written", out},
                 {"seconds", record.seconds},
                 {"examples_per_second", static_cast<double>(plan.examples()) / seconds},
                 {"bytes_per_second", static_cast<double>(in + out) / seconds}};
  object["stages"] = {{"read_seconds", json_of(record.spread(&run::RankTimes::read))},
                      {"map_seconds", json_of(record.spread(&run::RankTimes::map))},
                      {"write_seconds", json_of(record.spread(&run::RankTimes::write))},
                      {"wait_seconds", json_of(record.spread(&run::RankTimes::wait))},
                      {"peak_memory_bytes", json_of(record.peak_memory())}};
  const int slow = slow_rank(record);
  object["slow_rank"] = slow < 0 ? Json(nullptr) : Json(slow);
  object["ranks"] = Json::array();
  int number = 0;
  for (const RankRecord& rank : record.ranks) object["ranks"].push_back(json_of(rank, number++));
  return object;
}

void put_job(Json& object, const ReportContent& content) {
  object["config"] = {{"file", content.job_file}};
  if (content.job == nullptr) return;
  object["config"]["resolved"] = content.job->as_resolved;
  object["output"] = content.job->output_file.string();
}

[[noreturn]] void fail(const fs::path& file, ExitCode code, const std::string& why) {
  throw Error(code, "the report " + file.string() + " cannot be written: " + why,
              "name another file behind --report");
}

}  // namespace

std::string json_report(const ReportContent& content) {
  Json object = {{"format", "kmap-report"}, {"version", report_version}};
  object["status"] = content.failure ? "failed" : content.record != nullptr ? "done" : "planned";
  if (content.failure) {
    object["error"] = {{"exit_code", static_cast<int>(content.failure->code)},
                       {"message", content.failure->message}};
  }
  put_job(object, content);
  object["warnings"] = content.warnings;
  if (content.plan != nullptr) object["plan"] = json_of(*content.plan);
  if (content.record != nullptr) object["result"] = json_of(*content.record, *content.plan);
  if (content.provenance != nullptr) object["provenance"] = json_of(*content.provenance);
  object["written"] = utc_now();
  return json_text(object);
}

void check_report_place(const fs::path& file) {
  std::error_code error;
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    fail(file, ExitCode::cannot_create, "there is no folder " + folder.string());
  }
  if (fs::exists(file, error) && !fs::is_regular_file(file, error)) {
    fail(file, ExitCode::cannot_create, "it is no regular file");
  }
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    fail(file, ExitCode::cannot_create, std::strerror(errno));
  }
}

void write_report(const fs::path& file, const std::string& text) {
  const fs::path part = file.string() + ".part";
  std::ofstream stream(part, std::ios::binary);
  stream << text;
  stream.close();
  std::error_code error;
  if (!stream) {
    const std::string why = std::strerror(errno);
    fs::remove(part, error);
    fail(file, ExitCode::io_error, why);
  }
  fs::rename(part, file, error);
  if (error) fail(file, ExitCode::io_error, error.message());
}

}  // namespace kmap::report
