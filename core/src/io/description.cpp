#include "io/description.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <utility>

namespace kmap::io {
namespace {

[[noreturn]] void fail(const std::string& doing) {
  throw Error(ExitCode::internal, "cannot " + doing + " the description of the output in memory: " +
                                      std::strerror(errno));
}

// The library's lock would be one on all bytes where it is emulated (NFS), and keep other ranks
// out. RawFile has its own.
PropertyHandle unlocked_access(const Place& place) {
  PropertyHandle access(place.check(H5Pcreate(H5P_FILE_ACCESS), "prepare the file"));
  place.check(H5Pset_fapl_sec2(access.get()), "prepare the file");
  place.check(H5Pset_file_locking(access.get(), false, true), "prepare the file");
  return access;
}

void copy_bytes(int memory, ByteRange range, const RawFile& target) {
  constexpr std::int64_t most = std::int64_t{1} << 20;
  std::vector<std::byte> buffer(static_cast<std::size_t>(std::min(most, range.end - range.begin)));
  for (std::int64_t at = range.begin; at < range.end;) {
    const std::int64_t left = std::min(most, range.end - at);
    const ssize_t got = ::pread(memory, buffer.data(), static_cast<std::size_t>(left), at);
    if (got <= 0) fail("read");
    target.write_at(at, buffer.data(), got);
    at += got;
  }
}

}  // namespace

Description::Description(const std::filesystem::path& file)
    : memory_(::memfd_create("kmap-description", MFD_CLOEXEC)) {
  if (memory_ < 0) fail("hold");
  const Place place{file.string(), "", ExitCode::cannot_create};
  const PropertyHandle access = unlocked_access(place);
  file_ = FileHandle(
      place.check(H5Fcreate(file.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "create it"));
  void* descriptor = nullptr;
  place.check(H5Fget_vfd_handle(file_.get(), H5P_DEFAULT, &descriptor), "look at it");
  // From here HDF5 writes into memory. It has written nothing yet: all is in its cache.
  if (::dup2(memory_, *static_cast<const int*>(descriptor)) < 0) fail("hold");
}

Description::~Description() {
  file_.close();
  if (memory_ >= 0) ::close(memory_);
}

Description::Description(Description&& other) noexcept
    : file_(std::move(other.file_)), memory_(std::exchange(other.memory_, -1)) {}

Description& Description::operator=(Description&& other) noexcept {
  std::swap(file_, other.file_);
  std::swap(memory_, other.memory_);
  return *this;
}

void Description::copy_to(const RawFile& target, const std::vector<ByteRange>& rows) {
  Place{"HDF5", "", ExitCode::internal}.check(H5Fflush(file_.get(), H5F_SCOPE_GLOBAL),
                                              "describe the output");
  copy_memory(target, rows);
}

void Description::finish(const RawFile& target, const std::vector<ByteRange>& rows) {
  Place{"HDF5", "", ExitCode::internal}.check(file_.close(), "describe the output");
  copy_memory(target, rows);
}

void Description::copy_memory(const RawFile& target, const std::vector<ByteRange>& rows) const {
  struct stat status{};
  if (::fstat(memory_, &status) != 0) fail("look at");
  target.resize(status.st_size);
  auto next = rows.begin();
  for (std::int64_t at = 0; at < status.st_size;) {
    // Up to the next rows, or after them.
    const std::int64_t end = next == rows.end() ? status.st_size : next->begin;
    while (at < end) {
      const off_t data = ::lseek(memory_, at, SEEK_DATA);
      if (data < 0 && errno != ENXIO) fail("read");
      if (data < 0 || data >= end) break;
      const std::int64_t hole = std::min<std::int64_t>(::lseek(memory_, data, SEEK_HOLE), end);
      copy_bytes(memory_, {data, hole}, target);
      at = hole;
    }
    at = next == rows.end() ? status.st_size : (next++)->end;
  }
}

}  // namespace kmap::io
