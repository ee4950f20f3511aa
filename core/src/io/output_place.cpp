#include "io/output_place.hpp"

#include "io/raw_file.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <string>

namespace kmap::io {
namespace fs = std::filesystem;

void fail_create(const std::string& message, const std::string& remedy) {
  throw Error(ExitCode::cannot_create, message, remedy);
}

fs::path resolved(const fs::path& file) {
  constexpr int most = 40;  // links in a row, as in the system
  fs::path target = file;
  std::error_code ignored;
  for (int i = 0; i < most && fs::is_symlink(fs::symlink_status(target, ignored)); ++i) {
    target = target.parent_path() / fs::read_symlink(target, ignored);
  }
  return target;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path part_of(const fs::path& file) { return file.string() + ".part"; }

namespace {

void check_folder(const fs::path& file) {
  const fs::path folder = folder_of(file);
  std::error_code error;
  if (!fs::exists(folder, error)) {
    fail_create(
        "output " + file.string() + " cannot be made: there is no folder " + folder.string(),
        "make it first: mkdir -p " + folder.string());
  }
  if (!fs::is_directory(folder, error)) {
    fail_create("output " + file.string() + " cannot be made: " + folder.string() +
                " is not a folder");
  }
  if (::faccessat(AT_FDCWD, folder.c_str(), W_OK | X_OK, AT_EACCESS) != 0) {
    fail_create("output " + file.string() + " cannot be made in the folder " + folder.string() +
                ": " + std::strerror(errno));
  }
}

void check_name(const fs::path& file, IfExists if_exists) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!file.has_filename() || fs::is_directory(status)) {
    fail_create("output " + file.string() + " is a folder; the name of a file is needed");
  }
  if (!fs::exists(status)) return;
  if (!fs::is_regular_file(status)) {
    fail_create("output " + file.string() + " exists and is no regular file");
  }
  if (if_exists == IfExists::error) {
    fail_create("output " + file.string() + " exists already",
                "choose another name, or allow it to be replaced (if_exists: overwrite)");
  }
}

void check_leftover(const fs::path& file) {
  const fs::path part = part_of(file);
  std::error_code error;
  const fs::file_status status = fs::status(part, error);
  if (error == std::errc::filename_too_long) {
    fail_create("output " + file.string() + " cannot be made: its name is too long",
                "kmap needs five characters more, for .part, until the output is complete");
  }
  if (fs::is_directory(status)) {
    fail_create("output " + file.string() + " cannot be made: " + part.string() + " is a folder");
  }
  if (fs::is_regular_file(status) && !RawFile(part).lock()) {
    fail_create("output " + file.string() + " is being made by another run: " + part.string() +
                    " is locked",
                "wait for that run, or choose another name");
  }
}

void remove_leftover(const fs::path& file) {
  const fs::path part = part_of(file);
  std::error_code error;
  fs::remove(part, error);
  if (error) {
    fail_create("cannot remove " + part.string() + ", left by another run: " + error.message());
  }
}

// "1.5 MiB"
std::string size_text(std::int64_t bytes) {
  constexpr const char* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  if (bytes < 1024) return fmt::format("{} bytes", bytes);
  double value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return fmt::format("{:.1f} {}", value, units[unit]);
}

}  // namespace

void probe_output_place(const fs::path& file, IfExists if_exists) {
  const fs::path target = resolved(file);
  check_name(target, if_exists);
  check_folder(target);
  check_leftover(target);
}

void check_output_place(const fs::path& file, IfExists if_exists) {
  probe_output_place(file, if_exists);
  remove_leftover(resolved(file));
}

OutputState look_at_output(const fs::path& file) {
  const fs::path target = resolved(file);
  std::error_code error;
  OutputState state;
  state.exists = fs::exists(target, error);
  if (fs::is_regular_file(target, error)) {
    state.bytes = static_cast<std::int64_t>(fs::file_size(target, error));
  }
  state.has_leftover = fs::exists(part_of(target), error);
  struct statvfs disk{};
  if (::statvfs(folder_of(target).c_str(), &disk) == 0) {
    const double free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
    state.free_bytes = static_cast<std::int64_t>(std::min(free, 9.2e18));
  }
  return state;
}

void check_free_space(const fs::path& file, std::int64_t bytes_needed) {
  const std::int64_t free_bytes = look_at_output(file).free_bytes;
  if (free_bytes < 0 || bytes_needed <= free_bytes) return;
  fail_create(fmt::format("output {} needs {}, but only {} are free on its disk", file.string(),
                          size_text(bytes_needed), size_text(free_bytes)),
              "make room there, or write to another disk");
}

}  // namespace kmap::io
