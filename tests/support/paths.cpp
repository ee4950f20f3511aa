#include "support/paths.hpp"

namespace kmap::test {

std::filesystem::path kmap_command() { return KMAP_TEST_COMMAND; }

std::filesystem::path source_dir() { return KMAP_TEST_SOURCE_DIR; }

std::filesystem::path shared_data() {
  const std::filesystem::path folder = source_dir().parent_path() / "shared" / "data";
  return std::filesystem::is_directory(folder) ? folder : std::filesystem::path();
}

std::vector<std::string> kmap_words(const std::vector<std::string>& arguments) {
  std::vector<std::string> words{kmap_command().string()};
  words.insert(words.end(), arguments.begin(), arguments.end());
  return words;
}

std::vector<std::string> kmap_words(int ranks, const std::vector<std::string>& arguments) {
  std::vector<std::string> words{KMAP_TEST_MPIEXEC, KMAP_TEST_NUMPROC_FLAG, std::to_string(ranks)};
  const std::vector<std::string> command = kmap_words(arguments);
  words.insert(words.end(), command.begin(), command.end());
  return words;
}

}  // namespace kmap::test
