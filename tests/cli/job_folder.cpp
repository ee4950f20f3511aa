#include "cli/job_folder.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

namespace kmap::test {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::string without_warnings(const std::string& text) {
  std::string kept;
  bool in_warning = false;
  for (const std::string& line : lines_of(text)) {
    const bool begins = line.starts_with("kmap: warning:");
    in_warning = begins || (in_warning && line.starts_with("  "));
    if (!in_warning) kept += line + "\n";
  }
  return kept;
}

std::string own_words(const CommandResult& result) {
  const std::string text = without_warnings(result.err);
  const std::size_t begin = text.find("kmap: ");
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find("\n---", begin);
  return text.substr(begin, end == std::string::npos ? end : end + 1 - begin);
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

void JobFolder::write(const std::string& name, const std::string& text) const {
  std::ofstream(path(name)) << text;
}

void JobFolder::make_square_job() const {
  fs::copy_file(source_dir() / "inputs" / "tutorial.h5", path("in.h5"));
  write("job.yaml", "kernel: square\ninputs: {x: in.h5:/x}\noutputs: out.h5\n");
}

std::vector<std::string> JobFolder::files() const {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(path())) {
    names.push_back(entry.path().filename().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

testing::AssertionResult fails_saying(const CommandResult& result, int code, const Words& parts) {
  const auto wrong = [&](const std::string& what) {
    return testing::AssertionFailure() << what << result;
  };
  if (result.timed_out) return wrong("it hangs");
  if (result.exit_code != code) return wrong("not code " + std::to_string(code));
  const std::string text = without_warnings(result.err);
  const std::size_t first = text.find("kmap: ");
  if (first == std::string::npos) return wrong("no message");
  if (text.find("kmap: ", first + 1) != std::string::npos) return wrong("several messages");
  const std::string said = own_words(result);
  for (const std::string& part : parts) {
    if (said.find(part) == std::string::npos) return wrong("\"" + part + "\" is missing");
  }
  return testing::AssertionSuccess();
}

}  // namespace kmap::test
