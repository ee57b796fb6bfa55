# gdvar_room(ROOM SOURCE...): names the sources of one room; called by src/<room>/CMakeLists.txt.
#
# gdvar_component(NAME ROOMS room... [DEPENDS name...] [PACKAGES name...]): makes gdvar_<name>, alias gdvar::<name>,
# from the sources of those rooms. DEPENDS names other components, PACKAGES the pkg-config modules of what
# GdvarDependencies.cmake finds for it. Those libraries stay out of the public headers.

include(GdvarDependencies)

# Archives may become parts of shared libraries. A WebAssembly module has no such place, and would get larger.
set(GDVAR_PIC ON)
if(GDVAR_WASM OR WASI)
    set(GDVAR_PIC OFF)
endif()

function(gdvar_room room)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
    set_property(GLOBAL PROPERTY GDVAR_ROOM_${room} ${sources})
endfunction()

function(gdvar_component name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ROOMS;DEPENDS;PACKAGES")
    set(sources)
    foreach(room IN LISTS arg_ROOMS)
        add_subdirectory(${room})
        get_property(room_sources GLOBAL PROPERTY GDVAR_ROOM_${room})
        list(APPEND sources ${room_sources})
    endforeach()

    gdvar_find_needs(${name})
    if(gdvar_missing)
        string(TOUPPER ${name} option)
        list(JOIN gdvar_missing ", " missing)
        message(FATAL_ERROR "gdvar::${name} needs ${missing}. Install them (on Debian 12: scripts/setup build), "
            "or leave this component out with -DGDVAR_${option}=OFF.")
    endif()

    set(target gdvar_${name})
    add_library(${target} ${sources})
    add_library(gdvar::${name} ALIAS ${target})
    gdvar_compile_options(${target})
    gdvar_unity(${target})
    if(NOT name MATCHES "^(core|text|json)$")
        gdvar_check_containers(${target})
    endif()
    # The form in which a room's private header is included: "wire/key_hash.hpp".
    target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src PUBLIC
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    list(TRANSFORM arg_DEPENDS PREPEND gdvar:: OUTPUT_VARIABLE depends)
    target_link_libraries(${target} PUBLIC ${depends} PRIVATE ${gdvar_needs})
    if(BUILD_SHARED_LIBS AND CMAKE_SYSTEM_NAME STREQUAL "Linux" AND NOT GDVAR_SANITIZE)
        # A name that another library does not export fails here, not in a user's program.
        target_link_options(${target} PRIVATE -Wl,-z,defs
            -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/shared.map)
        set_property(TARGET ${target} APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/shared.map)
    endif()
    set_target_properties(${target} PROPERTIES
        EXPORT_NAME ${name}
        VERSION ${PROJECT_VERSION}
        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
        POSITION_INDEPENDENT_CODE ${GDVAR_PIC})

    # For GdvarInstall.
    set_property(GLOBAL APPEND PROPERTY GDVAR_COMPONENTS ${name})
    set_property(GLOBAL PROPERTY GDVAR_${name}_ROOMS ${arg_ROOMS})
    set_property(GLOBAL PROPERTY GDVAR_${name}_DEPENDS ${arg_DEPENDS})
    set_property(GLOBAL PROPERTY GDVAR_${name}_PACKAGES ${arg_PACKAGES})
endfunction()
