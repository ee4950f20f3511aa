#include "io/handles.hpp"

#include <vector>

namespace kmap::io {
namespace {

herr_t collect(unsigned, const H5E_error2_t* error, void* list) {
  if (error->desc != nullptr && *error->desc != '\0') {
    static_cast<std::vector<std::string>*>(list)->emplace_back(error->desc);
  }
  return 0;
}

std::vector<std::string> take_descriptions() {
  std::vector<std::string> list;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, collect, &list);
  H5Eclear2(H5E_DEFAULT);
  return list;
}

}  // namespace

void keep_hdf5_quiet() noexcept { H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr); }

std::string hdf5_reason() {
  const std::vector<std::string> list = take_descriptions();
  return list.empty() ? "HDF5 gives no reason" : list.front();
}

std::string hdf5_full_reason() {
  std::string text;
  for (const std::string& line : take_descriptions()) text += line + "\n";
  return text;
}

void Place::fail(const char* doing) const {
  throw Error(failure, name() + ": cannot " + doing + ": " + hdf5_reason());
}

}  // namespace kmap::io
