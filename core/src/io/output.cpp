#include "io/output.hpp"

#include "io/conversion.hpp"
#include "io/handles.hpp"
#include "io/pieces.hpp"
#include "io/stored_type.hpp"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <vector>

namespace kmap::io {
namespace fs = std::filesystem;
namespace {

// How long a rank that abandons a file waits for the others to do so too.
constexpr std::chrono::seconds patience{2};

[[noreturn]] void fail_create(const std::string& message, const std::string& remedy = {}) {
  throw Error(ExitCode::cannot_create, message, remedy);
}

// The file that a name stands for: the target of a symbolic link, so that the link stays.
fs::path resolved(const fs::path& file) {
  std::error_code ignored;
  return fs::is_symlink(fs::symlink_status(file, ignored)) ? fs::weakly_canonical(file) : file;
}

fs::path folder_of(const fs::path& file) {
  return file.has_parent_path() ? file.parent_path() : fs::path(".");
}

fs::path part_of(const fs::path& file) { return file.string() + ".part"; }

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

void remove_leftover(const fs::path& file) {
  const fs::path part = part_of(file);
  std::error_code error;
  if (fs::is_directory(part, error)) {
    fail_create("output " + file.string() + " cannot be made: " + part.string() + " is a folder");
  }
  fs::remove(part, error);
  if (error) {
    fail_create("cannot remove " + part.string() + ", left by another run: " + error.message());
  }
}

void check_on_this_rank(const fs::path& file, IfExists if_exists) {
  const fs::path target = resolved(file);
  check_name(target, if_exists);
  check_folder(target);
  remove_leftover(target);
}

// The disk may lie (quotas, compression), so this catches only what is hopeless from the start.
void check_free_space(const fs::path& file, std::int64_t bytes_needed) {
  struct statvfs disk{};
  if (::statvfs(folder_of(file).c_str(), &disk) != 0) return;
  const double free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
  if (static_cast<double>(bytes_needed) <= free) return;
  constexpr double mib = 1 << 20;
  fail_create(fmt::format("output {} needs {:.1f} MiB, but only {:.1f} MiB are free on its disk",
                          file.string(), static_cast<double>(bytes_needed) / mib, free / mib));
}

// Brings a file or folder from the system's memory to the disk.
void sync_to_disk(const fs::path& path) {
  const int descriptor = ::open(path.c_str(), O_RDONLY);
  const int failed = descriptor < 0 || ::fsync(descriptor) != 0 ? errno : 0;
  if (descriptor >= 0) ::close(descriptor);
  // Some file systems cannot sync a folder, and say so by EINVAL.
  if (failed != 0 && failed != EINVAL) {
    throw Error(ExitCode::io_error,
                "cannot bring " + path.string() + " to the disk: " + std::strerror(failed));
  }
}

PropertyHandle parallel_access(const Communicator& comm, const Place& place) {
  PropertyHandle access(place.check(H5Pcreate(H5P_FILE_ACCESS), "prepare the file"));
  place.check(H5Pset_fapl_mpio(access.get(), comm.get(), MPI_INFO_NULL), "prepare the file");
  place.check(H5Pset_coll_metadata_write(access.get(), true), "prepare the file");
  return access;
}

PropertyHandle link_creation(const Place& place) {
  PropertyHandle creation(place.check(H5Pcreate(H5P_LINK_CREATE), "prepare a name"));
  place.check(H5Pset_create_intermediate_group(creation.get(), 1), "prepare a name");
  place.check(H5Pset_char_encoding(creation.get(), H5T_CSET_UTF8), "prepare a name");
  return creation;
}

// Without times of creation, equal content gives equal files.
PropertyHandle dataset_creation(const Place& place) {
  PropertyHandle creation(place.check(H5Pcreate(H5P_DATASET_CREATE), "prepare a dataset"));
  place.check(H5Pset_layout(creation.get(), H5D_CONTIGUOUS), "prepare a dataset");
  place.check(H5Pset_alloc_time(creation.get(), H5D_ALLOC_TIME_EARLY), "prepare a dataset");
  place.check(H5Pset_fill_time(creation.get(), H5D_FILL_TIME_NEVER), "prepare a dataset");
  place.check(H5Pset_obj_track_times(creation.get(), false), "prepare a dataset");
  return creation;
}

SpaceHandle space_of(const Shape& shape, const Place& place) {
  if (shape.empty()) {
    return SpaceHandle(place.check(H5Screate(H5S_SCALAR), "describe its shape"));
  }
  const std::vector<hsize_t> extents(shape.begin(), shape.end());
  return SpaceHandle(
      place.check(H5Screate_simple(static_cast<int>(extents.size()), extents.data(), nullptr),
                  "describe its shape"));
}

TypeHandle text_type(std::size_t size, const Place& place) {
  TypeHandle type(place.check(H5Tcopy(H5T_C_S1), "make a text type"));
  place.check(H5Tset_size(type.get(), size), "make a text type");
  place.check(H5Tset_cset(type.get(), H5T_CSET_UTF8), "make a text type");
  return type;
}

struct OutputDataset {
  Place place;
  DatasetHandle handle;
  DType type;
  Shape shape;
};

}  // namespace

struct OutputFile::Impl {
  Impl(const Communicator& communicator, const fs::path& name, IfExists exists)
      : comm(communicator.get()),
        final_name(resolved(name)),
        part(part_of(final_name)),
        if_exists(exists),
        place{part.string(), "", ExitCode::io_error} {}

