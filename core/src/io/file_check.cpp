#include "io/file_check.hpp"

#include "runtime/nearest.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <string_view>
#include <vector>

namespace kmap::io {
namespace fs = std::filesystem;
namespace {

using namespace std::string_view_literals;

struct Signature {
  std::string_view bytes;
  const char* meaning;
};

constexpr std::string_view hdf5_signature = "\x89HDF\r\n\x1a\n"sv;

constexpr std::array<Signature, 23> signatures = {
    {{"CDF\x01"sv, "a netCDF-3 (classic) file; nccopy -k nc4 makes netCDF-4, which is HDF5, of it"},
     {"CDF\x02"sv,
      "a netCDF-3 (64-bit offset) file; nccopy -k nc4 makes netCDF-4, which is HDF5, of it"},
     {"CDF\x05"sv, "a netCDF-3 (CDF-5) file; nccopy -k nc4 makes netCDF-4, which is HDF5, of it"},
     {"version https://git-lfs"sv,
      "a git-lfs pointer: the data itself was not fetched; run git lfs pull"},
     {"/annex/objects/"sv,
      "a git-annex pointer: the data itself was not fetched; run git annex get"},
     {"\x1f\x8b"sv, "a gzip file; unpack it first"},
     {"\x28\xb5\x2f\xfd"sv, "a zstd file; unpack it first"},
     {"BZh"sv, "a bzip2 file; unpack it first"},
     {"\xfd"
      "7zXZ"sv,
      "an xz file; unpack it first"},
     {"\x04\x22\x4d\x18"sv, "an lz4 file; unpack it first"},
     {"PK\x03\x04"sv, "a zip archive (NumPy's .npz is one too)"},
     {"\x93NUMPY"sv, "a NumPy .npy file"},
     {"\x0e\x03\x13\x01"sv, "an HDF4 file"},
     {"SIMPLE  ="sv, "a FITS file"},
     {"MATLAB 5.0"sv, "a MATLAB file of version 5; save it with -v7.3, which is HDF5"},
     {"\x89PNG"sv, "a PNG image"},
     {"\xff\xd8\xff"sv, "a JPEG image"},
     {"<!DOCTYPE html"sv, "a web page (HTML), such as servers send instead of a file"},
     {"<!doctype html"sv, "a web page (HTML), such as servers send instead of a file"},
     {"<html"sv, "a web page (HTML), such as servers send instead of a file"},
     {"GRIB"sv, "a GRIB file"},
     {"%PDF"sv, "a PDF document"},
     {"PAR1"sv, "a Parquet file"}}};

// HDF5's signature stands at 0, or after a user block at 512, 1024, 2048, …
bool has_hdf5_signature(std::ifstream& stream, std::uintmax_t size) {
  std::array<char, hdf5_signature.size()> bytes{};
  for (std::uintmax_t at = 0; at + bytes.size() <= size; at = at == 0 ? 512 : 2 * at) {
    stream.clear();
    stream.seekg(static_cast<std::streamoff>(at));
    if (stream.read(bytes.data(), bytes.size()) &&
        std::string_view(bytes.data(), bytes.size()) == hdf5_signature) {
      return true;
    }
  }
  return false;
}

bool looks_like_text(std::string_view bytes) {
  return std::none_of(bytes.begin(), bytes.end(), [](char c) {
    const auto u = static_cast<unsigned char>(c);
    return (u < 32 && c != '\n' && c != '\r' && c != '\t' && c != '\f') || u == 127;
  });
}

std::string error_text(int code) { return std::strerror(code); }

std::vector<std::string> names_in(const fs::path& folder) {
  constexpr std::size_t most = 10000;
  std::vector<std::string> names;
  std::error_code ignored;  // suggestions are a courtesy
  for (fs::directory_iterator it(folder, ignored), end; it != end && names.size() < most;
       it.increment(ignored)) {
    names.push_back(it->path().filename().string());
    if (ignored) break;
  }
  return names;
}

std::string did_you_mean(const fs::path& file) {
  std::string text;
  for (const std::string& name : detail::nearest_names(
           file.filename().string(), names_in(file.has_parent_path() ? file.parent_path() : "."))) {
    text += (text.empty() ? "did you mean " : " or ") + (file.parent_path() / name).string();
  }
  return text.empty() ? text : text + "?";
}

[[noreturn]] void fail_missing(const fs::path& file) {
  std::error_code ignored;
  if (fs::is_symlink(fs::symlink_status(file, ignored))) {
    throw Error(ExitCode::no_input, file.string() + " is a symbolic link to " +
                                        fs::read_symlink(file, ignored).string() +
                                        ", which does not exist");
  }
  fs::path folder = file.parent_path();
  if (folder.empty() || fs::is_directory(folder, ignored)) {
    throw Error(ExitCode::no_input, "input file " + file.string() + " does not exist",
                did_you_mean(file));
  }
  if (fs::exists(folder, ignored)) {
    throw Error(ExitCode::no_input, "input file " + file.string() + " does not exist: " +
                                        folder.string() + " is a file, not a folder");
  }
  while (folder.has_parent_path() && folder.parent_path() != folder &&
         !fs::exists(folder.parent_path(), ignored)) {
    folder = folder.parent_path();
  }
  throw Error(
      ExitCode::no_input,
      "input file " + file.string() + " does not exist: there is no folder " + folder.string(),
      did_you_mean(folder));
}

// Throws unless `file` is a regular file that may be read.
void check_readable(const fs::path& file) {
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) fail_missing(file);
  if (error) {
    throw Error(ExitCode::no_input,
                "cannot look at input file " + file.string() + ": " + error.message());
  }
  if (fs::is_directory(status)) {
    throw Error(ExitCode::no_input, file.string() + " is a folder, not an HDF5 file");
  }
  if (!fs::is_regular_file(status)) {
    throw Error(ExitCode::no_input, file.string() + " is no regular file");
  }
  if (::faccessat(AT_FDCWD, file.c_str(), R_OK, AT_EACCESS) != 0) {
    throw Error(ExitCode::no_input,
                "cannot read input file " + file.string() + ": " + error_text(errno));
  }
}

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// An HDF5 file that HDF5 refuses.
[[noreturn]] void fail_refused(const fs::path& file) {
  const std::string all = hdf5_full_reason();
  const std::string name = file.string();
  const std::string first = all.substr(0, all.find('\n'));
  if (contains(all, "truncated file")) {
    throw Error(ExitCode::bad_data, name + " is cut short: " + first,
                "copy or write the file again; its writer may not have closed it");
  }
  if (contains(all, "unable to lock file")) {
    throw Error(ExitCode::no_input, name + " is locked: " + first,
                "another program writes it, or the file system has no locks; in the second case "
                "set the environment variable HDF5_USE_FILE_LOCKING=FALSE");
  }
  if (contains(all, "already open for")) {
    throw Error(ExitCode::bad_data,
                name +
                    " is marked as open for writing: its writer still runs, or ended without "
                    "closing it",
                "if no program writes it any more: h5clear -s " + name);
  }
  throw Error(ExitCode::bad_data, name + " is HDF5, but cannot be opened: " + first,
              "the file may be damaged, or made by a newer HDF5");
}

}  // namespace

