#pragma once
// Mistakes in a run config, gathered so that all are shown at once.

#include "config/job_config.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace kmap::config {

struct Mistake {
  Location where;
  std::string key;       // "inputs.x.slice"; empty if it is the whole text
  std::string wrong;     // "unknown key"
  std::string expected;  // "one of file, dataset"; may be empty
  std::string nearest;   // the known name that may have been meant, or empty
};

// "job.yaml:3:5: inputs.x.slize: unknown key; expected one of file, dataset; did you mean slice?"
std::string to_string(const Mistake& mistake);

class Mistakes {
 public:
  // Of several mistakes at one place of one key the first is kept: it is the cause.
  void add(Mistake mistake);
  // Whether one of them is of this very key.
  bool concern(const std::string& key) const;
  // What mistakes of this key say was expected, by those who know better than who found them.
  void expect(const std::string& key, const std::string& expected);
  bool empty() const noexcept { return mistakes_.empty(); }
  // Throws one ConfigError with a line for each mistake, in order of their places.
  void throw_if_any() const;

 private:
  std::vector<Mistake> mistakes_;
  std::size_t not_kept_ = 0;
};

}  // namespace kmap::config
