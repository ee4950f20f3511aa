# FFTW 3 in double and single precision: the targets FFTW3::fftw3 and FFTW3::fftw3f. FFTW's own package files are not used: those of
# its CMake build know one precision only, and those of its Autotools build, which distributions ship, name files that do not exist.
# Looks in FFTW3_ROOT and CMAKE_PREFIX_PATH as every find module, and in FFTW_DIR and FFTW_ROOT, which modules of clusters set.

include(FindPackageHandleStandardArgs)

set(fftw3_hints)
foreach(variable IN ITEMS FFTW_ROOT FFTW_DIR FFTW_HOME)
  if(DEFINED ENV{${variable}})
    list(APPEND fftw3_hints $ENV{${variable}} $ENV{${variable}}/..) # Cray's FFTW_DIR is the folder of the libraries
  endif()
endforeach()

find_path(FFTW3_INCLUDE_DIR fftw3.h HINTS ${fftw3_hints} PATH_SUFFIXES include DOC "Folder of fftw3.h")
find_library(FFTW3_LIBRARY fftw3 HINTS ${fftw3_hints} PATH_SUFFIXES lib lib64 DOC "FFTW in double precision")
find_library(FFTW3F_LIBRARY fftw3f HINTS ${fftw3_hints} PATH_SUFFIXES lib lib64 DOC "FFTW in single precision")
mark_as_advanced(FFTW3_INCLUDE_DIR FFTW3_LIBRARY FFTW3F_LIBRARY)

find_package_handle_standard_args(FFTW3 REQUIRED_VARS FFTW3_LIBRARY FFTW3F_LIBRARY FFTW3_INCLUDE_DIR)

if(FFTW3_FOUND)
  foreach(pair IN ITEMS fftw3=${FFTW3_LIBRARY} fftw3f=${FFTW3F_LIBRARY})
    string(REGEX REPLACE "=.*" "" name "${pair}")
    string(REGEX REPLACE "^[^=]*=" "" library "${pair}")
    if(NOT TARGET FFTW3::${name})
      add_library(FFTW3::${name} UNKNOWN IMPORTED)
      set_target_properties(FFTW3::${name} PROPERTIES IMPORTED_LOCATION ${library}
                                                      INTERFACE_INCLUDE_DIRECTORIES ${FFTW3_INCLUDE_DIR})
    endif()
  endforeach()
endif()
