# cmake -DFOLDER=… -P test_check_layers.cmake: check_layers.cmake on small trees.

cmake_minimum_required(VERSION 3.25)

# check(name file include expected): one file with one include; `expected` is part of the complaint, or empty for none.
function(check name file include expected)
  set(root ${FOLDER}/${name})
  file(REMOVE_RECURSE ${root})
  file(WRITE ${root}/core/src/runtime/ranks.cpp "#include \"kmap/runtime.hpp\"\n")
  file(WRITE ${root}/${file} "// comment\n${include}\n")
  execute_process(
    COMMAND ${CMAKE_COMMAND} -DROOT=${root} -P ${CMAKE_CURRENT_LIST_DIR}/check_layers.cmake
    RESULT_VARIABLE code
    OUTPUT_VARIABLE words
    ERROR_VARIABLE words)
  if(expected STREQUAL "" AND NOT code EQUAL 0)
    message(SEND_ERROR "${name}: refused a good tree:\n${words}")
  elseif(NOT expected STREQUAL "" AND code EQUAL 0)
    message(SEND_ERROR "${name}: accepted ${include} in ${file}")
  elseif(NOT expected STREQUAL "")
    string(FIND "${words}" "${expected}" place)
    if(place EQUAL -1)
      message(SEND_ERROR "${name}: no \"${expected}\" in:\n${words}")
    endif()
  endif()
endfunction()

check(down core/src/run/a.cpp "#include \"plan/plan.hpp\"" "")
check(same core/src/run/a.cpp "#include \"run/loop.hpp\"" "")
check(driver core/driver/a.cpp "#include \"report/report.hpp\"" "")
check(up core/src/io/a.hpp "#include \"config/load.hpp\"" "the room io includes config/load.hpp")
check(up_spaced core/src/plan/a.cpp "  # include <run/loop.hpp>" "lies above")
check(parent core/src/io/a.hpp "#include \"../runtime/a.hpp\"" "not at")
check(public core/include/kmap/a.hpp "#include \"runtime/a.hpp\"" "is private")
check(public_hdf5 core/include/kmap/detail/a.hpp "#include <hdf5.h>" "Kokkos and MPI only")
check(public_good core/include/kmap/a.hpp "#include <kmap/detail/a.hpp>" "")
check(kernel apps/mine/kernel.cpp "#include \"io/input.hpp\"" "is private")
check(kernel_detail apps/mine/kernel.cpp "#include <kmap/detail/a.hpp>" "not for kernels")
check(kernel_good apps/mine/kernel.cpp "#include <kmap/kernel.hpp>" "")
