#include "io/filters.hpp"

#include <array>

namespace kmap::io {

const std::vector<Filter>& known_filters() {
  static const std::vector<Filter> filters = {{H5Z_FILTER_DEFLATE, "gzip"},
                                              {H5Z_FILTER_SHUFFLE, "shuffle"},
                                              {H5Z_FILTER_FLETCHER32, "fletcher32"},
                                              {H5Z_FILTER_SZIP, "szip"},
                                              {H5Z_FILTER_NBIT, "nbit"},
                                              {H5Z_FILTER_SCALEOFFSET, "scaleoffset"},
                                              {307, "bzip2"},
                                              {32000, "lzf"},
                                              {32001, "blosc"},
                                              {32004, "lz4"},
                                              {32008, "bitshuffle"},
                                              {32010, "fpzip"},
                                              {32013, "zfp"},
                                              {32015, "zstd"},
                                              {32017, "sz"},
                                              {32018, "fcidecomp"},
                                              {32019, "jpeg"},
                                              {32023, "granular bitround"},
                                              {32024, "sz3"},
                                              {32026, "blosc2"}};
  return filters;
}

bool can_decode(H5Z_filter_t number) {
  unsigned abilities = 0;
  const bool able = H5Zfilter_avail(number) > 0 && H5Zget_filter_info(number, &abilities) >= 0 &&
                    (abilities & H5Z_FILTER_CONFIG_DECODE_ENABLED) != 0;
  H5Eclear2(H5E_DEFAULT);
  return able;
}

std::vector<std::string> plugin_folders() {
  unsigned count = 0;
  if (H5PLsize(&count) < 0) count = 0;
  std::vector<std::string> folders;
  for (unsigned i = 0; i < count; ++i) {
    std::array<char, 1024> folder{};
    if (H5PLget(i, folder.data(), folder.size()) >= 0) folders.emplace_back(folder.data());
  }
  H5Eclear2(H5E_DEFAULT);
  return folders;
}

}  // namespace kmap::io
