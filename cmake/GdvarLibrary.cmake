# gdvar_room(ROOM SOURCE...): names the sources of one room; called by src/<room>/CMakeLists.txt.
#
# gdvar_library(NAME ROOMS room... [DEPENDS name...] [LINK target...]): makes gdvar_<name>, alias
# gdvar::<name>, from the sources of those rooms. DEPENDS names other gdvar libraries, LINK outside ones,
# which stay out of the public headers. A library without sources is an INTERFACE library.

function(gdvar_room room)
    list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
    set_property(GLOBAL PROPERTY GDVAR_ROOM_${room} ${sources})
endfunction()

function(gdvar_library name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "ROOMS;DEPENDS;LINK")
    set(sources)
    foreach(room IN LISTS arg_ROOMS)
        get_property(room_sources GLOBAL PROPERTY GDVAR_ROOM_${room})
        list(APPEND sources ${room_sources})
    endforeach()
    list(TRANSFORM arg_DEPENDS PREPEND gdvar:: OUTPUT_VARIABLE depends)

    set(target gdvar_${name})
    if(sources)
        add_library(${target} ${sources})
        gdvar_compile_options(${target})
        if(NOT name MATCHES "^(core|text|json)$")
            gdvar_check_containers(${target})
        endif()
        # What a private header of a room is included by: "wire/key_hash.hpp".
        target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src)
        target_link_libraries(${target} PUBLIC ${depends} PRIVATE ${arg_LINK})
        set_target_properties(${target} PROPERTIES
            VERSION ${PROJECT_VERSION}
            SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
            POSITION_INDEPENDENT_CODE ON)
        set(scope PUBLIC)
        set_property(GLOBAL APPEND PROPERTY GDVAR_ARCHIVES ${target})
    else()
        add_library(${target} INTERFACE)
        target_compile_features(${target} INTERFACE cxx_std_23)
        target_link_libraries(${target} INTERFACE ${depends})
        set(scope INTERFACE)
    endif()
    target_include_directories(${target} ${scope}
        $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
        $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
    add_library(gdvar::${name} ALIAS ${target})
    set_property(GLOBAL APPEND PROPERTY GDVAR_LIBRARIES ${target})
endfunction()
