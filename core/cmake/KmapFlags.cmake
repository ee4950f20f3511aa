# How this project's own sources are compiled. (What users' kernels need as well is on kmap::api, in core/CMakeLists.txt.)

include_guard(DIRECTORY)
include(KmapArch)

add_library(kmap_flags INTERFACE)
target_compile_options(
  kmap_flags
  INTERFACE -Wall
            -Wextra
            -Wpedantic
            -Wshadow
            -Wnon-virtual-dtor
            -Woverloaded-virtual
            -Wcast-qual
            -Wformat=2
            -Wundef
            -Wvla
            # Objects of one build only: the change of an argument's alignment between compilers does not matter.
            -Wno-psabi
            # GCC 12 to 14 see overlaps and overruns in std::string and std::vector that cannot be (such as GCC bug 105329).
            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict
            -Wno-stringop-overread -Wno-stringop-overflow -Wno-array-bounds>
            # GCC at -O3 takes the unused part of a std::optional or variant for a value in use.
            $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>
            ${KMAP_ARCH_FLAGS})
if(KMAP_WERROR)
  target_compile_options(kmap_flags INTERFACE -Werror)
endif()
