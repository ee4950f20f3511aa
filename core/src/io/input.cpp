#include "io/input.hpp"

#include "io/conversion.hpp"
#include "io/dataset_check.hpp"
#include "io/file_check.hpp"
#include "io/find_dataset.hpp"
#include "io/pieces.hpp"
#include "io/stored_type.hpp"

#include <algorithm>
#include <utility>
#include <vector>

namespace kmap::io {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t max_cache_bytes = std::int64_t{256} << 20;
constexpr std::int64_t max_cached_chunks = 100000;

struct ChunkCache {
  std::int64_t chunks = 0;
  std::int64_t bytes = 0;
};

// All chunks that one row goes through: a chunk is then decompressed once although consecutive
// blocks share it. None if that is too much, or if nothing needs to be decompressed.
ChunkCache cache_for(const DatasetInfo& info, std::int64_t element_bytes) {
  if (info.filters.empty() || info.chunk.empty()) return {};
  ChunkCache cache{1, element_bytes * count(info.chunk)};
  for (std::size_t axis = 1; axis < info.shape.size(); ++axis) {
    const std::int64_t chunks = (info.shape[axis] + info.chunk[axis] - 1) / info.chunk[axis];
    cache.chunks *= chunks;
    cache.bytes *= chunks;
    if (cache.chunks > max_cached_chunks || cache.bytes > max_cache_bytes) return {};
  }
  return cache.bytes > max_cache_bytes ? ChunkCache{} : cache;
}

Shape chunk_of(hid_t creation, std::size_t rank, const Place& place) {
  if (H5Pget_layout(creation) != H5D_CHUNKED) return {};
  std::vector<hsize_t> extents(rank);
  place.check(H5Pget_chunk(creation, static_cast<int>(rank), extents.data()), "look at its chunks");
  return {extents.begin(), extents.end()};
}

// The dataset once more, with that cache instead of the default one.
DatasetHandle reopen(hid_t file, DatasetHandle dataset, const ChunkCache& cache,
                     const Place& place) {
  dataset.close();  // while it is open, the cache that it has is shared
  const PropertyHandle access(place.check(H5Pcreate(H5P_DATASET_ACCESS), "prepare the reading"));
  const auto slots = static_cast<std::size_t>(std::max<std::int64_t>(521, 10 * cache.chunks + 1));
  const double drop_what_was_read = 1.0;
  place.check(H5Pset_chunk_cache(access.get(), slots, static_cast<std::size_t>(cache.bytes),
                                 drop_what_was_read),
              "prepare the reading");
  return DatasetHandle(
      place.check(H5Dopen2(file, place.dataset.c_str(), access.get()), "open the dataset"));
}

struct OpenDataset {
  Place place;
  FileHandle file;
  DatasetHandle handle;
  StoredType type;
  DatasetInfo info;
};

OpenDataset open_and_inspect(const fs::path& file, const std::string& dataset) {
  keep_hdf5_quiet();
  OpenDataset open{{file.string(), absolute_path(dataset)}, {}, {}, {}, {}};
  const Place& place = open.place;
  open.file = open_for_reading(file);
  open.handle = open_dataset(open.file.get(), place);

  const TypeHandle type(place.check(H5Dget_type(open.handle.get()), "look at its type"));
  open.type = describe_type(type.get(), place);
  const PropertyHandle creation(
      place.check(H5Dget_create_plist(open.handle.get()), "look at its layout"));
  DatasetInfo& info = open.info;
  info.file = place.file;
  info.dataset = place.dataset;
  info.dtype = open.type.dtype;
  info.stored_type = open.type.text;
  info.shape = dataset_shape(open.handle.get(), place);
  info.chunk = chunk_of(creation.get(), info.shape.size(), place);
  info.filters = check_filters(creation.get(), place);
  info.stored_bytes = static_cast<std::int64_t>(H5Dget_storage_size(open.handle.get()));

  const ChunkCache cache = cache_for(info, static_cast<std::int64_t>(H5Tget_size(type.get())));
  if (cache.bytes > 0) {
    open.handle = reopen(open.file.get(), std::move(open.handle), cache, place);
    info.cache_bytes = cache.bytes;
  }
  return open;
}

// How a stored type becomes another: HDF5 converts to `read_as`, and what is then left is done
// here.
struct Conversion {
  DType read_as;
  bool widens = false;       // bool to numbers, real to complex
  bool checks_bool = false;  // numbers to bool: read as u1
};

Conversion plan_conversion(const DatasetInfo& info, DType target) {
  const char from = kmap::info(info.dtype).kind;
  const char to = kmap::info(target).kind;
  if (from == 'c' && to != 'c') {
    throw Error(ExitCode::bad_data,
                info.file + ":" + info.dataset + " is complex (" + info.stored_type +
                    ") and cannot be read as " + std::string(name(target)),
                "read it as c8 or c16");
  }
  if (from == to) return {target};
  if (from == 'b') return {DType::boolean, true};
  if (to == 'b') return {DType::u1, false, true};
  if (to == 'c') return {target == DType::c8 ? DType::f4 : DType::f8, true};
  return {target};
}

}  // namespace

