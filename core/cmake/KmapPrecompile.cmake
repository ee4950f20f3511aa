# kmap_precompile(target headers): Kokkos and other large headers are most of what a file compiles. `target` takes them from the
# target `headers`, which has compiled them with much the same flags; where flags differ after all the compiler reads the text
# instead. Only GCC is so tolerant. ccache cannot keep such files, and needs no help.

include_guard(GLOBAL)

function(kmap_precompile target headers)
  if(TARGET ${headers}
     AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
     AND NOT CMAKE_CXX_COMPILER_LAUNCHER MATCHES "ccache"
     AND NOT Kokkos_DEVICES MATCHES "CUDA|HIP|SYCL")
    target_precompile_headers(${target} REUSE_FROM ${headers})
    # CMake gives programs -fPIE, with which GCC would not take what was compiled for libraries.
    target_compile_options(${target} PRIVATE -fPIC)
    set_target_properties(${target} PROPERTIES PCH_WARN_INVALID OFF)
  endif()
endfunction()
