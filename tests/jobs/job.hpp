#pragma once
// Whole jobs by the kmap command, run in many ways that must not change a bit of their output.

#include "apps/arrays.hpp"
#include "support/command.hpp"
#include "support/temporary_folder.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace kmap::test {

struct JobInput {
  std::string name;
  Array array;
  std::string options;      // further keys of the input: "in_axis: null"
  bool replicated = false;  // whether the options say so
};

// How a job is run.
struct Way {
  int ranks = 1;
  int threads = 1;
  std::int64_t block_rows = 0;  // run.memory has room for so many rows; 0: run.memory is not given
  bool staged = false;
  Layout layout = Layout::plain;
};
std::ostream& operator<<(std::ostream& stream, const Way& way);

// What a file holds outside /kmap: by path, a text with the kind of object, type, shape, layout and
// attributes, followed by the values' bytes.
std::map<std::string, std::string> contents(const std::filesystem::path& file);

// A job with a folder of its own.
class Job {
 public:
  // `once`: outputs without an axis of the batch. `keys`: further ones of the config, "seed: 5".
  Job(std::string kernel, std::vector<JobInput> inputs, std::string params = "{}",
      std::set<std::string> once = {}, std::string keys = "");

  // Bytes by which run.memory is larger, for the operands and results of collectives; then it does
  // not say how long blocks are, and map.batch_size does.
  void keep_for_collectives(std::int64_t bytes) { kept_ = bytes; }

  // Fails the current test if this run fails or if its output is not that of one rank with one
  // thread and one block, which is run the first time.
  void expect_same(const Way& way);

  // From the output of the last run.
  Array read(const std::string& dataset) const { return read_array(output(), dataset); }

 private:
  CommandResult run(const Way& way);
  std::filesystem::path output() const { return folder_.path() / "out.h5"; }
  std::filesystem::path input_file(Layout layout);
  std::filesystem::path config() const { return folder_.path() / "job.yaml"; }
  void write_config(Layout layout, const std::string& run);
  std::int64_t memory_for(const Way& way);
  std::int64_t chunk_memory(std::int64_t one_row);
  void learn_from_reference();

  TemporaryFolder folder_;
  std::string kernel_;
  std::vector<JobInput> inputs_;
  std::string params_;
  std::set<std::string> once_;
  std::string keys_;
  std::map<std::string, std::string> reference_;
  std::int64_t output_row_bytes_ = 0;
  std::int64_t rows_ = 0;
  std::int64_t kept_ = 0;
  std::optional<std::int64_t> chunk_memory_;
};

// Ways in which every value of every property of a Way meets every value of every other: 1 to 4
// ranks, 1 and 2 threads, blocks of one row, of `few` and of all rows, unstaged and staged, three
// layouts.
std::vector<Way> all_pairs(std::int64_t few);

// A handful of ways that differ in everything, for jobs that differ from others in little.
std::vector<Way> some_ways(std::int64_t few);

}  // namespace kmap::test