struct InputDataset::Impl {
  explicit Impl(OpenDataset dataset) : open(std::move(dataset)) {
    const Place& place = open.place;
    transfer = PropertyHandle(place.check(H5Pcreate(H5P_DATASET_XFER), "prepare the reading"));
    report_faults(transfer.get(), fault, place);
  }

  void read(Range rows, DType type, void* out);
  void read_piece(const Piece& piece, const Conversion& conversion, DType type, std::byte* out);
  void transfer_piece(const Piece& piece, DType type, std::byte* out);
  [[noreturn]] void fail_unheld(const std::string& value, DType type) const;

  OpenDataset open;
  PropertyHandle transfer;
  ConversionFault fault;
};

void InputDataset::Impl::read(Range rows, DType type, void* out) {
  const DatasetInfo& info = open.info;
  const Conversion conversion = plan_conversion(info, type);
  const auto element = static_cast<std::int64_t>(std::max(size_of(info.dtype), size_of(type)));
  for (const Piece& piece : cut_rows(info.shape, rows, element, info.chunk, max_bytes_per_call)) {
    read_piece(
        piece, conversion, type,
        static_cast<std::byte*>(out) + static_cast<std::size_t>(piece.offset) * size_of(type));
  }
}

void InputDataset::Impl::read_piece(const Piece& piece, const Conversion& conversion, DType type,
                                    std::byte* out) {
  // What is still to become wider is read to the end of its place.
  const std::size_t spare = size_of(type) - size_of(conversion.read_as);
  transfer_piece(piece, conversion.read_as, out + spare * static_cast<std::size_t>(piece.count));
  if (conversion.widens) widen_in_place(conversion.read_as, type, out, piece.count);
  if (!conversion.checks_bool) return;
  const std::int64_t wrong = first_not_bool(out, piece.count);
  if (wrong >= 0) fail_unheld(std::to_string(std::to_integer<int>(out[wrong])), type);
}

void InputDataset::Impl::transfer_piece(const Piece& piece, DType type, std::byte* out) {
  const Place& place = open.place;
  const SpaceHandle file_space(place.check(H5Dget_space(open.handle.get()), "look at its shape"));
  if (!piece.begin.empty()) {
    const std::vector<hsize_t> begin(piece.begin.begin(), piece.begin.end());
    const std::vector<hsize_t> extent(piece.extent.begin(), piece.extent.end());
    place.check(H5Sselect_hyperslab(file_space.get(), H5S_SELECT_SET, begin.data(), nullptr,
                                    extent.data(), nullptr),
                "select rows");
  }
  const auto elements = static_cast<hsize_t>(piece.count);
  const SpaceHandle memory_space(
      place.check(H5Screate_simple(1, &elements, nullptr), "describe the memory"));
  const TypeHandle memory_type = memory_type_for(open.type, type);
  fault = {};
  if (H5Dread(open.handle.get(), memory_type.get(), memory_space.get(), file_space.get(),
              transfer.get(), out) >= 0) {
    return;
  }
  if (fault.found) fail_unheld(fault.value, type);
  place.fail("read it");
}

void InputDataset::Impl::fail_unheld(const std::string& value, DType type) const {
  throw Error(
      ExitCode::bad_data,
      open.place.name() + " (" + open.info.stored_type + ") holds values that " +
          std::string(name(type)) + " cannot hold" + (value.empty() ? "" : ", such as " + value),
      "read it as " + std::string(name(open.info.dtype)) + ", or as another type that does");
}

InputDataset::InputDataset(const Communicator& comm, const fs::path& file,
                           const std::string& dataset) {
  // Rank 0 alone looks first: if something is wrong, it is said once, and the file system is not
  // searched by thousands.
  on_root(comm, [&] {
    const OpenDataset open = open_and_inspect(file, dataset);
    check_virtual_sources(open.handle.get(), open.place);
  });
  impl_ = agreed(comm, [&] { return std::make_unique<Impl>(open_and_inspect(file, dataset)); });
}

InputDataset::~InputDataset() = default;
InputDataset::InputDataset(InputDataset&&) noexcept = default;
InputDataset& InputDataset::operator=(InputDataset&&) noexcept = default;

const DatasetInfo& InputDataset::info() const noexcept { return impl_->open.info; }

void InputDataset::read_rows(Range rows, DType type, void* out) const {
  const Shape& shape = info().shape;
  if (shape.empty()) {
    throw ShapeError(impl_->open.place.name() +
                     " is a scalar: it has no leading axis to read along");
  }
  if (rows.begin < 0 || rows.end < rows.begin || rows.end > shape[0]) {
    throw ShapeError("rows " + std::to_string(rows.begin) + " to " + std::to_string(rows.end) +
                     " are not within " + impl_->open.place.name() + " of shape " +
                     to_string(shape));
  }
  impl_->read(rows, type, out);
}

void InputDataset::read_all(DType type, void* out) const {
  const Shape& shape = info().shape;
  impl_->read({0, shape.empty() ? 1 : shape[0]}, type, out);
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  if (fs::exists(a, error) && fs::exists(b, error)) return false;
  return fs::weakly_canonical(a, error) == fs::weakly_canonical(b, error);
}

}  // namespace kmap::io
