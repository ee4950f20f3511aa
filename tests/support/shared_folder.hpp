#pragma once
// A temporary folder that all ranks see.

#include "support/temporary_folder.hpp"

#include "kmap/communicator.hpp"

#include <filesystem>
#include <memory>

namespace kmap::test {

// Made by rank 0 of the communicator and removed by it when the ranks have all left. Making and
// ending it are collective.
class SharedFolder {
 public:
  explicit SharedFolder(const Communicator& comm) : comm_(comm) {
    if (comm.is_root()) own_ = std::make_unique<TemporaryFolder>();
    path_ = comm.broadcast(own_ ? own_->path().string() : std::string(), 0);
  }
  ~SharedFolder() { MPI_Barrier(comm_.get()); }
  SharedFolder(const SharedFolder&) = delete;
  SharedFolder& operator=(const SharedFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

 private:
  const Communicator& comm_;
  std::unique_ptr<TemporaryFolder> own_;
  std::filesystem::path path_;
};

}  // namespace kmap::test