  Place place_of(const std::string& object) const {
    return {part.string(), object, ExitCode::io_error};
  }

  void create();
  void add_dataset(const std::string& path, DType type, const Shape& shape);
  DatasetHandle create_dataset(const Place& where, hid_t type, hid_t space);
  void write(const OutputDataset& dataset, Range rows, DType type, const void* data);
  void write_piece(const OutputDataset& dataset, const Piece& piece, hid_t type, const void* data);
  [[noreturn]] void fail_unheld(const OutputDataset& dataset, DType type) const;
  void write_attribute(const Place& where, const std::string& name, hid_t type, const void* value);
  void flush();
  void publish();
  bool all_abandon() noexcept;
  void abandon() noexcept;

  // A communicator of its own: the meeting of ranks in the destructor must not meet other messages.
  Communicator comm;
  fs::path final_name;
  fs::path part;
  IfExists if_exists;
  Place place;
  FileHandle file;
  PropertyHandle transfer;
  ConversionFault fault;
  std::vector<OutputDataset> datasets;
  std::int64_t bytes = 0;
  bool complete = false;  // all is in NAME.part: it is worth keeping
};

void OutputFile::Impl::create() {
  const PropertyHandle access = parallel_access(comm, place);
  const Place creating{place.file, "", ExitCode::cannot_create};
  file = FileHandle(creating.check(
      H5Fcreate(part.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access.get()), "create it"));
  transfer = PropertyHandle(place.check(H5Pcreate(H5P_DATASET_XFER), "prepare the writing"));
  report_faults(transfer.get(), fault, place);
}

DatasetHandle OutputFile::Impl::create_dataset(const Place& where, hid_t type, hid_t space) {
  const Place creating{where.file, where.dataset, ExitCode::cannot_create};
  const PropertyHandle links = link_creation(creating);
  const PropertyHandle creation = dataset_creation(creating);
  return DatasetHandle(creating.check(H5Dcreate2(file.get(), where.dataset.c_str(), type, space,
                                                 links.get(), creation.get(), H5P_DEFAULT),
                                      "create the dataset"));
}

void OutputFile::Impl::add_dataset(const std::string& path, DType type, const Shape& shape) {
  const Place where = place_of(path);
  const SpaceHandle space = space_of(shape, where);
  const TypeHandle stored = native_type(type);
  datasets.push_back({where, create_dataset(where, stored.get(), space.get()), type, shape});
}

void OutputFile::Impl::write(const OutputDataset& dataset, Range rows, DType type,
                             const void* data) {
  if (!can_store(type, dataset.type)) fail_unheld(dataset, type);
  // A bool in memory is a byte, which becomes a number as it is.
  const bool bool_to_number = type == DType::boolean && dataset.type != DType::boolean;
  const TypeHandle memory_type = native_type(bool_to_number ? DType::u1 : type);
  const std::size_t size = size_of(type);
  const auto larger = static_cast<std::int64_t>(std::max(size, size_of(dataset.type)));
  for (const Piece& piece : cut_rows(dataset.shape, rows, larger, {}, max_bytes_per_call)) {
    write_piece(
        dataset, piece, memory_type.get(),
        static_cast<const std::byte*>(data) + static_cast<std::size_t>(piece.offset) * size);
    if (fault.found) fail_unheld(dataset, type);
  }
}

void OutputFile::Impl::fail_unheld(const OutputDataset& dataset, DType type) const {
  const std::string value = fault.value.empty() ? "" : ", such as " + fault.value;
  throw Error(ExitCode::bad_data,
              fmt::format("results of type {} cannot all be stored as {} in {}{}", name(type),
                          name(dataset.type), dataset.place.dataset, value),
              fmt::format("store them as {}", name(type)));
}

// Independently of other ranks: ranges of whole rows are contiguous in the file, so that collective
// buffering has nothing to gather (measured: half the speed on 400 MB at 2 ranks with Open MPI's
// OMPIO, which has also been known to hang there), and a rank with an error keeps no one waiting.
void OutputFile::Impl::write_piece(const OutputDataset& dataset, const Piece& piece, hid_t type,
                                   const void* data) {
  const Place& where = dataset.place;
  const SpaceHandle file_space = space_of(dataset.shape, where);
  if (!piece.begin.empty()) {
    const std::vector<hsize_t> begin(piece.begin.begin(), piece.begin.end());
    const std::vector<hsize_t> extent(piece.extent.begin(), piece.extent.end());
    where.check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, begin.data(), nullptr,
                                    extent.data(), nullptr),
                "select rows");
  }
  const auto elements = static_cast<hsize_t>(piece.count);
  const SpaceHandle memory_space(
      where.check(H5Screate_simple(1, &elements, nullptr), "describe the memory"));
  fault = {};
  const herr_t status = H5Dwrite(dataset.handle.get(), type, memory_space.get(), file_space.get(),
                                 transfer.get(), data);
  if (status < 0 && !fault.found) where.fail("write to it");
}

