#pragma once
// Goldens as groups of an HDF5 file, read by plain HDF5 calls: attributes that are texts, arguments
// x0, x1, … and results y0, … .

#include "conformance/case.hpp"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace kmap::test {

struct GoldenGroup {
  std::string id;
  std::map<std::string, std::string> texts;  // attributes, but those that name types
  std::vector<CaseArray> x;
  std::vector<CaseArray> y;
};

// All groups of the file, by name. Throws std::runtime_error if the file or an array of it is not
// as its attributes x_types and y_types say.
std::vector<GoldenGroup> read_groups(const std::filesystem::path& file);

// Its parts, without empty ones.
std::vector<std::string> split_text(const std::string& text, char separator);

// "1,2,3"
std::vector<std::int64_t> numbers_of(const std::string& text);

}  // namespace kmap::test
