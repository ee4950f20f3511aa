#include "io/dataset_check.hpp"

#include "io/filters.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <utility>

namespace kmap::io {
namespace fs = std::filesystem;
namespace {

// ---- filters ----

std::string filter_name(H5Z_filter_t number, const std::string& stored) {
  for (const Filter& filter : known_filters()) {
    if (filter.number == number) return filter.name;
  }
  return stored.empty() ? "unnamed" : stored;
}

std::string searched_folders() {
  std::string text;
  for (const std::string& folder : plugin_folders()) text += (text.empty() ? "" : ", ") + folder;
  return text.empty() ? "no folder" : text;
}

// ---- virtual datasets ----

std::string virtual_file(hid_t creation, std::size_t mapping, const Place& place) {
  const ssize_t length = place.check(H5Pget_virtual_filename(creation, mapping, nullptr, 0),
                                     "look at the sources of the virtual dataset");
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  H5Pget_virtual_filename(creation, mapping, name.data(), name.size());
  return name.c_str();
}

std::string virtual_dataset(hid_t creation, std::size_t mapping, const Place& place) {
  const ssize_t length = place.check(H5Pget_virtual_dsetname(creation, mapping, nullptr, 0),
                                     "look at the sources of the virtual dataset");
  std::string name(static_cast<std::size_t>(length) + 1, '\0');
  H5Pget_virtual_dsetname(creation, mapping, name.data(), name.size());
  return name.c_str();
}

// Names with a %b stand for a series of sources, which ends with the first that is missing.
std::string first_of_series(std::string name) {
  for (std::size_t at = 0; (at = name.find('%', at)) != std::string::npos; ++at) {
    if (name.compare(at, 2, "%b") == 0) name.replace(at, 2, "0");
    if (name.compare(at, 2, "%%") == 0) name.erase(at, 1);
  }
  return name;
}

// Where HDF5 looks for the file of a source, in its order.
std::vector<fs::path> candidates(const fs::path& name, const fs::path& virtual_file) {
  std::vector<fs::path> paths;
  if (name.is_absolute()) paths.push_back(name);
  const fs::path relative = name.is_absolute() ? name.filename() : name;
  if (const char* prefixes = std::getenv("HDF5_VDS_PREFIX")) {
    std::string list = prefixes;
    for (std::size_t begin = 0; begin < list.size();) {
      const std::size_t end = std::min(list.find(':', begin), list.size());
      if (end > begin) paths.push_back(fs::path(list.substr(begin, end - begin)) / relative);
      begin = end + 1;
    }
  }
  paths.push_back(virtual_file.parent_path() / relative);
  paths.push_back(relative);
  std::error_code ignored;
  paths.push_back(fs::canonical(virtual_file, ignored).parent_path() / relative);
  return paths;
}

fs::path file_of(hid_t object) {
  const ssize_t length = H5Fget_name(object, nullptr, 0);
  std::string name(static_cast<std::size_t>(std::max<ssize_t>(length, 0)) + 1, '\0');
  H5Fget_name(object, name.data(), name.size());
  return name.c_str();
}

class VirtualSources {
 public:
  explicit VirtualSources(const Place& place) : place_(place) {}

  void check(hid_t dataset) {
    const PropertyHandle creation(place_.check(H5Dget_create_plist(dataset), "look at the layout"));
    if (H5Pget_layout(creation.get()) != H5D_VIRTUAL) return;
    const fs::path here = file_of(dataset);
    std::size_t mappings = 0;
    place_.check(H5Pget_virtual_count(creation.get(), &mappings), "look at its sources");
    for (std::size_t i = 0; i < mappings; ++i) {
      const std::string file = first_of_series(virtual_file(creation.get(), i, place_));
      const std::string source = first_of_series(virtual_dataset(creation.get(), i, place_));
      if (seen_.emplace(here.string() + "\n" + file, source).second) {
        check_source(dataset, here, file, source);
      }
    }
  }

 private:
  void check_source(hid_t dataset, const fs::path& here, const std::string& file,
                    const std::string& source) {
    FileHandle other;
    DatasetHandle found;
    if (file == ".") {
      found = DatasetHandle(H5Dopen2(dataset, source.c_str(), H5P_DEFAULT));
    } else {
      for (const fs::path& path : candidates(file, here)) {
        other = FileHandle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT));
        if (other) break;
      }
      if (!other) fail("the file " + file + " cannot be opened (" + hdf5_reason() + ")");
      found = DatasetHandle(H5Dopen2(other.get(), source.c_str(), H5P_DEFAULT));
    }
    if (!found) fail((file == "." ? here.string() : file) + " has no dataset " + source);
    H5Eclear2(H5E_DEFAULT);
    check(found.get());  // it may be virtual too
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw Error(ExitCode::no_input,
                place_.name() + " is a virtual dataset, and a source of it is missing: " + what,
                "sources are searched beside the file, in the folders of the environment variable "
                "HDF5_VDS_PREFIX, and in the current folder");
  }

  const Place& place_;
  std::set<std::pair<std::string, std::string>> seen_;
};

}  // namespace

std::vector<std::string> check_filters(hid_t creation, const Place& place) {
  std::vector<std::string> names;
  const int filters = place.check(H5Pget_nfilters(creation), "look at its filters");
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0;
    std::size_t values = 0;
    std::array<char, 256> stored{};
    const H5Z_filter_t number =
        place.check(H5Pget_filter2(creation, static_cast<unsigned>(i), &flags, &values, nullptr,
                                   stored.size() - 1, stored.data(), nullptr),
                    "look at its filters");
    names.push_back(filter_name(number, stored.data()));
    if (can_decode(number)) continue;
    throw Error(ExitCode::no_input,
                place.name() + " is compressed with filter " + std::to_string(number) + " (" +
                    names.back() + "), which is not available; plugins were searched in " +
                    searched_folders(),
                "install the filter's plugin and name its folder in the environment variable "
                "HDF5_PLUGIN_PATH");
  }
  return names;
}

void check_virtual_sources(hid_t dataset, const Place& place) {
  VirtualSources(place).check(dataset);
}

Shape dataset_shape(hid_t dataset, const Place& place) {
  const SpaceHandle space(place.check(H5Dget_space(dataset), "look at its shape"));
  if (H5Sget_simple_extent_type(space.get()) == H5S_NULL) {
    throw Error(ExitCode::bad_data,
                place.name() + " is empty (a null dataspace): it has no axes and no values");
  }
  const int rank = place.check(H5Sget_simple_extent_ndims(space.get()), "look at its shape");
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  place.check(H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr), "look at its shape");
  return {extents.begin(), extents.end()};
}

}  // namespace kmap::io