void OutputFile::Impl::write_attribute(const Place& where, const std::string& name, hid_t type,
                                       const void* value) {
  const ObjectHandle object(
      where.check(H5Oopen(file.get(), where.dataset.c_str(), H5P_DEFAULT), "open it"));
  const SpaceHandle space = space_of({}, where);
  const PropertyHandle creation(
      where.check(H5Pcreate(H5P_ATTRIBUTE_CREATE), "prepare an attribute"));
  where.check(H5Pset_char_encoding(creation.get(), H5T_CSET_UTF8), "prepare an attribute");
  AttributeHandle attribute(where.check(
      H5Acreate2(object.get(), name.c_str(), type, space.get(), creation.get(), H5P_DEFAULT),
      "create an attribute"));
  where.check(H5Awrite(attribute.get(), type, value), "write an attribute");
  where.check(attribute.close(), "write an attribute");
}

// Every rank brings what its node holds to the disk: only here do some file systems (NFS, quotas)
// say that there was no room.
void OutputFile::Impl::flush() {
  for (OutputDataset& dataset : datasets) dataset.place.check(dataset.handle.close(), "close it");
  place.check(H5Fflush(file.get(), H5F_SCOPE_GLOBAL), "write it to the disk");
}

void OutputFile::Impl::publish() {
  sync_to_disk(part);
  complete = true;
  std::error_code error;
  if (if_exists == IfExists::error && fs::exists(final_name, error)) {
    fail_create("output " + final_name.string() +
                " was made by someone else meanwhile; the complete result is in " + part.string());
  }
  fs::rename(part, final_name, error);
  if (error) {
    fail_create("cannot rename " + part.string() + ", which is complete, to " +
                final_name.string() + ": " + error.message());
  }
  sync_to_disk(folder_of(final_name));
}

