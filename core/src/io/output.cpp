#include "io/output.hpp"

#include "io/conversion.hpp"
#include "io/description.hpp"
#include "io/find_dataset.hpp"
#include "io/handles.hpp"
#include "io/output_place.hpp"
#include "io/parallel_rows.hpp"
#include "io/pieces.hpp"
#include "io/raw_file.hpp"
#include "io/stored_type.hpp"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace kmap::io {
namespace fs = std::filesystem;
namespace {

// What is converted before it is written.
constexpr std::int64_t staging_bytes = std::int64_t{8} << 20;

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

// What every rank knows of a dataset.
struct OutputDataset {
  std::string path;
  std::string name;  // with the file, for messages
  DType type;
  Shape shape;
  std::int64_t offset = 0;  // of its first byte in the file
};

}  // namespace

struct OutputFile::Impl {
  Impl(const Communicator& communicator, const fs::path& name, IfExists exists)
      : comm(communicator),
        final_name(resolved(name)),
        part(part_of(final_name)),
        if_exists(exists) {}

  Place place_of(const std::string& object, ExitCode failure = ExitCode::io_error) const {
    return {part.string(), object.empty() ? object : absolute_path(object), failure};
  }

  DatasetHandle create_dataset(const Place& where, hid_t type, hid_t space);
  std::int64_t add_dataset(const std::string& path, DType type, const Shape& shape);
  void begin_rows();
  void write(std::size_t number, const Slab& slab, DType type, const void* data);
  const void* convert_piece(const OutputDataset& dataset, const Piece& piece, DType type,
                            const std::byte* source);
  [[noreturn]] void fail_unheld(const OutputDataset& dataset, DType type, const void* value) const;
  void write_attribute(const std::string& object, const std::string& name, hid_t type,
                       const void* value);
  std::vector<ByteRange> bytes_of_rows() const;
  void publish();
  void abandon() noexcept;

  const Communicator& comm;
  fs::path final_name;
  fs::path part;
  IfExists if_exists;
  Description description;  // of rank 0
  RawFile raw;              // rank 0 writes, the others know the file by it
  ParallelRows rows;
  std::vector<OutputDataset> datasets;
  std::vector<std::byte> staging;  // what is converted before it is written
  double seconds_waited = 0;       // for other ranks, while rows are written
  bool settled = false;            // no longer this rank's to remove
};

DatasetHandle OutputFile::Impl::create_dataset(const Place& where, hid_t type, hid_t space) {
  const PropertyHandle links = link_creation(where);
  const PropertyHandle creation = dataset_creation(where);
  return DatasetHandle(where.check(H5Dcreate2(description.file(), where.dataset.c_str(), type,
                                              space, links.get(), creation.get(), H5P_DEFAULT),
                                   "create the dataset"));
}

// Returns where its bytes are in the file.
std::int64_t OutputFile::Impl::add_dataset(const std::string& path, DType type,
                                           const Shape& shape) {
  const std::int64_t size = count(shape) * static_cast<std::int64_t>(size_of(type));
  check_free_space(final_name, size);
  const Place where = place_of(path, ExitCode::cannot_create);
  const SpaceHandle space = space_of(shape, where);
  const TypeHandle stored = native_type(type);
  const DatasetHandle dataset = create_dataset(where, stored.get(), space.get());
  if (size == 0) return 0;
  const haddr_t offset = H5Dget_offset(dataset.get());
  if (offset == HADDR_UNDEF) where.fail("learn where the dataset is");
  raw.reserve(static_cast<std::int64_t>(offset), size);
  return static_cast<std::int64_t>(offset);
}

// The description goes to the disk and all ranks open the file in parallel. From here on HDF5 only
// writes rows there, into room that is reserved.
void OutputFile::Impl::begin_rows() {
  on_root(comm, [&] { description.copy_to(raw, bytes_of_rows()); });
  std::vector<std::string> names;
  for (const OutputDataset& dataset : datasets) names.push_back(dataset.path);
  agreed(comm, [&] { rows = ParallelRows(comm, part, names); });
}