std::string foreign_content(const fs::path& file) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(file, error);
  std::ifstream stream(file, std::ios::binary);
  if (error || !stream) {
    throw Error(ExitCode::no_input, "cannot read input file " + file.string());
  }
  if (size == 0) return "empty (0 bytes)";
  if (has_hdf5_signature(stream, size)) return {};
  std::array<char, 512> bytes{};
  stream.clear();
  stream.seekg(0);
  stream.read(bytes.data(), bytes.size());
  const std::string_view head(bytes.data(), static_cast<std::size_t>(stream.gcount()));
  for (const Signature& signature : signatures) {
    if (head.starts_with(signature.bytes)) return signature.meaning;
  }
  if (head.substr(std::min<std::size_t>(257, head.size())).starts_with("ustar")) {
    return "a tar archive; unpack it first";
  }
  if (head.find_first_not_of('\0') == head.npos) {
    return "full of zero bytes at its start: its content was lost or never written";
  }
  return looks_like_text(head) ? "text" : "of a kind that kmap does not know";
}

FileHandle open_for_reading(const fs::path& file) {
  check_readable(file);
  const std::string foreign = foreign_content(file);
  if (!foreign.empty()) {
    throw Error(ExitCode::bad_data, file.string() + " is not an HDF5 file: it is " + foreign);
  }
  FileHandle handle(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
  if (!handle) fail_refused(file);
  return handle;
}

}  // namespace kmap::io
