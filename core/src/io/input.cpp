#include "io/input.hpp"

#include "io/conversion.hpp"
#include "io/dataset_check.hpp"
#include "io/file_check.hpp"
#include "io/find_dataset.hpp"
#include "io/pieces.hpp"
#include "io/stored_type.hpp"

#include <fmt/format.h>

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

// All chunks that one index of `along` goes through: a chunk is then decompressed once although
// consecutive blocks share it. None if that is too much, or if nothing needs to be decompressed.
ChunkCache cache_for(const DatasetInfo& info, std::size_t along, std::int64_t element_bytes) {
  if (info.filters.empty() || info.chunk.empty()) return {};
  ChunkCache cache{1, element_bytes * count(info.chunk)};
  for (std::size_t axis = 0; axis < info.shape.size(); ++axis) {
    if (axis == along) continue;
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

OpenDataset open_and_inspect(const fs::path& file, const std::string& dataset, int axis) {
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

  // An axis that the dataset does not have is the plan's to refuse.
  const auto along = static_cast<std::size_t>(
      axis < 0 ? axis + static_cast<std::ptrdiff_t>(info.shape.size()) : axis);
  const ChunkCache cache =
      cache_for(info, along, static_cast<std::int64_t>(H5Tget_size(type.get())));
  if (cache.bytes > 0) {
    open.handle = reopen(open.file.get(), std::move(open.handle), cache, place);
    info.cache_bytes = cache.bytes;
  }
  return open;
}

// What is read before it is converted to smaller elements.
constexpr std::int64_t staging_bytes = std::int64_t{8} << 20;

}  // namespace

struct InputDataset::Impl {
  explicit Impl(OpenDataset dataset) : open(std::move(dataset)) {}

  void read(const Slab& slab, DType type, void* out) const;
  void read_through_staging(const Slab& slab, DType type, std::byte* out) const;
  void read_piece(const Piece& piece, void* out) const;
  void convert_piece(const Piece& piece, const Slab& slab, const void* source, DType type,
                     void* target) const;
  [[noreturn]] void fail_unheld(DType type, const std::string& where, const void* value) const;

  OpenDataset open;
};

void InputDataset::Impl::read(const Slab& slab, DType type, void* out) const {
  const DatasetInfo& info = open.info;
  if (!can_convert(info.dtype, type)) {
    throw Error(ExitCode::bad_data,
                open.place.name() + " is complex (" + info.stored_type +
                    ") and cannot be read as " + std::string(name(type)),
                "read it as c8 or c16");
  }
  auto* bytes = static_cast<std::byte*>(out);
  const std::size_t stored = size_of(info.dtype);
  const std::size_t wanted = size_of(type);
  if (stored > wanted) return read_through_staging(slab, type, bytes);
  const auto element = static_cast<std::int64_t>(wanted);
  for (const Piece& piece : cut_slab(info.shape, slab, element, info.chunk, max_bytes_per_call)) {
    // Smaller elements are read to the end of their place, where they have room to grow.
    std::byte* place = bytes + static_cast<std::size_t>(piece.offset) * wanted;
    std::byte* end = place + (wanted - stored) * static_cast<std::size_t>(piece.count);
    read_piece(piece, end);
    if (type != info.dtype || type == DType::boolean) convert_piece(piece, slab, end, type, place);
  }
}

void InputDataset::Impl::read_through_staging(const Slab& slab, DType type, std::byte* out) const {
  const DatasetInfo& info = open.info;
  const auto element = static_cast<std::int64_t>(size_of(info.dtype));
  // Chunks that are too large to be kept should at least not be decompressed for every small piece.
  const bool large_chunks = !info.filters.empty() && info.cache_bytes == 0;
  const std::int64_t limit =
      large_chunks ? std::clamp(element * count(info.chunk), staging_bytes, max_bytes_per_call)
                   : staging_bytes;
  std::vector<std::byte> staging;
  for (const Piece& piece : cut_slab(info.shape, slab, element, info.chunk, limit)) {
    staging.resize(std::max(staging.size(), static_cast<std::size_t>(piece.count * element)));
    read_piece(piece, staging.data());
    convert_piece(piece, slab, staging.data(), type,
                  out + static_cast<std::size_t>(piece.offset) * size_of(type));
  }
}

void InputDataset::Impl::read_piece(const Piece& piece, void* out) const {
  const Place& place = open.place;
  const SpaceHandle file_space(place.check(H5Dget_space(open.handle.get()), "look at its shape"));
  const SpaceHandle memory_space = select_piece(file_space.get(), piece, place);
  const TypeHandle type = memory_type_for(open.type);
  place.check(H5Dread(open.handle.get(), type.get(), memory_space.get(), file_space.get(),
                      H5P_DEFAULT, out),
              "read it");
}

void InputDataset::Impl::convert_piece(const Piece& piece, const Slab& slab, const void* source,
                                       DType type, void* target) const {
  const DType from = open.info.dtype;
  const std::int64_t bad = convert(from, source, type, target, piece.count);
  if (bad < 0) return;
  const auto* value =
      static_cast<const std::byte*>(source) + static_cast<std::size_t>(bad) * size_of(from);
  const Shape& shape = open.info.shape;
  if (shape.empty()) fail_unheld(type, "", value);
  const Shape inner(shape.begin() + static_cast<std::ptrdiff_t>(slab.axis) + 1, shape.end());
  const std::int64_t index =
      slab.range.begin + (piece.offset + bad) / count(inner) % slab.range.size();
  fail_unheld(type,
              slab.axis == 0 ? fmt::format(" in row {}", index)
                             : fmt::format(" at index {} of axis {}", index, slab.axis),
              value);
}

void InputDataset::Impl::fail_unheld(DType type, const std::string& where,
                                     const void* value) const {
  const DatasetInfo& info = open.info;
  throw Error(ExitCode::bad_data,
              fmt::format("{} ({}) holds values that {} cannot hold: {}{}", open.place.name(),
                          info.stored_type, name(type), value_text(info.dtype, value), where),
              fmt::format("read it as {}, or as another type that holds them", name(info.dtype)));
}

InputDataset::InputDataset(const Communicator& comm, const fs::path& file,
                           const std::string& dataset, int axis) {
  // Rank 0 alone looks first: if something is wrong, it is said once, and the file system is not
  // searched by thousands.
  on_root(comm, [&] {
    const OpenDataset open = open_and_inspect(file, dataset, axis);
    check_virtual_sources(open.handle.get(), open.place);
  });
  impl_ =
      agreed(comm, [&] { return std::make_unique<Impl>(open_and_inspect(file, dataset, axis)); });
}

InputDataset::~InputDataset() = default;
InputDataset::InputDataset(InputDataset&&) noexcept = default;
InputDataset& InputDataset::operator=(InputDataset&&) noexcept = default;

const DatasetInfo& InputDataset::info() const noexcept { return impl_->open.info; }

void InputDataset::read_slab(std::size_t axis, Range range, DType type, void* out) const {
  const Shape& shape = info().shape;
  if (axis >= shape.size()) {
    throw ShapeError(fmt::format("{} of shape {} has no axis {} to read along",
                                 impl_->open.place.name(), to_string(shape), axis));
  }
  if (range.begin < 0 || range.end < range.begin || range.end > shape[axis]) {
    throw ShapeError(fmt::format("{} to {} of axis {} are not within {} of shape {}", range.begin,
                                 range.end, axis, impl_->open.place.name(), to_string(shape)));
  }
  impl_->read({axis, range}, type, out);
}

void InputDataset::read_all(DType type, void* out) const {
  const Shape& shape = info().shape;
  impl_->read({0, {0, shape.empty() ? 1 : shape[0]}}, type, out);
}

bool same_file(const fs::path& a, const fs::path& b) {
  std::error_code error;
  if (fs::equivalent(a, b, error)) return true;
  if (fs::exists(a, error) && fs::exists(b, error)) return false;
  // A relative path of which nothing exists would stay relative.
  return fs::weakly_canonical(fs::absolute(a), error) ==
         fs::weakly_canonical(fs::absolute(b), error);
}

}  // namespace kmap::io
