#pragma once
// A file as bytes, without HDF5: for what HDF5 has made in memory.

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <string>

namespace kmap::io {

// Open for writing; closed by the destructor. Errors carry the system's reason.
class RawFile {
 public:
  RawFile() = default;
  // Opens a file that exists.
  explicit RawFile(const std::filesystem::path& path);
  ~RawFile();
  RawFile(RawFile&& other) noexcept;
  RawFile& operator=(RawFile&& other) noexcept;

  // Takes a lock that ends with this object or the process, so that no other run takes the file for
  // an abandoned one. False if someone else has it. True where there are no such locks.
  bool lock() const noexcept;

  // Makes sure of the room on the disk for these bytes, where the file system can.
  void reserve(std::int64_t offset, std::int64_t bytes) const;

  void write_at(std::int64_t offset, const void* data, std::int64_t bytes) const;

  // Gives the file this length.
  void resize(std::int64_t bytes) const;

  // Brings all to the disk and closes: only here do some file systems (NFS, quotas) say that there
  // was no room.
  void sync_and_close();

  // Whether what was opened is still the file of that name; also when it is closed.
  bool is_at(const std::filesystem::path& path) const noexcept;

 private:
  [[noreturn]] void fail(const std::string& doing) const;

  std::filesystem::path path_;
  int descriptor_ = -1;
  dev_t device_ = 0;
  ino_t inode_ = 0;
};

// Brings a closed file, or a folder's list of names, to the disk.
void sync_to_disk(const std::filesystem::path& path);

}  // namespace kmap::io
