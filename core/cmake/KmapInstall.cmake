# `cmake --install`: the command, the library and its public headers, and the package that find_package(kmap) finds.

include(CMakePackageConfigHelpers)

set(kmap_package_folder ${CMAKE_INSTALL_LIBDIR}/cmake/kmap)
install(
  TARGETS kmap kmap_api kmap_core
  EXPORT kmapTargets
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR}
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/core/include/kmap DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
install(
  EXPORT kmapTargets
  NAMESPACE kmap::
  DESTINATION ${kmap_package_folder})
configure_package_config_file(${PROJECT_SOURCE_DIR}/core/cmake/kmapConfig.cmake.in ${PROJECT_BINARY_DIR}/kmapConfig.cmake
                              INSTALL_DESTINATION ${kmap_package_folder})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/kmapConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/kmapConfig.cmake ${PROJECT_BINARY_DIR}/kmapConfigVersion.cmake
              ${PROJECT_SOURCE_DIR}/core/cmake/KmapKernel.cmake ${PROJECT_SOURCE_DIR}/core/cmake/KmapVectorReport.cmake
              ${PROJECT_SOURCE_DIR}/core/cmake/KmapArch.cmake
        DESTINATION ${kmap_package_folder})
