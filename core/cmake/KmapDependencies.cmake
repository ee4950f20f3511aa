# Finds what kmap builds on and refuses, each time with the remedy, what it cannot work with. Used by the build, and by
# scripts/setup.sh through probe/.

include_guard(DIRECTORY)
include(${CMAKE_CURRENT_LIST_DIR}/KmapMpiMatch.cmake)

set(KMAP_KOKKOS_MINIMUM 4.5)
set(KMAP_KOKKOS_RELEASE 5.2.2) # fetched by KMAP_FETCH_KOKKOS

set(kmap_setup_hint "./scripts/setup.sh installs everything on Debian 12 and 13, and lists what is needed on other systems.")

# Kokkos: a site's own (Kokkos_ROOT, CMAKE_PREFIX_PATH, a module), or the upstream release built along with kmap.
if(KMAP_FETCH_KOKKOS)
  include(FetchContent)
  set(Kokkos_ENABLE_SERIAL ON CACHE BOOL "Kokkos' Serial backend")
  set(Kokkos_ENABLE_OPENMP ON CACHE BOOL "Kokkos' OpenMP backend")
  if(KMAP_DEVICE)
    set(Kokkos_ENABLE_${KMAP_DEVICE} ON CACHE BOOL "Kokkos' device backend")
    set(Kokkos_ARCH_${KMAP_DEVICE_ARCH} ON CACHE BOOL "Kokkos' device")
  endif()
  FetchContent_Declare(
    Kokkos
    GIT_REPOSITORY https://github.com/kokkos/kokkos.git
    GIT_TAG ${KMAP_KOKKOS_RELEASE}
    GIT_SHALLOW ON
    SYSTEM)
  set(BUILD_SHARED_LIBS ON) # one copy for the driver and its plug-ins; kmap's own libraries are static whatever this says
  FetchContent_MakeAvailable(Kokkos)
  # What the package of an installed Kokkos says by itself.
  set(Kokkos_VERSION ${KMAP_KOKKOS_RELEASE})
  set(Kokkos_DEVICES SERIAL OPENMP ${KMAP_DEVICE})
  set(Kokkos_ARCH ${KMAP_DEVICE_ARCH})
else()
  find_package(Kokkos CONFIG QUIET)
  if(NOT Kokkos_FOUND)
    message(
      FATAL_ERROR
        "kmap: Kokkos was not found.\n"
        "  Remedy: ${kmap_setup_hint} A Kokkos of your own: -DKokkos_ROOT=/its/prefix. "
        "With internet, -DKMAP_FETCH_KOKKOS=ON builds the upstream release along with kmap.")
  endif()
endif()
if(Kokkos_VERSION AND Kokkos_VERSION VERSION_LESS KMAP_KOKKOS_MINIMUM)
  message(
    FATAL_ERROR
      "kmap: Kokkos ${Kokkos_VERSION} in ${Kokkos_DIR} is too old; ${KMAP_KOKKOS_MINIMUM} or newer is needed.\n"
      "  Remedy: point -DKokkos_ROOT at a newer one, or use -DKMAP_FETCH_KOKKOS=ON.")
endif()
if(KMAP_DEVICE AND NOT KMAP_DEVICE IN_LIST Kokkos_DEVICES)
  message(
    FATAL_ERROR
      "kmap: this build is for ${KMAP_DEVICE}, which the Kokkos in ${Kokkos_DIR} does not have (it has: ${Kokkos_DEVICES}).\n"
      "  Remedy: load or point -DKokkos_ROOT at a Kokkos with ${KMAP_DEVICE}, or use -DKMAP_FETCH_KOKKOS=ON, "
      "or the preset release.")
endif()
if(KMAP_DEVICE_ARCH AND NOT KMAP_DEVICE_ARCH IN_LIST Kokkos_ARCH)
  message(
    FATAL_ERROR
      "kmap: this build is for ${KMAP_DEVICE_ARCH}, but the Kokkos in ${Kokkos_DIR} is for: ${Kokkos_ARCH}.\n"
      "  Remedy: point -DKokkos_ROOT at one for this device, or say which it is: -DKMAP_DEVICE_ARCH=…")
endif()
if(NOT "${Kokkos_DEVICES}" MATCHES "OPENMP|THREADS|HPX")
  message(
    WARNING
      "kmap: the only host backend of this Kokkos is Serial (devices: ${Kokkos_DEVICES}): each rank uses one core. "
      "A Kokkos configured with Kokkos_ENABLE_OPENMP=ON uses all of them.")
endif()

set(MPI_CXX_SKIP_MPICXX ON) # the C++ bindings of MPI 2
find_package(MPI QUIET COMPONENTS C CXX)
if(NOT MPI_CXX_FOUND)
  message(
    FATAL_ERROR
      "kmap: MPI was not found.\n"
      "  Remedy: ${kmap_setup_hint} An MPI of your own: put its mpicxx first in PATH, or -DMPI_HOME=/its/prefix.")
