#pragma once
// What Kokkos Tools see: regions, and labels that name the function of a map.

#include "kmap/detail/inside_map.hpp"

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace kmap::detail {

/// A region for Kokkos Tools, from here to the end of the scope; without a tool it costs a function
/// call. What a mapped function does itself is inside the map's region, and may run on several
/// threads, for which tools are not made: it makes none.
class Region {
 public:
  explicit Region(const char* name) : Region(name, {}) {}
  /// `before` and `name` as one name.
  Region(const char* before, std::string_view name)
      : is_seen_(Kokkos::Profiling::profileLibraryLoaded() && !InsideMap::here()) {
    if (is_seen_) begin(before, name);
  }
  ~Region() {
    if (is_seen_) Kokkos::Profiling::popRegion();
  }
  Region(const Region&) = delete;
  Region& operator=(const Region&) = delete;

 private:
  // Apart, so that maps stay small.
  [[gnu::cold, gnu::noinline]] static void begin(const char* before, std::string_view name) {
    Kokkos::Profiling::pushRegion(std::string(before).append(name));
  }

  bool is_seen_;
};

/// This function's name as the compiler writes it, with T somewhere in it.
template <class T>
constexpr std::string_view name_with_type() {
  return __PRETTY_FUNCTION__;
}

/// A type's name as the compiler writes it: `(anonymous namespace)::Scale<double>`.
template <class T>
constexpr std::string_view long_type_name() {
  constexpr std::string_view known = "double";
  const std::string_view around = name_with_type<double>();
  const std::string_view name = name_with_type<T>();
  const std::size_t before = around.find(known);
  return name.substr(before, name.size() - (around.size() - known.size()));
}

constexpr bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Without what it is in and its template's arguments: `Scale`; "lambda" for a type without a name.
constexpr std::string_view short_type_name(std::string_view name) {
  constexpr std::string_view opening = "<([{";
  constexpr std::string_view closing = ">)]}";
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const bool is_arrow = i > 0 && name[i] == '>' && name[i - 1] == '-';
    if (opening.find(name[i]) != opening.npos) ++depth;
    if (closing.find(name[i]) != closing.npos && !is_arrow) --depth;
    if (depth == 0 && name[i] == ':') begin = i + 1;
  }
  std::size_t end = begin;
  while (end < name.size() && is_of_word(name[end])) ++end;
  return begin == end ? "lambda" : name.substr(begin, end - begin);
}

/// A label made by the compiler; a name that is too long for it is cut.
struct LabelText {
  char text[96] = {};
  constexpr LabelText(std::string_view before, std::string_view name) {
    std::size_t size = 0;
    for (const std::string_view part : {before, name}) {
      for (const char c : part) {
        if (size + 1 < sizeof text) text[size++] = c;
      }
    }
  }
};

/// The labels of what is done with functions of type F, `kmap:vmap:Square`.
template <class F>
struct Labels {
  static constexpr std::string_view name = short_type_name(long_type_name<F>());
  static constexpr LabelText vmap{"kmap:vmap:", name};
  static constexpr LabelText map{"kmap:map:", name};
  static constexpr LabelText pmap{"kmap:pmap:", name};
  static constexpr LabelText random{"kmap:random:", name};
};

}  // namespace kmap::detail
