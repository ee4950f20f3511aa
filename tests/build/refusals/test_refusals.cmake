# cmake -DROOT=… -DFOLDER=… … -P test_refusals.cmake: configures kmap in ways that must end with an error, or a warning.
cmake_minimum_required(VERSION 3.25)

file(REMOVE_RECURSE ${FOLDER})

# expect(name source build words… CACHE option…): configuring says all of these words.
function(expect name source build)
  cmake_parse_arguments(PARSE_ARGV 3 arg "WARNING" "" "WORDS;CACHE")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -S ${source} -B ${build} -G ${GENERATOR} -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_C_COMPILER=${CC}
            -DKMAP_BUILD_TESTS=OFF ${arg_CACHE}
    RESULT_VARIABLE code
    OUTPUT_VARIABLE said
    ERROR_VARIABLE said)
  if(arg_WARNING AND NOT code EQUAL 0)
    message(SEND_ERROR "${name}: refused:\n${said}")
  elseif(NOT arg_WARNING AND code EQUAL 0)
    message(SEND_ERROR "${name}: accepted:\n${said}")
  endif()
  string(REGEX REPLACE "[ \n]+" " " said "${said}") # CMake breaks lines where it likes
  foreach(words IN LISTS arg_WORDS)
    string(FIND "${said}" "${words}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "${name}: no \"${words}\" in: ${said}")
    endif()
  endforeach()
endfunction()

# A package named Kokkos that says what it is told to.
function(fake_kokkos name version devices)
  set(package ${FOLDER}/${name}/lib/cmake/Kokkos)
  file(WRITE ${package}/KokkosConfig.cmake "set(Kokkos_DEVICES ${devices})\nset(Kokkos_ARCH AMPERE80)\n")
  file(WRITE ${package}/KokkosConfigVersion.cmake "set(PACKAGE_VERSION ${version})\n")
endfunction()

file(COPY ${ROOT}/CMakeLists.txt DESTINATION ${FOLDER}/in-source)
expect(in_source ${FOLDER}/in-source ${FOLDER}/in-source WORDS "build in a folder of its own" "Remedy: rm")

set(probe ${ROOT}/core/cmake/probe)
fake_kokkos(old 4.4.1 OPENMP)
expect(old_kokkos ${probe} ${FOLDER}/old-build CACHE -DKokkos_ROOT=${FOLDER}/old WORDS "Kokkos 4.4.1" "too old" "Remedy")
fake_kokkos(serial 4.5.0 SERIAL)
expect(serial_kokkos ${probe} ${FOLDER}/serial-build WARNING CACHE -DKokkos_ROOT=${FOLDER}/serial
       WORDS "only host backend of this Kokkos is Serial")
fake_kokkos(device 5.0.0 "CUDA OPENMP")
expect(other_device ${probe} ${FOLDER}/hip-build CACHE -DKokkos_ROOT=${FOLDER}/device -DKMAP_DEVICE=HIP
       WORDS "for HIP, which the Kokkos" "Remedy")
expect(other_arch ${probe} ${FOLDER}/arch-build CACHE -DKokkos_ROOT=${FOLDER}/device -DKMAP_DEVICE=CUDA -DKMAP_DEVICE_ARCH=HOPPER90
       WORDS "is for: AMPERE80" "Remedy")

expect(no_fftw ${probe} ${FOLDER}/no-fftw-build CACHE -DCMAKE_DISABLE_FIND_PACKAGE_FFTW3=ON
       WORDS "FFTW 3 in double and single precision was not found" "fftw3.h" "Remedy" "-DFFTW3_ROOT")
expect(fftw_of_one_precision ${probe} ${FOLDER}/one-fftw-build CACHE -DFFTW3F_LIBRARY:FILEPATH= -DFFTW3_LIBRARY=/its/libfftw3.so
       WORDS "missing: libfftw3f." "Remedy" "--enable-float")

expect(unknown_arch ${ROOT} ${FOLDER}/z80-build CACHE -DKMAP_ARCH=z80 WORDS "does not accept -march=z80" "Remedy")

foreach(package IN ITEMS yaml-cpp fmt CLI11 nlohmann_json)
  expect(no_${package} ${probe} ${FOLDER}/no-${package} CACHE -DCMAKE_DISABLE_FIND_PACKAGE_${package}=ON
         WORDS "${package} was not found" "Remedy")
endforeach()
