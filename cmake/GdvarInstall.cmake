# `cmake --install` puts the headers, the libraries, the command, the CMake package and the pkg-config modules in
# place. Parts that were not built leave nothing behind: neither headers, nor a component, nor a module.

include(CMakePackageConfigHelpers)

get_property(components GLOBAL PROPERTY GDVAR_COMPONENTS)
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/gdvar)

# One export a component, so that find_package reads only those that are asked for.
set(config_depends "")
foreach(component IN LISTS components)
    foreach(property IN ITEMS ROOMS DEPENDS PACKAGES)
        get_property(${property}_of_${component} GLOBAL PROPERTY GDVAR_${component}_${property})
    endforeach()
    install(TARGETS gdvar_${component} EXPORT gdvar-${component}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(EXPORT gdvar-${component} NAMESPACE gdvar:: DESTINATION ${package_dir})
    foreach(room IN LISTS ROOMS_of_${component})
        install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/gdvar/${room}
            DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gdvar FILES_MATCHING PATTERN "*.hpp")
    endforeach()
    string(APPEND config_depends "set(gdvar_depends_of_${component} ${DEPENDS_of_${component}})\n")
endforeach()
# Those of no room: the umbrellas and the version.
file(GLOB common_headers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/gdvar/*.hpp)
install(FILES ${common_headers} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gdvar)

set(package_components ${components})
if(TARGET gdvar_c)
    list(APPEND package_components c)
endif()
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/gdvarConfig.cmake.in
    ${PROJECT_BINARY_DIR}/gdvarConfig.cmake INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may break things.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/gdvarConfigVersion.cmake
    COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/gdvarConfig.cmake ${PROJECT_BINARY_DIR}/gdvarConfigVersion.cmake
    ${PROJECT_SOURCE_DIR}/cmake/GdvarDependencies.cmake
    DESTINATION ${package_dir})

# pkg-config: gdvar-<component>.pc, and gdvar.pc for all of them. The prefix is relative to the module's own place,
# so an installed tree can be moved; it is absolute where the library folder is.
set(pc_prefix "${CMAKE_INSTALL_PREFIX}")
if(NOT IS_ABSOLUTE "${CMAKE_INSTALL_LIBDIR}")
    file(RELATIVE_PATH pc_up "/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/")
    string(REGEX REPLACE "/$" "" pc_up "${pc_up}")
    set(pc_prefix "\${pcfiledir}/${pc_up}")
endif()
foreach(dir IN ITEMS LIBDIR INCLUDEDIR)
    string(TOLOWER ${dir} variable)
    if(IS_ABSOLUTE "${CMAKE_INSTALL_${dir}}")
        set(pc_${variable} "${CMAKE_INSTALL_${dir}}")
    else()
        set(pc_${variable} "\${prefix}/${CMAKE_INSTALL_${dir}}")
    endif()
endforeach()

# gdvar_pkg_config(NAME [DESCRIPTION text] [LIBS flag...] [REQUIRES module...] [PACKAGES module...]): PACKAGES are what
# the library itself links. A shared library brings them along; an archive leaves them to whoever links it.
function(gdvar_pkg_config pc_name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "DESCRIPTION" "LIBS;REQUIRES;PACKAGES")
    set(pc_description "${arg_DESCRIPTION}")
    set(pc_requires_private "")
    set(pc_libs_private "")
    set(pc_cflags "")
    list(TRANSFORM arg_REQUIRES APPEND " = ${PROJECT_VERSION}")
    if(BUILD_SHARED_LIBS)
        set(pc_cflags " -DGDVAR_SHARED")
        list(JOIN arg_PACKAGES ", " pc_requires_private)
    else()
        list(APPEND arg_REQUIRES ${arg_PACKAGES})
    endif()
    if("libenet" IN_LIST arg_PACKAGES)  # net has threads of its own
        if(BUILD_SHARED_LIBS)
            set(pc_libs_private "-pthread")
        else()
            list(APPEND arg_LIBS "-pthread")
        endif()
    endif()
    list(JOIN arg_REQUIRES ", " pc_requires)
    list(JOIN arg_LIBS " " pc_libs)
    configure_file(${PROJECT_SOURCE_DIR}/cmake/component.pc.in ${PROJECT_BINARY_DIR}/${pc_name}.pc @ONLY)
    install(FILES ${PROJECT_BINARY_DIR}/${pc_name}.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endfunction()

set(modules)
foreach(component IN LISTS components)
    set(requires ${DEPENDS_of_${component}})
    list(TRANSFORM requires PREPEND gdvar-)
    gdvar_pkg_config(gdvar-${component} DESCRIPTION "${PROJECT_DESCRIPTION} (${component})"
        LIBS "-L\${libdir}" -lgdvar_${component} REQUIRES ${requires} PACKAGES ${PACKAGES_of_${component}})
    list(PREPEND modules gdvar-${component})
endforeach()
gdvar_pkg_config(gdvar DESCRIPTION "${PROJECT_DESCRIPTION}" REQUIRES ${modules})

# The C interface: a library of its own, which asks for nothing of the C++ ones where it is shared.
if(TARGET gdvar_c)
    install(TARGETS gdvar_c EXPORT gdvar-c LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
    install(TARGETS gdvar_c_static ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    install(EXPORT gdvar-c NAMESPACE gdvar:: DESTINATION ${package_dir})
    install(FILES ${PROJECT_SOURCE_DIR}/bindings/c/include/gdvar/gdvar.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/gdvar)
    gdvar_pkg_config(gdvar-c DESCRIPTION "Godot's Variant wire format from C" LIBS "-L\${libdir}" -lgdvar-c)
endif()