// By this rank alone.
void OutputFile::Impl::write(std::size_t number, const Slab& slab, DType type, const void* data) {
  const OutputDataset& dataset = datasets.at(number);
  const Shape& shape = dataset.shape;
  const Range range = slab.range;
  const std::int64_t end = shape.empty() ? 1 : slab.axis < shape.size() ? shape[slab.axis] : -1;
  if (range.begin < 0 || range.begin > range.end || range.end > end) {
    throw ShapeError(fmt::format("{} to {} of axis {} are not within {} of shape {}", range.begin,
                                 range.end, slab.axis, dataset.name, to_string(shape)));
  }
  if (range.size() == 0) return;
  const bool converts = type != dataset.type;
  for (const Piece& piece : cut_slab(shape, slab, static_cast<std::int64_t>(size_of(dataset.type)),
                                     {}, converts ? staging_bytes : max_bytes_per_call)) {
    const std::byte* source = static_cast<const std::byte*>(data) +
                              static_cast<std::size_t>(piece.offset) * size_of(type);
    rows.write(number, piece, dataset.type,
               converts ? convert_piece(dataset, piece, type, source) : source);
  }
}

const void* OutputFile::Impl::convert_piece(const OutputDataset& dataset, const Piece& piece,
                                            DType type, const std::byte* source) {
  staging.resize(static_cast<std::size_t>(piece.count) * size_of(dataset.type));
  const std::int64_t bad = convert(type, source, dataset.type, staging.data(), piece.count);
  if (bad >= 0) {
    fail_unheld(dataset, type, source + static_cast<std::size_t>(bad) * size_of(type));
  }
  return staging.data();
}

void OutputFile::Impl::fail_unheld(const OutputDataset& dataset, DType type,
                                   const void* value) const {
  throw Error(ExitCode::bad_data,
              fmt::format("{}:{}: {} cannot be stored as {}", final_name.string(), dataset.path,
                          value_text(type, value), name(dataset.type)),
              fmt::format("store it as {}, the type of the results", name(type)));
}

void OutputFile::Impl::write_attribute(const std::string& object, const std::string& name,
                                       hid_t type, const void* value) {
  const Place where = place_of(object);
  const ObjectHandle owner(
      where.check(H5Oopen(description.file(), object.c_str(), H5P_DEFAULT), "open the object"));
  const SpaceHandle space = space_of({}, where);
  const PropertyHandle creation(
      where.check(H5Pcreate(H5P_ATTRIBUTE_CREATE), "prepare an attribute"));
  where.check(H5Pset_char_encoding(creation.get(), H5T_CSET_UTF8), "prepare an attribute");
  AttributeHandle attribute(where.check(
      H5Acreate2(owner.get(), name.c_str(), type, space.get(), creation.get(), H5P_DEFAULT),
      "create an attribute"));
  where.check(H5Awrite(attribute.get(), type, value), "write an attribute");
  where.check(attribute.close(), "write an attribute");
}

