# kmap_add_kernel(name SOURCES file… [LIBRARIES target…] [REPORT]) makes a kernel of the `kmap` command, which calls these libraries.
#
# REPORT has the build say, whenever it has compiled them, whether the loops over examples were vectorised, for each choice of
# element types, and if not, why, where and what to do (KmapVectorReport.cmake): for hosts, and by GCC alone.
#
# Inside kmap's own tree its objects are linked into the driver: the registration in a static initialiser cannot vanish, as it does
# from a static library, and thousands of ranks load one file. Outside, after find_package(kmap), the same call makes the plug-in
# `name.so`, which the driver loads when the environment variable KMAP_PLUGINS names it or its folder.

include_guard(GLOBAL)

# kmap_record_vectors(target): its compiler writes down what became of loops. Only GCC does, and for hosts.
function(kmap_record_vectors target)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
    target_compile_options(${target} PRIVATE -fdump-tree-vect-optimized-missed-lineno)
  endif()
endfunction()

# kmap_report_vectors(name target): whenever it was compiled, the build says what was written.
function(kmap_report_vectors name target)
  set(script ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/KmapVectorReport.cmake)
  set(stamp ${CMAKE_CURRENT_BINARY_DIR}/${target}.reported)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${CMAKE_COMMAND} -DNAME=${name} "-DOBJECTS=$<TARGET_OBJECTS:${target}>" -DROOT=${CMAKE_SOURCE_DIR} -P
            ${script}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS $<TARGET_OBJECTS:${target}> ${script}
    COMMENT "Whether the loops of ${name} over examples are vectorised"
    VERBATIM)
  add_custom_target(${target}_report ALL DEPENDS ${stamp})
endfunction()

function(kmap_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "REPORT" "" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kmap_add_kernel(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}; it is (name SOURCES file… [LIBRARIES target…] [REPORT])")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "kmap_add_kernel(${name}): SOURCES are missing")
  endif()

  if(TARGET kmap_kernels)
    set(target kmap_kernel_${name})
    add_library(${target} OBJECT ${arg_SOURCES})
    target_link_libraries(${target} PRIVATE kmap::api kmap_flags ${arg_LIBRARIES})
    kmap_precompile(${target} kmap_precompiled)
    target_sources(kmap_kernels INTERFACE $<TARGET_OBJECTS:${target}>)
    target_link_libraries(kmap_kernels INTERFACE ${arg_LIBRARIES})
    set_property(GLOBAL APPEND PROPERTY KMAP_KERNELS ${name})
  else()
    include(KmapArch)
    set(target ${name})
    add_library(${target} MODULE ${arg_SOURCES})
    set_target_properties(${target} PROPERTIES PREFIX "" POSITION_INDEPENDENT_CODE ON)
    target_compile_options(${target} PRIVATE ${KMAP_ARCH_FLAGS} $<$<CONFIG:>:-O3>)
    # The library itself comes from the driver that loads the plug-in: a second copy would have a registry of its own. So does a
    # static Kokkos, of which the driver holds all.
    get_target_property(kokkos_type Kokkos::kokkoscore TYPE)
    if(kokkos_type STREQUAL "STATIC_LIBRARY")
      target_include_directories(${target} SYSTEM PRIVATE $<TARGET_PROPERTY:kmap::api,INTERFACE_INCLUDE_DIRECTORIES>)
      target_compile_definitions(${target} PRIVATE $<TARGET_PROPERTY:kmap::api,INTERFACE_COMPILE_DEFINITIONS>)
      target_compile_options(${target} PRIVATE $<TARGET_PROPERTY:kmap::api,INTERFACE_COMPILE_OPTIONS>)
      target_compile_features(${target} PRIVATE cxx_std_20)
    else()
      target_link_libraries(${target} PRIVATE kmap::api)
    endif()
    target_link_libraries(${target} PRIVATE ${arg_LIBRARIES})
  endif()

  if(arg_REPORT OR (TARGET kmap_kernels AND KMAP_BUILD_TESTS)) # tests/build/vectors looks at all
    kmap_record_vectors(${target})
  endif()
  if(arg_REPORT)
    kmap_report_vectors(${name} ${target})
  endif()
endfunction()
