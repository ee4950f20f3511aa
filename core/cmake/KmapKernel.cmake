# kmap_add_kernel(name SOURCES file… [LIBRARIES target…]) makes a kernel of the `kmap` command, which calls these libraries.
#
# Inside kmap's own tree its objects are linked into the driver: the registration in a static initialiser cannot vanish, as it does
# from a static library, and thousands of ranks load one file. Outside, after find_package(kmap), the same call makes the plug-in
# `name.so`, which the driver loads when the environment variable KMAP_PLUGINS names it or its folder.

include_guard(GLOBAL)

function(kmap_add_kernel name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "kmap_add_kernel(${name}): unknown argument ${arg_UNPARSED_ARGUMENTS}; it is (name SOURCES file… [LIBRARIES target…])")
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
endfunction()
