# Compiles sources together, so that the headers which they share are read once. The file GDVAR_UNITY says which can be:
# "GROUP FILE" on each line, as tools/tidy.py writes it. For builds that are tested, and not shipped.

file(STRINGS ${GDVAR_UNITY} lines)
foreach(line IN LISTS lines)
    string(REGEX MATCH "^([^ ]+) (.+)$" line "${line}")
    set(group_${CMAKE_MATCH_2} ${CMAKE_MATCH_1})
endforeach()

foreach(target IN ITEMS gdvar_core gdvar_text gdvar_json gdvar_inspect gdvar_save gdvar_file gdvar_net gdvar_browse gdvar
        gdvar_c_objects gdvar_python)
    if(NOT TARGET ${target})
        continue()
    endif()
    get_target_property(sources ${target} SOURCES)
    get_target_property(folder ${target} SOURCE_DIR)
    foreach(source IN LISTS sources)
        get_filename_component(file "${source}" ABSOLUTE BASE_DIR ${folder})
        file(RELATIVE_PATH path ${PROJECT_SOURCE_DIR} "${file}")
        if(DEFINED group_${path})
            set_property(SOURCE ${file} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group_${path}})
        endif()
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    # In a group, a local name may shadow a name of an earlier source.
    target_compile_options(${target} PRIVATE -Wno-shadow)
endforeach()
