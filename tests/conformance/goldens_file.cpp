#include "conformance/goldens_file.hpp"

#include <hdf5.h>

#include <map>
#include <sstream>
#include <stdexcept>

namespace kmap::test {

namespace {

class Handle {
 public:
  Handle(hid_t id, const std::string& what) : id_(id) {
    if (id < 0) throw std::runtime_error("HDF5: " + what);
  }
  ~Handle() { H5Idec_ref(id_); }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  // NOLINTNEXTLINE(google-explicit-constructor): used as the identifier that it owns
  operator hid_t() const { return id_; }

 private:
  hid_t id_;
};

void must(herr_t status, const std::string& what) {
  if (status < 0) throw std::runtime_error("HDF5: " + what);
}

using Texts = std::map<std::string, std::string>;

Texts attributes_of(hid_t group) {
  Texts texts;
  const auto add = [](hid_t at, const char* name, const H5A_info_t*, void* all) -> herr_t {
    const Handle attribute(H5Aopen(at, name, H5P_DEFAULT), name);
    const Handle type(H5Aget_type(attribute), name);
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
  const Handle data(H5Dopen2(group, name.c_str(), H5P_DEFAULT), name);
  const Handle space(H5Dget_space(data), name);
  std::vector<hsize_t> shape(static_cast<std::size_t>(H5Sget_simple_extent_ndims(space)));
  H5Sget_simple_extent_dims(space, shape.data(), nullptr);
  CaseArray array{type, {shape.begin(), shape.end()}, {}};
  array.bytes.resize(static_cast<std::size_t>(count_of(array.shape)) * bytes_of(type));
  // The file is little-endian, and so are the machines that this runs on.
  const Handle stored(H5Dget_type(data), name);
  if (H5Tget_size(stored) != bytes_of(type)) throw std::runtime_error(name + " is no " + type);
  must(H5Dread(data, stored, H5S_ALL, H5S_ALL, H5P_DEFAULT, array.bytes.data()), name);
  return array;
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) {
    if (!part.empty()) parts.push_back(part);
  }
  return parts;
}

std::vector<std::int64_t> numbers_of(const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (const std::string& part : split(text, ',')) numbers.push_back(std::stol(part));
  return numbers;
}

std::vector<std::optional<int>> axes_of(const std::string& text) {
  std::vector<std::optional<int>> axes;
  for (const std::string& part : split(text, ',')) {
    axes.push_back(part == "none" ? std::nullopt : std::optional<int>(std::stoi(part)));
  }
  return axes;
}

// "pmap i in=0,none out=0 size=3; vmap j in=1,0 out=-1"
void read_levels(const std::string& text, Case& c) {
  std::vector<std::string> names;
  for (const std::string& one : split(text, ';')) {
    const auto words = split(one, ' ');
    MapLevel level;
    level.pmap = words.at(0) == "pmap";
    names.push_back(words.at(1));
    for (const std::string& word : words) {
      if (word.starts_with("in=")) level.in = axes_of(word.substr(3));
      if (word.starts_with("out=")) level.out = axes_of(word.substr(4));
      if (word.starts_with("size=")) level.size = std::stol(word.substr(5));
    }
    c.levels.push_back(level);
  }
  c.shadowed = names == std::vector<std::string>{"i", "i"};
}

void read_argument(const std::string& key, const std::string& value, Case& c) {
  if (key == "axis") {
    c.axis = std::stoi(value);
  } else if (key == "split") {
    c.split = std::stoi(value);
  } else if (key == "concat") {
    c.concat = std::stoi(value);
  } else if (key == "tiled") {
    c.tiled = value == "1";
  } else if (key == "source") {
    c.source = std::stol(value);
  } else if (key == "permutation") {
    c.permutation = numbers_of(value);
  } else if (key == "groups") {
    c.groups.emplace();
    for (const std::string& group : split(value, '/')) c.groups->push_back(numbers_of(group));
  } else if (key == "pairs") {
    for (const std::string& pair : split(value, '/')) {
      const auto ends = numbers_of(pair);
      c.pairs.emplace_back(ends.at(0), ends.at(1));
    }
  } else {
    throw std::runtime_error(c.id + ": unknown argument " + key);
  }
}

Case read_case(hid_t file, const std::string& id) {
  const Handle group(H5Gopen2(file, id.c_str(), H5P_DEFAULT), id);
  Case c;
  c.id = id;
  std::vector<std::string> x_types;
  std::vector<std::string> y_types;
  for (const auto& [key, text] : attributes_of(group)) {
    if (key == "kind") {
      c.kind = text;
    } else if (key == "op") {
      c.op = text;
    } else if (key == "levels") {
      read_levels(text, c);
    } else if (key == "names") {
      c.names = split(text, ',');
    } else if (key == "tolerance") {
      c.tolerance = std::stod(text);
    } else if (key == "x_types") {
      x_types = split(text, ',');
    } else if (key == "y_types") {
      y_types = split(text, ',');
    } else if (key == "arguments") {
      for (const std::string& word : split(text, ' ')) {
        const auto equals = word.find('=');
        read_argument(word.substr(0, equals), word.substr(equals + 1), c);
      }
    } else {
      throw std::runtime_error(id + ": unknown attribute " + key);
    }
  }
  for (std::size_t i = 0; i < x_types.size(); ++i) {
    c.x.push_back(array_in(group, "x" + std::to_string(i), x_types[i]));
  }
  for (std::size_t i = 0; i < y_types.size(); ++i) {
    c.y.push_back(array_in(group, "y" + std::to_string(i), y_types[i]));
  }
  if (c.x.empty() || c.y.empty() || c.levels.empty() ||
      names_in(group).size() != c.x.size() + c.y.size()) {
    throw std::runtime_error(id + ": arrays or levels are missing");
  }
  return c;
}

}  // namespace

std::vector<Case> read_cases(const std::filesystem::path& file) {
  const Handle opened(H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), file.string());
  std::vector<Case> cases;
  for (const std::string& id : names_in(opened)) cases.push_back(read_case(opened, id));
  return cases;
}

}  // namespace kmap::test
