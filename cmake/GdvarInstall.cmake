# `cmake --install` puts the headers, the libraries, the command, the CMake package and gdvar.pc in place.

include(CMakePackageConfigHelpers)

get_property(libraries GLOBAL PROPERTY GDVAR_LIBRARIES)
get_property(archives GLOBAL PROPERTY GDVAR_ARCHIVES)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gdvar)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gdvar
    DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.hpp")
install(TARGETS ${libraries} EXPORT gdvarTargets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT gdvarTargets NAMESPACE gdvar:: DESTINATION ${package_dir})

configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gdvarConfig.cmake.in
    ${PROJECT_BINARY_DIR}/gdvarConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break things.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gdvarConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gdvarConfig.cmake ${PROJECT_BINARY_DIR}/gdvarConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/GdvarContainers.cmake ${PROJECT_SOURCE_DIR}/cmake/GdvarNetwork.cmake
    DESTINATION ${package_dir})

# pkg-config: the libraries from right to left, as a linker of archives wants them.
set(pc_libs)
# Archives do not bring along what they need themselves.
set(pc_private "")
if(BUILD_SHARED_LIBS)
    set(pc_private ".private")
endif()
list(REVERSE archives)
foreach(archive IN LISTS archives)
    string(APPEND pc_libs " -l${archive}")
endforeach()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(pc_${dir} "${CMAKE_INSTALL_${dir}}")
    else()
        set(pc_${dir} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()
configure_file(${PROJECT_SOURCE_DIR}/cmake/gdvar.pc.in ${PROJECT_BINARY_DIR}/gdvar.pc.in @ONLY)
# The prefix is known only at install time: `cmake --install DIR --prefix P`.
install(CODE "
    set(prefix \"\${CMAKE_INSTALL_PREFIX}\")
    file(READ \"${PROJECT_BINARY_DIR}/gdvar.pc.in\" pc)
    string(REPLACE \"%PREFIX%\" \"\${prefix}\" pc \"\${pc}\")
    file(WRITE \"${PROJECT_BINARY_DIR}/gdvar.pc\" \"\${pc}\")")
install(FILES ${PROJECT_BINARY_DIR}/gdvar.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
