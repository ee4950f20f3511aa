#pragma once
// Jobs of the kernels in kernels.cpp, and datasets that no file holds.

#include "config/load.hpp"
#include "plan/plan.hpp"

#include "kmap/error.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace kmap::test {

// A dataset as if it were in /data/in.h5.
inline io::DatasetInfo dataset(const std::string& name, DType type, const Shape& shape) {
  io::DatasetInfo info;
  info.file = "/data/in.h5";
  info.dataset = "/" + name;
  info.dtype = type;
  info.stored_type = std::string(kmap::name(type));
  info.shape = shape;
  return info;
}

inline io::DatasetInfo doubles(const std::string& name, const Shape& shape) {
  return dataset(name, DType::f8, shape);
}

// The config of a kernel whose inputs are in /data/in.h5 under their own names. `more`: lines of
// YAML.
inline config::JobConfig job_of(const std::string& kernel, const std::vector<std::string>& inputs,
                                const std::vector<std::string>& options = {}) {
  std::string text = "kernel: " + kernel + "\ninputs:\n";
  for (const std::string& input : inputs) {
    text += "  " + input + ":\n    file: /data/in.h5\n    dataset: /" + input + "\n";
  }
  return config::parse(text + "outputs: /data/out.h5\n", "/data/job.yaml", options);
}

constexpr std::int64_t plenty = std::int64_t{1} << 40;

inline plan::Plan plan_of(const config::JobConfig& job,
                          const std::vector<io::DatasetInfo>& datasets,
                          const plan::Resources& resources = {1, plenty, false}) {
  return plan::make_plan(job, plan::bind_kernel(job), datasets, resources);
}

// That `work` throws a kmap::Error of this code with exactly this text.
template <class Work>
testing::AssertionResult fails_as(ExitCode code, const std::string& text, Work&& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() == code && error.what() == text) return testing::AssertionSuccess();
    return testing::AssertionFailure() << "code " << static_cast<int>(error.code()) << ":\n"
                                       << error.what() << "\ninstead of\n"
                                       << text;
  }
  return testing::AssertionFailure() << "no error instead of\n" << text;
}

}  // namespace kmap::test