// Whether all ranks abandon the file now. A rank that is here because of its own error alone finds
// the others waiting elsewhere, and must go on to end the job.
bool OutputFile::Impl::all_abandon() noexcept {
  MPI_Request request = MPI_REQUEST_NULL;
  if (MPI_Ibarrier(comm.get(), &request) != MPI_SUCCESS) return false;
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int met = 0;
  while (MPI_Test(&request, &met, MPI_STATUS_IGNORE) == MPI_SUCCESS) {
    if (met != 0) return true;
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void OutputFile::Impl::abandon() noexcept {
  if (!complete) ::unlink(part.c_str());  // by any rank, in case rank 0 does not come here
  if (!file) return;
  if (all_abandon()) {
    datasets.clear();
    file.close();
    H5Eclear2(H5E_DEFAULT);
    return;
  }
  // Closing is collective. HDF5 does it when MPI ends, if it ever does.
  for (OutputDataset& dataset : datasets) dataset.handle.release();
  file.release();
}

void check_output(const Communicator& comm, const fs::path& file, IfExists if_exists) {
  on_root(comm, [&] { check_on_this_rank(file, if_exists); });
}

bool can_store(DType value, DType stored) {
  const char from = info(value).kind;
  const char to = info(stored).kind;
  return from == to || (from != 'c' && to != 'c' && to != 'b');
}

OutputFile::OutputFile(const Communicator& comm, const fs::path& file, IfExists if_exists) {
  keep_hdf5_quiet();
  check_output(comm, file, if_exists);
  impl_ = std::make_unique<Impl>(comm, file, if_exists);
  try {
    agreed(impl_->comm, [&] { impl_->create(); });
  } catch (...) {
    impl_->abandon();
    throw;
  }
}

OutputFile::~OutputFile() { impl_->abandon(); }

int OutputFile::create_dataset(const std::string& path, DType type, const Shape& shape) {
  Impl& impl = *impl_;
  impl.bytes += count(shape) * static_cast<std::int64_t>(size_of(type));
  on_root(impl.comm, [&] { check_free_space(impl.final_name, impl.bytes); });
  agreed(impl.comm, [&] { impl.add_dataset(path, type, shape); });
  return static_cast<int>(impl.datasets.size()) - 1;
}

void OutputFile::write_rows(int dataset, Range rows, DType type, const void* data) {
  const OutputDataset& target = impl_->datasets.at(static_cast<std::size_t>(dataset));
  const bool fits = !target.shape.empty() && rows.begin >= 0 && rows.begin <= rows.end &&
                    rows.end <= target.shape[0];
  if (!fits) {
    throw ShapeError(fmt::format("rows {} to {} are not within {} of shape {}", rows.begin,
                                 rows.end, target.place.name(), to_string(target.shape)));
  }
  impl_->write(target, rows, type, data);
}

void OutputFile::write_scalar(int dataset, DType type, const void* value) {
  const OutputDataset& target = impl_->datasets.at(static_cast<std::size_t>(dataset));
  if (!target.shape.empty()) {
    throw ShapeError(target.place.name() + " of shape " + to_string(target.shape) +
                     " is not a scalar");
  }
  impl_->write(target, {0, 1}, type, value);
}

void OutputFile::create_group(const std::string& path) {
  agreed(impl_->comm, [&] {
    const Place where{impl_->part.string(), path, ExitCode::cannot_create};
    const PropertyHandle links = link_creation(where);
    GroupHandle group(where.check(
        H5Gcreate2(impl_->file.get(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
        "create the group"));
    where.check(group.close(), "create the group");
  });
}

// Of variable length, since h5py shows only that as str. Attributes are metadata, written equally
// by all ranks, so that HDF5 can do it in parallel (unlike in datasets).
void OutputFile::write_attribute(const std::string& object, const std::string& name,
                                 const std::string& text) {
  agreed(impl_->comm, [&] {
    const Place where = impl_->place_of(object);
    const TypeHandle type = text_type(H5T_VARIABLE, where);
    const char* value = text.c_str();
    impl_->write_attribute(where, name, type.get(), &value);
  });
}

void OutputFile::write_attribute(const std::string& object, const std::string& name,
                                 std::int64_t value) {
  agreed(impl_->comm,
         [&] { impl_->write_attribute(impl_->place_of(object), name, H5T_NATIVE_INT64, &value); });
}

void OutputFile::write_attribute(const std::string& object, const std::string& name, double value) {
  agreed(impl_->comm,
         [&] { impl_->write_attribute(impl_->place_of(object), name, H5T_NATIVE_DOUBLE, &value); });
}

void OutputFile::write_text(const std::string& path, const std::string& text) {
  agreed(impl_->comm, [&] {
    const Place where = impl_->place_of(path);
    const TypeHandle type = text_type(std::max<std::size_t>(text.size(), 1), where);
    const SpaceHandle space = space_of({}, where);
    DatasetHandle dataset = impl_->create_dataset(where, type.get(), space.get());
    if (impl_->comm.is_root()) {  // c_str() has the byte that an empty text needs
      where.check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
                  "write to it");
    }
    where.check(dataset.close(), "close it");
  });
}

void OutputFile::commit() {
  agreed(impl_->comm, [&] { impl_->flush(); });
  // Apart, since closing waits for all ranks: none may be missing because it failed before.
  agreed(impl_->comm, [&] { impl_->place.check(impl_->file.close(), "close it"); });
  on_root(impl_->comm, [&] { impl_->publish(); });
  impl_->complete = true;  // nothing of it is left to remove
}

}  // namespace kmap::io
