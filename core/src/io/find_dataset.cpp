#include "io/find_dataset.hpp"

#include "runtime/nearest.hpp"

#include <algorithm>
#include <vector>

namespace kmap::io {
namespace {

constexpr std::size_t most_links = 20000;  // looked at for suggestions

// The paths of all datasets below `group` (absolute), as far as hard links lead.
class DatasetWalk {
 public:
  explicit DatasetWalk(hid_t file, const std::string& group)
      : file_(file), prefix_(group == "/" ? group : group + "/") {
    H5Lvisit_by_name(file, group.c_str(), H5_INDEX_NAME, H5_ITER_NATIVE, &visit, this, H5P_DEFAULT);
    H5Eclear2(H5E_DEFAULT);  // suggestions are a courtesy
    std::sort(paths_.begin(), paths_.end());
  }

  std::vector<std::string> paths() && { return std::move(paths_); }

 private:
  static herr_t visit(hid_t, const char* name, const H5L_info_t* link, void* self) {
    auto& walk = *static_cast<DatasetWalk*>(self);
    if (++walk.links_ > most_links) return 1;
    if (link->type != H5L_TYPE_HARD) return 0;
    const std::string path = walk.prefix_ + name;
    const ObjectHandle object(H5Oopen(walk.file_, path.c_str(), H5P_DEFAULT));
    if (object && H5Iget_type(object.get()) == H5I_DATASET) walk.paths_.push_back(path);
    return 0;
  }

  hid_t file_;
  std::string prefix_;
  std::size_t links_ = 0;
  std::vector<std::string> paths_;
};

std::string leaf(const std::string& path) { return path.substr(path.rfind('/') + 1); }

std::string listed(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  return names.size() > most ? text + ", …" : text;
}

// Paths that `wanted` may stand for: those of the same last name, then those that are written
// alike.
std::vector<std::string> suggestions(const std::string& wanted,
                                     const std::vector<std::string>& paths) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& path) {
    if (std::find(found.begin(), found.end(), path) == found.end()) found.push_back(path);
  };
  for (const std::string& path : paths) {
    if (leaf(path) == leaf(wanted)) add(path);
  }
  for (const std::string& path : detail::nearest_names(wanted, paths)) add(path);
  std::vector<std::string> leaves;
  for (const std::string& path : paths) leaves.push_back(leaf(path));
  for (const std::string& name : detail::nearest_names(leaf(wanted), leaves)) {
    for (const std::string& path : paths) {
      if (leaf(path) == name) add(path);
    }
  }
  return found;
}

std::string remedy_for_missing(hid_t file, const std::string& wanted) {
  const std::vector<std::string> paths = DatasetWalk(file, "/").paths();
  if (paths.empty()) return "the file holds no datasets";
  const std::vector<std::string> near = suggestions(wanted, paths);
  if (!near.empty()) return "did you mean " + listed(near, 3) + "?";
  return "the file holds " + listed(paths, 8);
}

std::string soft_target(hid_t file, const std::string& path, std::size_t size) {
  std::string target(size, '\0');
  if (H5Lget_val(file, path.c_str(), target.data(), target.size(), H5P_DEFAULT) < 0) return "?";
  return target.c_str();
}

std::string external_target(hid_t file, const std::string& path, std::size_t size) {
  std::string packed(size, '\0');
  const char* other_file = nullptr;
  const char* object = nullptr;
  if (H5Lget_val(file, path.c_str(), packed.data(), packed.size(), H5P_DEFAULT) < 0 ||
      H5Lunpack_elink_val(packed.data(), packed.size(), nullptr, &other_file, &object) < 0) {
    return "?";
  }
  return std::string(other_file) + ":" + object;
}

