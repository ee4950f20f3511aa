# The target kmap_build_info gives the header `kmap_build_info.hpp`: version, git revision and how it was compiled. It is written
# anew at each build, but only when something in it changed, and only sources that include it are then compiled again.

include_guard(GLOBAL)

find_package(Git QUIET)
set(kmap_build_info_folder ${PROJECT_BINARY_DIR}/generated)
string(TOUPPER "${CMAKE_BUILD_TYPE}" kmap_build_type)
set(kmap_build_processor "${CMAKE_SYSTEM_PROCESSOR}")
if(KMAP_ARCH STREQUAL "native")
  cmake_host_system_information(RESULT kmap_build_processor QUERY PROCESSOR_DESCRIPTION)
endif()
list(JOIN KMAP_ARCH_FLAGS " " kmap_arch_text)
add_custom_target(
  kmap_write_build_info
  COMMAND
    ${CMAKE_COMMAND} -DGIT=${GIT_EXECUTABLE} -DSOURCE=${PROJECT_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
    "-DCOMPILER=${CMAKE_CXX_COMPILER_ID} ${CMAKE_CXX_COMPILER_VERSION}" "-DBUILD_TYPE=${CMAKE_BUILD_TYPE}"
    "-DARCH=${KMAP_ARCH}" "-DPROCESSOR=${kmap_build_processor}" "-DYAML_CPP_VERSION=${yaml-cpp_VERSION}"
    "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${kmap_build_type}} ${kmap_arch_text}"
    -DOUTPUT=${kmap_build_info_folder}/kmap_build_info.hpp -P ${CMAKE_CURRENT_LIST_DIR}/WriteBuildInfo.cmake
  BYPRODUCTS ${kmap_build_info_folder}/kmap_build_info.hpp
  COMMENT "Looking up the git revision"
  VERBATIM)
add_library(kmap_build_info INTERFACE)
target_include_directories(kmap_build_info INTERFACE ${kmap_build_info_folder})
add_dependencies(kmap_build_info kmap_write_build_info)