void OutputFile::Impl::publish() {
  description.finish(raw, bytes_of_rows());
  if (!raw.is_at(part)) {
    throw Error(ExitCode::io_error, part.string() + " was removed or replaced by someone else");
  }
  raw.sync_and_close();
  settled = true;  // the result is complete, and worth keeping whatever happens now
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

std::vector<ByteRange> OutputFile::Impl::bytes_of_rows() const {
  std::vector<ByteRange> ranges;
  for (const OutputDataset& dataset : datasets) {
    const std::int64_t bytes =
        count(dataset.shape) * static_cast<std::int64_t>(size_of(dataset.type));
    if (bytes > 0) ranges.push_back({dataset.offset, dataset.offset + bytes});
  }
  std::sort(ranges.begin(), ranges.end(),
            [](const ByteRange& a, const ByteRange& b) { return a.begin < b.begin; });
  return ranges;
}

// By any rank, in case the others do not come here; and without a word to them: to close the file
// in parallel would be one, so that is left to the end of the program.
void OutputFile::Impl::abandon() noexcept {
  rows.leave();
  if (!settled && raw.is_at(part)) ::unlink(part.c_str());
}

void check_output(const Communicator& comm, const fs::path& file, IfExists if_exists) {
  on_root(comm, [&] { check_output_place(file, if_exists); });
}

void probe_output(const Communicator& comm, const fs::path& file, IfExists if_exists) {
  on_root(comm, [&] { probe_output_place(file, if_exists); });
}

OutputFile::OutputFile(const Communicator& comm, const fs::path& file, IfExists if_exists)
    : impl_(std::make_unique<Impl>(comm, file, if_exists)) {
  keep_hdf5_quiet();
  check_output(comm, file, if_exists);
  try {
    on_root(comm, [&] { impl_->description = Description(impl_->part); });
    agreed(comm, [&] { impl_->raw = RawFile(impl_->part); });
    on_root(comm, [&] {
      if (!impl_->raw.lock()) fail_create(impl_->part.string() + " is locked by another run");
    });
  } catch (...) {
    impl_->abandon();
    throw;
  }
}

OutputFile::~OutputFile() { impl_->abandon(); }

int OutputFile::create_dataset(const std::string& path, DType type, const Shape& shape) {
  if (impl_->rows) throw Error(ExitCode::internal, path + " is created after rows were written");
  const std::string offset =
      on_root(impl_->comm, [&] { return std::to_string(impl_->add_dataset(path, type, shape)); });
  const Place place = impl_->place_of(path);
  impl_->datasets.push_back({place.dataset, place.name(), type, shape, std::stoll(offset)});
  return static_cast<int>(impl_->datasets.size()) - 1;
}

void OutputFile::write_slab(int dataset, std::size_t axis, Range range, DType type,
                            const void* data) {
  if (!impl_->rows) impl_->begin_rows();
  std::optional<detail::Failure> failure;
  try {
    impl_->write(static_cast<std::size_t>(dataset), {axis, range}, type, data);
  } catch (...) {
    failure = detail::current_failure();
  }
  const auto start = std::chrono::steady_clock::now();
  detail::agree(impl_->comm, failure);
  const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
  impl_->seconds_waited += waited.count();
}

double OutputFile::seconds_waited() const noexcept { return impl_->seconds_waited; }

void OutputFile::create_group(const std::string& path) {
  on_root(impl_->comm, [&] {
    const Place where = impl_->place_of(path, ExitCode::cannot_create);
    const PropertyHandle links = link_creation(where);
    GroupHandle group(where.check(
        H5Gcreate2(impl_->description.file(), path.c_str(), links.get(), H5P_DEFAULT, H5P_DEFAULT),
        "create the group"));
    where.check(group.close(), "create the group");
  });
}

// Of variable length, since h5py shows only that as str.
void OutputFile::write_attribute(const std::string& object, const std::string& name,
                                 const std::string& text) {
  on_root(impl_->comm, [&] {
    const TypeHandle type = text_type(H5T_VARIABLE, impl_->place_of(object));
    const char* value = text.c_str();
    impl_->write_attribute(object, name, type.get(), &value);
  });
}

void OutputFile::write_attribute(const std::string& object, const std::string& name,
                                 std::int64_t value) {
  on_root(impl_->comm, [&] { impl_->write_attribute(object, name, H5T_NATIVE_INT64, &value); });
}

void OutputFile::write_attribute(const std::string& object, const std::string& name, double value) {
  on_root(impl_->comm, [&] { impl_->write_attribute(object, name, H5T_NATIVE_DOUBLE, &value); });
}

void OutputFile::write_text(const std::string& path, const std::string& text) {
  on_root(impl_->comm, [&] {
    const Place where = impl_->place_of(path);
    const TypeHandle type = text_type(std::max<std::size_t>(text.size(), 1), where);
    const SpaceHandle space = space_of({}, where);
    DatasetHandle dataset = impl_->create_dataset(where, type.get(), space.get());
    // c_str() has the byte that an empty text needs.
    where.check(H5Dwrite(dataset.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, text.c_str()),
                "write to it");
    where.check(dataset.close(), "close it");
  });
}

void OutputFile::commit() {
  if (impl_->rows) agreed(impl_->comm, [&] { impl_->rows.close(); });
  agreed(impl_->comm, [&] {
    if (impl_->comm.is_root()) return;  // it closes last, and holds the lock until then
    impl_->raw.sync_and_close();
    impl_->settled = true;
  });
  on_root(impl_->comm, [&] { impl_->publish(); });
}

}  // namespace kmap::io
