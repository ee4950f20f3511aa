#include "apps/arrays.hpp"

#include "support/hdf5_handle.hpp"

#include <hdf5.h>

#include <numeric>
#include <stdexcept>

namespace kmap::test {

namespace {

hid_t real_type(const std::string& type, bool big_endian) {
  const char kind = type.front();
  const hid_t native = type == "f4"   ? H5T_NATIVE_FLOAT
                       : type == "f8" ? H5T_NATIVE_DOUBLE
                       : type == "i1" ? H5T_NATIVE_INT8
                       : type == "i2" ? H5T_NATIVE_INT16
                       : type == "i4" ? H5T_NATIVE_INT32
                       : type == "i8" ? H5T_NATIVE_INT64
                       : type == "u1" ? H5T_NATIVE_UINT8
                       : type == "u2" ? H5T_NATIVE_UINT16
                       : type == "u4" ? H5T_NATIVE_UINT32
                       : type == "u8" ? H5T_NATIVE_UINT64
                                      : -1;
  const hid_t copy = H5Tcopy(must(native, kind == 'c' ? "complex" : "unknown type"));
  if (big_endian) {
    const bool little = H5Tget_order(copy) == H5T_ORDER_LE;
    H5Tset_order(copy, little ? H5T_ORDER_BE : H5T_ORDER_LE);
  }
  return copy;
}

hid_t make_type(const std::string& type, bool big_endian) {
  if (type.front() != 'c') return real_type(type, big_endian);
  const std::string part = type == "c8" ? "f4" : "f8";
  const auto size = static_cast<std::size_t>(bytes_of_type(part));
  const Hdf5Handle member(real_type(part, big_endian), "type");
  const hid_t compound = H5Tcreate(H5T_COMPOUND, 2 * size);
  H5Tinsert(compound, "r", 0, member);
  H5Tinsert(compound, "i", size, member);
  return compound;
}

std::string type_name(hid_t type) {
  const std::size_t size = H5Tget_size(type);
  switch (H5Tget_class(type)) {
    case H5T_INTEGER:
      return (H5Tget_sign(type) == H5T_SGN_NONE ? "u" : "i") + std::to_string(size);
    case H5T_FLOAT:
      return "f" + std::to_string(size);
    case H5T_COMPOUND:
      return "c" + std::to_string(size);
    default:
      throw std::runtime_error("HDF5: a type that is no number");
  }
}

Hdf5Handle open_file(const std::filesystem::path& file) {
  return {H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), file.c_str()};
}

// Chunks that do not divide most shapes.
void set_chunks(hid_t properties, const std::vector<hsize_t>& shape) {
  std::vector<hsize_t> chunk;
  constexpr hsize_t most[] = {3, 50, 2};
  for (std::size_t d = 0; d < shape.size(); ++d) {
    chunk.push_back(std::clamp<hsize_t>(shape[d], 1, most[std::min<std::size_t>(d, 2)]));
  }
  must(H5Pset_chunk(properties, static_cast<int>(chunk.size()), chunk.data()), "chunk");
  must(H5Pset_shuffle(properties), "shuffle");
  must(H5Pset_deflate(properties, 4), "deflate");
  must(H5Pset_fletcher32(properties), "fletcher32");
}

}  // namespace

std::int64_t Array::size() const {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

std::int64_t bytes_of_type(const std::string& type) { return std::stol(type.substr(1)); }

Array read_array(const std::filesystem::path& file, const std::string& dataset) {
  const Hdf5Handle opened = open_file(file);
  const Hdf5Handle data(H5Dopen2(opened, dataset.c_str(), H5P_DEFAULT), dataset.c_str());
  const Hdf5Handle space(H5Dget_space(data), "space");
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  const Hdf5Handle stored(H5Dget_type(data), "type");
  Array array{type_name(stored), {shape.begin(), shape.end()}, {}};
  array.bytes.resize(static_cast<std::size_t>(array.size() * bytes_of_type(array.type)));
  const Hdf5Handle memory(make_type(array.type, false), "type");
  must(H5Dread(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), "read");
  return array;
}

void write_array(const std::filesystem::path& file, const std::string& dataset, const Array& array,
                 Layout layout) {
  const bool exists = std::filesystem::exists(file);
  const Hdf5Handle opened(exists ? H5Fopen(file.c_str(), H5F_ACC_RDWR, H5P_DEFAULT)
                                 : H5Fcreate(file.c_str(), H5F_ACC_EXCL, H5P_DEFAULT, H5P_DEFAULT),
                          file.c_str());
  const std::vector<hsize_t> shape(array.shape.begin(), array.shape.end());
  const auto rank = static_cast<int>(shape.size());
  const Hdf5Handle space(H5Screate_simple(rank, shape.data(), nullptr), "space");
  const Hdf5Handle stored(make_type(array.type, layout == Layout::big_endian), "type");
  const Hdf5Handle memory(make_type(array.type, false), "type");
  const Hdf5Handle links(H5Pcreate(H5P_LINK_CREATE), "properties");
  H5Pset_create_intermediate_group(links, 1);
  const Hdf5Handle creation(H5Pcreate(H5P_DATASET_CREATE), "properties");
  if (layout == Layout::chunked && rank > 0) set_chunks(creation, shape);
  const Hdf5Handle data(
      H5Dcreate2(opened, dataset.c_str(), stored, space, links, creation, H5P_DEFAULT),
      dataset.c_str());
  must(H5Dwrite(data, memory, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), "write");
}

std::vector<std::string> members(const std::filesystem::path& file, const std::string& group) {
  const Hdf5Handle opened = open_file(file);
  const Hdf5Handle at(H5Gopen2(opened, group.c_str(), H5P_DEFAULT), group.c_str());
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  must(H5Literate(at, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "iterate");
  return names;
}

}  // namespace kmap::test
