#include "conformance/goldens_file.hpp"

#include "conformance/golden_groups.hpp"

#include <stdexcept>

namespace kmap::test {

namespace {

std::vector<std::optional<int>> axes_of(const std::string& text) {
  std::vector<std::optional<int>> axes;
  for (const std::string& part : split_text(text, ',')) {
    axes.push_back(part == "none" ? std::nullopt : std::optional<int>(std::stoi(part)));
  }
  return axes;
}

// "pmap i in=0,none out=0 size=3; vmap j in=1,0 out=-1"
void read_levels(const std::string& text, Case& c) {
  std::vector<std::string> names;
  for (const std::string& one : split_text(text, ';')) {
    const auto words = split_text(one, ' ');
    MapLevel level;
    level.pmap = words.at(0) == "pmap";
    names.push_back(words.at(1));
    for (const std::string& word : words) {
      if (word.starts_with("in=")) level.in = axes_of(word.substr(3));
      if (word.starts_with("out=")) level.out = axes_of(word.substr(4));
      if (word.starts_with("size=")) level.size = std::stol(word.substr(5));
    }
    c.levels.push_back(level);
  }
  c.shadowed = names == std::vector<std::string>{"i", "i"};
}

void read_argument(const std::string& key, const std::string& value, Case& c) {
  if (key == "axis") {
    c.axis = std::stoi(value);
  } else if (key == "split") {
    c.split = std::stoi(value);
  } else if (key == "concat") {
    c.concat = std::stoi(value);
  } else if (key == "tiled") {
    c.tiled = value == "1";
  } else if (key == "source") {
    c.source = std::stol(value);
  } else if (key == "permutation") {
    c.permutation = numbers_of(value);
  } else if (key == "groups") {
    c.groups.emplace();
    for (const std::string& group : split_text(value, '/')) c.groups->push_back(numbers_of(group));
  } else if (key == "pairs") {
    for (const std::string& pair : split_text(value, '/')) {
      const auto ends = numbers_of(pair);
      c.pairs.emplace_back(ends.at(0), ends.at(1));
    }
  } else {
    throw std::runtime_error(c.id + ": unknown argument " + key);
  }
}

Case read_case(const GoldenGroup& group) {
  Case c;
  c.id = group.id;
  for (const auto& [key, text] : group.texts) {
    if (key == "kind") {
      c.kind = text;
    } else if (key == "op") {
      c.op = text;
    } else if (key == "levels") {
      read_levels(text, c);
    } else if (key == "names") {
      c.names = split_text(text, ',');
    } else if (key == "tolerance") {
      c.tolerance = std::stod(text);
    } else if (key == "arguments") {
      for (const std::string& word : split_text(text, ' ')) {
        const auto equals = word.find('=');
        read_argument(word.substr(0, equals), word.substr(equals + 1), c);
      }
    } else {
      throw std::runtime_error(c.id + ": unknown attribute " + key);
    }
  }
  c.x = group.x;
  c.y = group.y;
  if (c.x.empty() || c.y.empty() || c.levels.empty()) {
    throw std::runtime_error(c.id + ": arrays or levels are missing");
  }
  return c;
}

}  // namespace

std::vector<Case> read_cases(const std::filesystem::path& file) {
  std::vector<Case> cases;
  for (const GoldenGroup& group : read_groups(file)) cases.push_back(read_case(group));
  return cases;
}

}  // namespace kmap::test
