#include "io/raw_file.hpp"

#include "io/pieces.hpp"

#include "kmap/error.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <utility>

namespace kmap::io {
namespace {

bool is_on_nfs(int descriptor) {
  struct statfs system{};
  return ::fstatfs(descriptor, &system) == 0 && system.f_type == NFS_SUPER_MAGIC;
}

}  // namespace

RawFile::RawFile(const std::filesystem::path& path)
    : path_(path), descriptor_(::open(path.c_str(), O_WRONLY | O_CLOEXEC)) {
  struct stat status{};
  if (descriptor_ < 0 || ::fstat(descriptor_, &status) != 0) fail("open it for writing");
  device_ = status.st_dev;
  inode_ = status.st_ino;
}

RawFile::~RawFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

RawFile::RawFile(RawFile&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      device_(other.device_),
      inode_(other.inode_) {}

RawFile& RawFile::operator=(RawFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(descriptor_, other.descriptor_);
  std::swap(device_, other.device_);
  std::swap(inode_, other.inode_);
  return *this;
}

bool RawFile::lock() const noexcept {
  if (is_on_nfs(descriptor_)) return true;  // it would lock all bytes against the other ranks
  return ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
}

void RawFile::reserve(std::int64_t offset, std::int64_t bytes) const {
  if (bytes <= 0) return;
  int status = 0;
  do {
    status = ::fallocate(descriptor_, 0, offset, bytes);
  } while (status != 0 && errno == EINTR);
  if (status != 0 && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)) {
    fail(fmt::format("reserve {} bytes", bytes));
  }
}

void RawFile::write_at(std::int64_t offset, const void* data, std::int64_t bytes) const {
  const auto* source = static_cast<const std::byte*>(data);
  for (std::int64_t done = 0; done < bytes;) {
    const std::int64_t part = std::min(bytes - done, max_bytes_per_call);
    const ssize_t written =
        ::pwrite(descriptor_, source + done, static_cast<std::size_t>(part), offset + done);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) fail("write to it");
    done += written;
  }
}

void RawFile::resize(std::int64_t bytes) const {
  if (::ftruncate(descriptor_, bytes) != 0) fail(fmt::format("resize it to {} bytes", bytes));
}

void RawFile::sync_and_close() {
  const int status = ::fsync(descriptor_);
  if (status != 0) fail("bring it to the disk");
  if (::close(std::exchange(descriptor_, -1)) != 0) fail("close it");
}

bool RawFile::is_at(const std::filesystem::path& path) const noexcept {
  struct stat there{};
  return ::stat(path.c_str(), &there) == 0 && device_ == there.st_dev && inode_ == there.st_ino;
}

void RawFile::fail(const std::string& doing) const {
  const int reason = errno;
  throw Error(ExitCode::io_error,
              path_.string() + ": cannot " + doing + ": " + std::strerror(reason));
}

void sync_to_disk(const std::filesystem::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const int failed = descriptor < 0 || ::fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) ::close(descriptor);
  // Some file systems cannot sync a folder, and say so by EINVAL.
  if (failed != 0 && failed != EINVAL) {
    throw Error(ExitCode::io_error,
                "cannot bring " + path.string() + " to the disk: " + std::strerror(failed));
  }
}

}  // namespace kmap::io
