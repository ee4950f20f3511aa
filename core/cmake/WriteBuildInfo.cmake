# Run at build time by KmapBuildInfo.cmake: writes OUTPUT, and touches it only when its content changes.

set(REVISION "unknown")
if(GIT AND EXISTS ${SOURCE}/.git)
  execute_process(
    COMMAND ${GIT} -c safe.directory=* -C ${SOURCE} rev-parse --short=12 HEAD
    OUTPUT_VARIABLE head
    OUTPUT_STRIP_TRAILING_WHITESPACE
    ERROR_QUIET
    RESULT_VARIABLE failed)
  if(NOT failed)
    set(REVISION ${head})
    execute_process(
      COMMAND ${GIT} -c safe.directory=* -C ${SOURCE} status --porcelain --untracked-files=no
      OUTPUT_VARIABLE changes
      ERROR_QUIET)
    if(changes)
      string(APPEND REVISION "-dirty")
    endif()
  endif()
endif()
string(STRIP "${FLAGS}" FLAGS)
string(REGEX REPLACE "[ ;]+" " " FLAGS "${FLAGS}")
foreach(value IN ITEMS VERSION REVISION COMPILER BUILD_TYPE FLAGS ARCH PROCESSOR YAML_CPP_VERSION)
  string(REPLACE "\\" "\\\\" ${value} "${${value}}")
  string(REPLACE "\"" "\\\"" ${value} "${${value}}")
endforeach()
string(CONFIGURE [[
#pragma once
// Written by the build: how this kmap was made.

namespace kmap::build_info {

inline constexpr const char* version = "@VERSION@";
inline constexpr const char* git_revision = "@REVISION@";
inline constexpr const char* compiler = "@COMPILER@";
inline constexpr const char* build_type = "@BUILD_TYPE@";
inline constexpr const char* flags = "@FLAGS@";
inline constexpr const char* arch = "@ARCH@";  // KMAP_ARCH
inline constexpr const char* processor = "@PROCESSOR@";  // that `native` stood for
inline constexpr const char* yaml_cpp_version = "@YAML_CPP_VERSION@";

}  // namespace kmap::build_info
]] content @ONLY)
set(previous "")
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} previous)
endif()
if(NOT previous STREQUAL content)
  file(WRITE ${OUTPUT} "${content}")
endif()
