# kmap_add_test(name SOURCES file… [RANKS n…] [THREADS n…] [LIBS target…] [LABELS label…] [TIMEOUT seconds] [NO_RUNTIME])
#
# Builds one GoogleTest program and adds a CTest test for each number of ranks and threads, named after the folder, as in
# `mpi.scatter.n3.t2`. Without RANKS the program runs alone, without mpirun; without THREADS, on one thread. The program links the
# main of tests/support/main.cpp, which makes the kmap::Runtime and shows the failures of all ranks; NO_RUNTIME leaves MPI and Kokkos
# alone, for tests that only start commands.
#
# kmap_add_script_test(name COMMAND word… [LABELS label…] [TIMEOUT seconds]) adds a test that is a command, in the same environment.
# kmap_add_python_test(name SCRIPT file [ARGS word…] …) adds a test that is a Python script, run with NumPy and h5py.

include_guard(DIRECTORY)
include(KmapPrecompile)

# The environment of every test. Ranks and threads outnumber the cores here and there, so nothing is bound and waiting ranks give way;
# MPI talks through memory alone, is allowed as root in containers and wants no remote shell.
set(KMAP_TEST_ENVIRONMENT
    OMPI_ALLOW_RUN_AS_ROOT=1
    OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    OMPI_MCA_rmaps_base_oversubscribe=1
    OMPI_MCA_hwloc_base_binding_policy=none
    OMPI_MCA_mpi_yield_when_idle=1
    OMPI_MCA_plm_rsh_agent=/bin/false
    OMPI_MCA_pml=ob1
    OMPI_MCA_btl=^tcp,openib,ofi,usnic,uct
    OMPI_MCA_btl_base_warn_component_unused=0
    PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe
    PRTE_MCA_hwloc_default_binding_policy=none
    PRTE_MCA_plm_ssh_agent=/bin/false
    OMP_PROC_BIND=false
    OMP_WAIT_POLICY=passive
    # With the preset asan: MPI keeps memory to its end, and a test asks for more memory than there is.
    ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1)

# The folder under tests/ that the caller is in, as the first word of the names.
function(kmap_test_name out name)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  string(REPLACE "/" "." folder "${folder}")
  if(NOT name MATCHES "^${folder}\\.")
    set(name ${folder}.${name})
  endif()
  set(${out} ${name} PARENT_SCOPE)
endfunction()

function(kmap_set_test_properties test processors timeout labels environment)
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR}/tests ${CMAKE_CURRENT_SOURCE_DIR})
  set_tests_properties(
    ${test} PROPERTIES PROCESSORS ${processors} TIMEOUT ${timeout} LABELS "${folder};${labels}"
                       ENVIRONMENT "${KMAP_TEST_ENVIRONMENT};${environment}" SKIP_RETURN_CODE 77)
endfunction()

