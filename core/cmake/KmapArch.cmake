# KMAP_ARCH -> KMAP_ARCH_FLAGS. Checked by the compiler, since a wrong name otherwise shows only deep in the build.

include_guard(DIRECTORY)
include(CheckCXXCompilerFlag)

if(NOT DEFINED KMAP_ARCH)
  set(KMAP_ARCH native CACHE STRING "Processor to compile for: native, generic, or any value of -march")
endif()
if(KMAP_ARCH STREQUAL "generic")
  set(KMAP_ARCH_FLAGS "")
else()
  string(MAKE_C_IDENTIFIER "KMAP_ARCH_IS_${KMAP_ARCH}" kmap_arch_check)
  check_cxx_compiler_flag(-march=${KMAP_ARCH} ${kmap_arch_check})
  if(${kmap_arch_check})
    set(KMAP_ARCH_FLAGS -march=${KMAP_ARCH})
    # Compilers take half of an AVX-512 register by default, for the sake of programs that use few of them.
    check_cxx_compiler_flag(-mprefer-vector-width=512 KMAP_CAN_PREFER_WHOLE_REGISTERS)
    if(KMAP_CAN_PREFER_WHOLE_REGISTERS)
      list(APPEND KMAP_ARCH_FLAGS -mprefer-vector-width=512)
    endif()
  elseif(KMAP_ARCH STREQUAL "native")
    set(KMAP_ARCH_FLAGS "") # a compiler without -march=native
  else()
    message(FATAL_ERROR "kmap: the compiler does not accept -march=${KMAP_ARCH}.\n"
                        "  Remedy: KMAP_ARCH is native, generic, or a processor that ${CMAKE_CXX_COMPILER} knows.")
  endif()
endif()
# For the few sources that must run on every processor of the family: given after the flags above, it replaces them.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(KMAP_OLDEST_ARCH_FLAGS -march=x86-64)
else()
  set(KMAP_OLDEST_ARCH_FLAGS "")
endif()
