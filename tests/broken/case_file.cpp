#include "case_file.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

namespace kmap::test {

namespace fs = std::filesystem;

namespace {

const std::string wildcard = "{...}";

// The first word of a line, which it loses.
std::string take_word(std::string& line) {
  const std::size_t end = std::min(line.find(' '), line.size());
  std::string word = line.substr(0, end);
  line.erase(0, end + 1);
  return word;
}

std::vector<std::string> words_of(const std::string& line) {
  std::istringstream stream(line);
  return {std::istream_iterator<std::string>(stream), {}};
}

void take_header(Case& read, std::string line) {
  const std::string whole = line;
  const std::string word = take_word(line);
  if (word == "exit") {
    read.exit_code = std::stoi(line);
  } else if (word == "command") {
    read.command = line;
  } else if (word == "set") {
    read.options.insert(read.options.end(), {"--set", line});
  } else if (word == "env") {
    const std::size_t equals = line.find('=');
    read.environment[line.substr(0, equals)] = line.substr(equals + 1);
  } else if (word == "unset") {
    read.unset.push_back(line);
  } else if (word == "plugin") {
    read.plugin = true;
  } else if (word == "user") {
    read.as_nobody = true;
  } else if (word == "disk") {
    read.disk = words_of(line);
  } else if (word == "folder" || word == "copy" || word == "symlink" || word == "hardlink" ||
             word == "mode") {
    read.steps.push_back(words_of(whole));
  } else {
    throw std::runtime_error(read.name + ".txt: no header is \"" + whole + "\"");
  }
}

bool line_matches(const std::string& expected, const std::string& line) {
  std::size_t from = 0;
  std::size_t at = 0;
  for (bool is_first = true;; is_first = false) {
    const std::size_t next = expected.find(wildcard, from);
    const std::string piece = expected.substr(from, next - from);
    const bool is_last = next == std::string::npos;
    if (is_first && line.compare(0, piece.size(), piece) != 0) return false;
    if (is_last && is_first) return line.size() == piece.size();
    if (is_last) return line.size() >= at + piece.size() && line.ends_with(piece);
    const std::size_t found = line.find(piece, at);
    if (found == std::string::npos) return false;
    at = found + piece.size();
    from = next + wildcard.size();
  }
}

}  // namespace

Case read_case(const fs::path& text_file) {
  std::ifstream stream(text_file, std::ios::binary);
  Case read;
  read.name = text_file.stem().string();
  read.folder = text_file.parent_path();
  for (std::string line; std::getline(stream, line) && !line.empty();) take_header(read, line);
  read.text = {std::istreambuf_iterator<char>(stream), {}};
  if (read.exit_code < 0) throw std::runtime_error(text_file.string() + " has no exit code");
  return read;
}

std::vector<Case> cases_in(const fs::path& folder) {
  std::vector<Case> cases;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".txt") cases.push_back(read_case(entry.path()));
  }
  std::sort(cases.begin(), cases.end(),
            [](const Case& a, const Case& b) { return a.name < b.name; });
  return cases;
}

bool matches(const std::string& expected, const std::string& text) {
  std::istringstream expected_lines(expected);
  std::istringstream lines(text);
  for (std::string wanted, line;;) {
    const bool has_wanted = static_cast<bool>(std::getline(expected_lines, wanted));
    const bool has_line = static_cast<bool>(std::getline(lines, line));
    if (!has_wanted || !has_line) return has_wanted == has_line;
    if (!line_matches(wanted, line)) return false;
  }
}

std::string replace_all(std::string text, const std::string& what, const std::string& by) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += by.size()) {
    text.replace(at, what.size(), by);
  }
  return text;
}

}  // namespace kmap::test
