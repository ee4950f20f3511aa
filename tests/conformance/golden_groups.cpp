#include "conformance/golden_groups.hpp"

#include "support/hdf5_handle.hpp"

#include <hdf5.h>

#include <sstream>
#include <stdexcept>

namespace kmap::test {

namespace {

using Texts = std::map<std::string, std::string>;

Texts attributes_of(hid_t group) {
  Texts texts;
  const auto add = [](hid_t at, const char* name, const H5A_info_t*, void* all) -> herr_t {
    const Hdf5Handle attribute(H5Aopen(at, name, H5P_DEFAULT), name);
    const Hdf5Handle type(H5Aget_type(attribute), name);
    std::string text(H5Tget_size(type), '\0');
    must(H5Aread(attribute, type, text.data()), name);
    (*static_cast<Texts*>(all))[name] = text.substr(0, text.find('\0'));
    return 0;
  };
  must(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &texts), "attributes");
  return texts;
}

std::vector<std::string> names_in(hid_t group) {
  std::vector<std::string> names;
  const auto add = [](hid_t, const char* name, const H5L_info_t*, void* list) -> herr_t {
    static_cast<std::vector<std::string>*>(list)->emplace_back(name);
    return 0;
  };
  must(H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, add, &names), "members");
  return names;
}

CaseArray array_in(hid_t group, const std::string& name, const std::string& type) {
  const Hdf5Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), name);
  const Hdf5Handle space(H5Dget_space(data), name);
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  CaseArray array{type, {shape.begin(), shape.end()}, {}};
  array.bytes.resize(static_cast<std::size_t>(count_of(array.shape)) * bytes_of(type));
  // The file is little-endian, and so are the machines that this runs on.
  const Hdf5Handle stored(H5Dget_type(data), name);
  if (H5Tget_size(stored) != bytes_of(type)) throw std::runtime_error(name + " is no " + type);
  must(H5Dread(data, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), name);
  return array;
}

// The arrays prefix0, prefix1, … of the types that an attribute lists.
std::vector<CaseArray> arrays_in(hid_t group, const std::string& prefix, Texts& texts) {
  std::vector<CaseArray> arrays;
  for (const std::string& type : split_text(texts[prefix + "_types"], ',')) {
    arrays.push_back(array_in(group, prefix + std::to_string(arrays.size()), type));
  }
  texts.erase(prefix + "_types");
  return arrays;
}

GoldenGroup read_group(hid_t file, const std::string& id) {
  const Hdf5Handle opened(H5Gopen2(file, id.c_str(), H5P_DEFAULT), id);
  GoldenGroup group;
  group.id = id;
  group.texts = attributes_of(opened);
  group.x = arrays_in(opened, "x", group.texts);
  group.y = arrays_in(opened, "y", group.texts);
  if (names_in(opened).size() != group.x.size() + group.y.size()) {
    throw std::runtime_error(id + ": has arrays without a type");
  }
  return group;
}

}  // namespace

std::vector<GoldenGroup> read_groups(const std::filesystem::path& file) {
  const Hdf5Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), file.string());
  std::vector<GoldenGroup> groups;
  for (const std::string& id : names_in(opened)) groups.push_back(read_group(opened, id));
  return groups;
}

std::vector<std::string> split_text(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<std::int64_t> numbers_of(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split_text(text, ',')) numbers.push_back(std::stol(part));
  return numbers;
}

}  // namespace kmap::test
