#include "io/parallel_rows.hpp"

#include "io/stored_type.hpp"

#include <algorithm>

namespace kmap::io {

ParallelRows::ParallelRows(const Communicator& comm, const std::filesystem::path& file,
                           const std::vector<std::string>& datasets)
    : path_(file.string()), names_(datasets) {
  const Place place{path_, "", ExitCode::io_error};
  const PropertyHandle access(place.check(H5Pcreate(H5P_FILE_ACCESS), "prepare the file"));
  place.check(H5Pset_fapl_mpio(access.get(), comm.get(), MPI_INFO_NULL), "prepare the file");
  // Rank 0 reads what describes the file, and tells the others.
  place.check(H5Pset_all_coll_metadata_ops(access.get(), true), "prepare the file");
  file_ = FileHandle(
      place.check(H5Fopen(path_.c_str(), H5F_ACC_RDWR, access.get()), "open it in parallel"));
  for (const std::string& name : names_) {
    const Place where{path_, name, ExitCode::io_error};
    datasets_.emplace_back(
        where.check(H5Dopen2(file_.get(), name.c_str(), H5P_DEFAULT), "open the dataset"));
  }
}

void ParallelRows::write(std::size_t dataset, const Piece& piece, DType type, const void* data) {
  const Place where{path_, names_.at(dataset), ExitCode::io_error};
  const hid_t id = datasets_.at(dataset).get();
  const SpaceHandle file_space(where.check(H5Dget_space(id), "look at its shape"));
  const SpaceHandle memory_space = select_piece(file_space.get(), piece, where);
  const TypeHandle memory_type = native_type(type);
  where.check(
      H5Dwrite(id, memory_type.get(), memory_space.get(), file_space.get(), H5P_DEFAULT, data),
      "write to it");
}

void ParallelRows::close() {
  const Place place{path_, "", ExitCode::io_error};
  // Every call is made whatever the one before said: the others are in it, too.
  herr_t worst = 0;
  for (DatasetHandle& dataset : datasets_) worst = std::min(worst, dataset.close());
  datasets_.clear();
  worst = std::min(worst, H5Fflush(file_.get(), H5F_SCOPE_GLOBAL));
  worst = std::min(worst, file_.close());
  place.check(worst, "bring it to the disk");
}

void ParallelRows::leave() noexcept {
  for (DatasetHandle& dataset : datasets_) dataset.release();
  datasets_.clear();
  file_.release();
}

}  // namespace kmap::io
