# cmake -DCXX=… -DFLAGS=… -DSOURCE=misuse.cpp -P test_misuse.cmake: every mistake in that file is answered with these words.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND ${CXX} ${FLAGS} ${SOURCE} RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(code EQUAL 0)
  message(FATAL_ERROR "${SOURCE} compiles")
endif()
foreach(
  words IN
  ITEMS "in_axes has one entry, or as many as there are arguments"
        "InAxesCount<3, 2>"
        "InAxesCount<4, 2>"
        "an entry of in_axes that is a structure is that of one argument"
        "an entry of in_axes does not match the structure of its argument"
        "InAxesOf<1, std::tuple<int, int>"
        "a fixed argument, number `Argument` of this template, has no axis to map"
        "InAxesOf<1, int, kmap::detail::FixedTree<int>"
        "a scalar argument has no axis to map"
        "out_axes does not match the structure of the outputs"
        "OutAxesOf<std::tuple<int, int, int>"
        "map takes a Kokkos::View, or a tuple or structure of Views"
        "a View that is donated becomes an empty one")
  string(FIND "${said}" "${words}" place)
  if(place EQUAL -1)
    message(SEND_ERROR "no \"${words}\" in: ${said}")
  endif()
endforeach()