endif()

set(HDF5_PREFER_PARALLEL ON)
find_package(HDF5 QUIET COMPONENTS C)
if(NOT HDF5_FOUND)
  message(
    FATAL_ERROR
      "kmap: HDF5 was not found.\n"
      "  Remedy: ${kmap_setup_hint} A parallel HDF5 of your own: -DHDF5_ROOT=/its/prefix.")
endif()
if(NOT HDF5_IS_PARALLEL)
  message(
    FATAL_ERROR
      "kmap: the HDF5 found (${HDF5_C_LIBRARIES}) is a serial one, and the ranks of a job write one file together.\n"
      "  Remedy: point -DHDF5_ROOT at an HDF5 built with HDF5_ENABLE_PARALLEL (on Debian libhdf5-openmpi-dev), "
      "then delete this build folder's CMakeCache.txt.")
endif()
kmap_hdf5_mpi_mismatch(kmap_mismatch "${HDF5_C_LIBRARIES}" "${MPI_C_LIBRARIES};${MPI_CXX_LIBRARIES}")
if(kmap_mismatch)
  message(
    FATAL_ERROR
      "kmap: ${kmap_mismatch}\n"
      "  Remedy: use the MPI that HDF5 was built with (-DMPI_CXX_COMPILER=/its/mpicxx -DMPI_C_COMPILER=/its/mpicc), "
      "or point -DHDF5_ROOT at an HDF5 built with this MPI; then delete this build folder's CMakeCache.txt.")
endif()

foreach(package IN ITEMS yaml-cpp fmt CLI11 nlohmann_json)
  find_package(${package} CONFIG QUIET)
  if(NOT ${package}_FOUND)
    message(FATAL_ERROR "kmap: ${package} was not found.\n"
                        "  Remedy: ${kmap_setup_hint} One of your own: add its prefix to CMAKE_PREFIX_PATH.")
  endif()
endforeach()
# yaml-cpp names its target yaml-cpp before 0.8 and yaml-cpp::yaml-cpp since.
if(NOT TARGET yaml-cpp::yaml-cpp)
  add_library(yaml-cpp::yaml-cpp INTERFACE IMPORTED)
  target_link_libraries(yaml-cpp::yaml-cpp INTERFACE yaml-cpp)
endif()

# For the kernels of apps/ that transform (periodogram).
list(PREPEND CMAKE_MODULE_PATH ${CMAKE_CURRENT_LIST_DIR})
find_package(FFTW3 QUIET)
list(POP_FRONT CMAKE_MODULE_PATH)
if(NOT FFTW3_FOUND)
  set(kmap_missing)
  foreach(pair IN ITEMS FFTW3_INCLUDE_DIR:fftw3.h FFTW3_LIBRARY:libfftw3 FFTW3F_LIBRARY:libfftw3f)
    string(REPLACE ":" ";" pair ${pair})
    list(GET pair 0 variable)
    list(GET pair 1 file)
    if(NOT ${variable})
      list(APPEND kmap_missing ${file})
    endif()
  endforeach()
  list(JOIN kmap_missing ", " kmap_missing)
  message(
    FATAL_ERROR
      "kmap: FFTW 3 in double and single precision was not found; missing: ${kmap_missing}.\n"
      "  Remedy: ${kmap_setup_hint} One of your own, built with and without --enable-float: -DFFTW3_ROOT=/its/prefix.")
endif()

if(KMAP_BUILD_TESTS)
  find_package(GTest CONFIG QUIET)
  if(NOT GTest_FOUND)
    message(FATAL_ERROR "kmap: GoogleTest was not found.\n"
                        "  Remedy: ./scripts/setup.sh --tests installs it on Debian; -DKMAP_BUILD_TESTS=OFF builds without tests.")
  endif()
  # Without it, the tests of kmap/math.hpp are left out.
  find_path(KMAP_MPFR_INCLUDE_DIR mpfr.h DOC "Folder of mpfr.h, for tests")
  find_library(KMAP_MPFR_LIBRARY mpfr DOC "MPFR, for tests")
  find_library(KMAP_GMP_LIBRARY gmp DOC "GMP, for tests")
  mark_as_advanced(KMAP_MPFR_INCLUDE_DIR KMAP_MPFR_LIBRARY KMAP_GMP_LIBRARY)
  if(KMAP_MPFR_INCLUDE_DIR AND KMAP_MPFR_LIBRARY AND KMAP_GMP_LIBRARY)
    add_library(kmap_mpfr INTERFACE)
    target_include_directories(kmap_mpfr SYSTEM INTERFACE ${KMAP_MPFR_INCLUDE_DIR})
    target_link_libraries(kmap_mpfr INTERFACE ${KMAP_MPFR_LIBRARY} ${KMAP_GMP_LIBRARY})
  endif()
endif()