function(kmap_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "NO_RUNTIME" "TIMEOUT" "SOURCES;RANKS;THREADS;LIBS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "kmap_add_test(${name}): SOURCES are missing, or unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  kmap_test_name(test ${name})
  string(REPLACE "." "_" target "test_${test}")
  add_executable(${target} ${arg_SOURCES})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests OUTPUT_NAME ${test})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/core/src)
  if(arg_NO_RUNTIME)
    if(arg_RANKS)
      message(FATAL_ERROR "kmap_add_test(${name}): NO_RUNTIME has no MPI, so it has no RANKS either")
    endif()
    set(main kmap_test_plain_main)
  else()
    set(main kmap_test_main)
  endif()
  target_link_libraries(${target} PRIVATE ${main} ${arg_LIBS} kmap_flags)
  # Tests that map functions of their own are compiled as users compile theirs; the others quickly.
  if("kmap::core" IN_LIST arg_LIBS OR "kmap_kernels" IN_LIST arg_LIBS)
    kmap_precompile(${target} kmap_test_headers_core)
  else()
    target_compile_options(${target} PRIVATE $<$<CONFIG:Release>:-O0>)
    if(NOT arg_NO_RUNTIME OR "kmap::job" IN_LIST arg_LIBS OR "kmap::io" IN_LIST arg_LIBS)
      kmap_precompile(${target} kmap_test_headers_job)
    endif()
  endif()
  # A command-line test starts the command, without linking it.
  add_dependencies(${target} kmap)

  set(threads 1)
  if(arg_THREADS)
    set(threads ${arg_THREADS})
  endif()
  foreach(thread IN LISTS threads)
    set(suffix)
    if(arg_THREADS)
      set(suffix .t${thread})
    endif()
    if(arg_RANKS)
      foreach(rank IN LISTS arg_RANKS)
        set(command ${MPIEXEC_EXECUTABLE} ${MPIEXEC_NUMPROC_FLAG} ${rank} ${MPIEXEC_PREFLAGS} $<TARGET_FILE:${target}>)
        add_test(NAME ${test}.n${rank}${suffix} COMMAND ${command})
        math(EXPR processors "${rank} * ${thread}")
        kmap_set_test_properties(${test}.n${rank}${suffix} ${processors} ${arg_TIMEOUT} "${arg_LABELS}"
                                 OMP_NUM_THREADS=${thread})
      endforeach()
    else()
      add_test(NAME ${test}${suffix} COMMAND ${target})
      kmap_set_test_properties(${test}${suffix} ${thread} ${arg_TIMEOUT} "${arg_LABELS}" OMP_NUM_THREADS=${thread})
    endif()
  endforeach()
endfunction()

function(kmap_add_script_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "COMMAND;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_COMMAND)
    message(FATAL_ERROR "kmap_add_script_test(${name}): COMMAND is missing, or unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 120)
  endif()
  kmap_test_name(test ${name})
  add_test(NAME ${test} COMMAND ${arg_COMMAND} WORKING_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR})
  kmap_set_test_properties(
    ${test} 1 ${arg_TIMEOUT} "${arg_LABELS}"
    "KMAP_COMMAND=$<TARGET_FILE:kmap>;KMAP_SOURCE_DIR=${PROJECT_SOURCE_DIR};KMAP_MPIEXEC=${MPIEXEC_EXECUTABLE}")
endfunction()

# scripts/test.sh makes the Python environment; a build by hand may point elsewhere.
set(KMAP_PYTHON ${PROJECT_SOURCE_DIR}/build/venv/bin/python CACHE FILEPATH "Python with NumPy and h5py, for tests")
if(NOT EXISTS ${KMAP_PYTHON})
  message(STATUS "kmap: no ${KMAP_PYTHON}: the tests that use NumPy and h5py are left out (./scripts/test.sh makes it)")
endif()

function(kmap_add_python_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SCRIPT;TIMEOUT" "ARGS;LABELS")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SCRIPT)
    message(FATAL_ERROR "kmap_add_python_test(${name}): SCRIPT is missing, or unknown argument: ${arg_UNPARSED_ARGUMENTS}")
  endif()
  if(EXISTS ${KMAP_PYTHON})
    get_filename_component(script ${arg_SCRIPT} ABSOLUTE)
    kmap_add_script_test(${name} COMMAND ${KMAP_PYTHON} -B ${script} ${arg_ARGS} LABELS python ${arg_LABELS}
                         TIMEOUT ${arg_TIMEOUT})
  endif()
endfunction()

# kmap_user_flags(variable): how a user's program is compiled, for tests that call the compiler. Kokkos and MPI are found as by the
# build.
function(kmap_user_flags variable)
  get_target_property(folders Kokkos::kokkoscore INTERFACE_INCLUDE_DIRECTORIES)
  set(flags -std=c++20 -I${PROJECT_SOURCE_DIR}/core/include)
  foreach(folder IN LISTS folders MPI_CXX_INCLUDE_DIRS)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES AND IS_DIRECTORY ${folder})
      list(APPEND flags -isystem ${folder})
    endif()
  endforeach()
  if("OPENMP" IN_LIST Kokkos_DEVICES)
    list(APPEND flags -fopenmp)
  endif()
  set(${variable} ${flags} PARENT_SCOPE)
endfunction()