// Throws if the link at `path`, which exists, is one to nowhere.
void check_link(hid_t file, const std::string& path, const Place& place) {
  H5L_info_t link;
  place.check(H5Lget_info(file, path.c_str(), &link, H5P_DEFAULT), "look at a link");
  if (link.type != H5L_TYPE_SOFT && link.type != H5L_TYPE_EXTERNAL) return;
  if (H5Oexists_by_name(file, path.c_str(), H5P_DEFAULT) > 0) return;
  const ObjectHandle object(H5Oopen(file, path.c_str(), H5P_DEFAULT));  // for its reason
  const std::string reason = hdf5_reason();
  const bool soft = link.type == H5L_TYPE_SOFT;
  const std::string target = soft ? soft_target(file, path, link.u.val_size)
                                  : external_target(file, path, link.u.val_size);
  const bool is_circle = soft && reason.find("too many") != std::string::npos;
  const std::string where = path == place.dataset ? "" : ": " + path;
  throw Error(ExitCode::no_input,
              place.name() + where + " is " + (soft ? "a soft link to " : "an external link to ") +
                  target + ", which " +
                  (is_circle ? "leads back to it"
                   : soft    ? "does not exist"
                             : "cannot be opened (" + reason + ")"),
              soft ? ""
                   : "the other file is searched beside this one, in the folders of the "
                     "environment variable HDF5_EXT_PREFIX, and in the current folder");
}

[[noreturn]] void fail_not_a_dataset(hid_t file, const std::string& path, H5I_type_t type,
                                     const Place& place) {
  if (type != H5I_GROUP) {
    throw Error(ExitCode::no_input, place.name() + " is a named type, not a dataset");
  }
  const std::vector<std::string> inside = DatasetWalk(file, path).paths();
  throw Error(ExitCode::no_input, place.name() + " is a group, not a dataset",
              inside.empty() ? "it holds no datasets" : "it holds " + listed(inside, 8));
}

bool is_group(hid_t file, const std::string& path) {
  const ObjectHandle object(H5Oopen(file, path.empty() ? "/" : path.c_str(), H5P_DEFAULT));
  return object && H5Iget_type(object.get()) == H5I_GROUP;
}

// Throws if the way to `path` ends before it, naming where.
void check_way(hid_t file, const std::string& path, const Place& place) {
  for (std::size_t slash = 0; slash != std::string::npos;) {
    const std::size_t next = path.find('/', slash + 1);
    const std::string so_far = path.substr(0, next);
    const htri_t there = H5Lexists(file, so_far.c_str(), H5P_DEFAULT);
    if (there <= 0) {
      const std::string reason = hdf5_reason();
      if (there < 0 && is_group(file, path.substr(0, slash))) {
        throw Error(ExitCode::bad_data,
                    place.name() + " cannot be looked up, as the file is damaged: " + reason,
                    "copy or write the file again");
      }
      H5Eclear2(H5E_DEFAULT);  // what is before it may be no group
      throw Error(ExitCode::no_input, place.file + " has no dataset " + path,
                  remedy_for_missing(file, path));
    }
    check_link(file, so_far, place);
    slash = next;
  }
}

}  // namespace

std::string absolute_path(const std::string& dataset) {
  std::string path;
  for (std::size_t begin = 0; begin < dataset.size();) {
    const std::size_t end = std::min(dataset.find('/', begin), dataset.size());
    if (end > begin) path += "/" + dataset.substr(begin, end - begin);
    begin = end + 1;
  }
  return path.empty() ? "/" : path;
}

DatasetHandle open_dataset(hid_t file, const Place& place) {
  const std::string& path = place.dataset;
  if (path != "/") check_way(file, path, place);
  const ObjectHandle object(
      place.check(H5Oopen(file, path.c_str(), H5P_DEFAULT), "open what stands there"));
  const H5I_type_t type = H5Iget_type(object.get());
  if (type != H5I_DATASET) fail_not_a_dataset(file, path, type, place);
  return DatasetHandle(place.check(H5Dopen2(file, path.c_str(), H5P_DEFAULT), "open the dataset"));
}

}  // namespace kmap::io
