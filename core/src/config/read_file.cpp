#include "config/read_file.hpp"

#include "config/yaml.hpp"
#include "runtime/nearest.hpp"

#include "kmap/error.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>
#include <vector>

namespace kmap::config {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& file, const std::string& wrong, const std::string& remedy) {
  throw Error(ExitCode::no_input, file.string() + ": " + wrong, remedy);
}

std::vector<std::string> names_in(const fs::path& folder) {
  constexpr std::size_t enough = 10'000;
  std::vector<std::string> names;
  std::error_code error;
  const fs::path where = folder.empty() ? fs::path(".") : folder;
  for (fs::directory_iterator entry(where, error), end; !error && entry != end;
       entry.increment(error)) {
    names.push_back(entry->path().filename().string());
    if (names.size() == enough) break;
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_config_name(const std::string& name) {
  return name.ends_with(".yaml") || name.ends_with(".yml");
}

// "did you mean …?", from the names in the folder, otherwise a few run configs that are there.
std::string suggestion(const fs::path& folder, const std::string& name) {
  std::vector<std::string> names = names_in(folder);
  std::vector<std::string> near = detail::nearest_names(name, names);
  std::stable_partition(near.begin(), near.end(), is_config_name);
  const bool is_near = !near.empty();
  if (!is_near) {
    std::copy_if(names.begin(), names.end(), std::back_inserter(near), is_config_name);
    near.resize(std::min<std::size_t>(near.size(), 3));
  }
  std::string text;
  for (const std::string& one : near) {
    if (text.empty()) {
      text = is_near ? "did you mean " : "run configs there: ";
    } else {
      text += is_near ? " or " : ", ";
    }
    text += (folder / one).string();
  }
  return is_near ? text + "?" : text;
}

void require_file(const fs::path& file) {
  if (file.empty()) throw Error(ExitCode::no_input, "the run config has an empty name");
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (fs::is_directory(status)) fail(file, "a folder, not a run config", suggestion(file, ""));
  if (status.type() != fs::file_type::not_found) {
    if (error) fail(file, error.message(), "");
    return;
  }
  if (fs::is_symlink(fs::symlink_status(file, error))) {
    const std::string target = fs::read_symlink(file, error).string();
    fail(file, "a symbolic link to " + target + ", which does not exist", "");
  }
  const fs::path folder = file.parent_path();
  if (!folder.empty() && !fs::is_directory(folder, error)) {
    fail(file, "no such file, as there is no folder " + folder.string(), "");
  }
  fail(file, "no such file", suggestion(file.parent_path(), file.filename().string()));
}

}  // namespace

std::string read_file(const fs::path& file) {
  require_file(file);
  std::ifstream stream(file, std::ios::binary);
  if (!stream) fail(file, std::strerror(errno), "");
  std::string bytes(max_config_bytes + 1, '\0');
  stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (stream.bad()) fail(file, "cannot be read", "");
  bytes.resize(static_cast<std::size_t>(stream.gcount()));
  return bytes;
}

}  // namespace kmap::config
