# gdvar_unity(TARGET), after gdvar_compile_options: compiles the sources of each folder together, so that the headers which
# they share are read once and what they instantiate is compiled once. Sources with options of their own are compiled alone,
# and so are those with SKIP_UNITY_BUILD_INCLUSION: g++ inlines less of what several sources of a folder use.
#
# A program that links an archive would get the whole folder of what it calls. So each function has a section of its own:
# linked with -Wl,--gc-sections, the program has what it needs.
#
# So a name in an anonymous namespace belongs to its whole folder. -DGDVAR_UNITY=OFF compiles each source by itself, which is
# faster after a change of one source; the presets `dev` and `clang` do, and show that each includes what it needs.
# WebAssembly modules choose single sources of core and inspect (bindings/js/wasm).
function(gdvar_unity target)
    if(NOT GDVAR_UNITY)
        return()
    endif()
    get_target_property(sources ${target} SOURCES)
    get_target_property(source_dir ${target} SOURCE_DIR)
    list(FILTER sources EXCLUDE REGEX "^\\$<")  # objects of another target
    foreach(source IN LISTS sources)
        get_filename_component(folder "${source}" ABSOLUTE BASE_DIR ${source_dir})
        cmake_path(GET folder PARENT_PATH folder)
        cmake_path(RELATIVE_PATH folder BASE_DIRECTORY ${PROJECT_SOURCE_DIR})
        string(MAKE_C_IDENTIFIER "${folder}" group)
        set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${group})
    endforeach()
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU,Clang>:-ffunction-sections -fdata-sections>)
    # To g++, types of an anonymous namespace belong into the main file, which no source of a group is. To clang, a local name
    # also shadows one of an anonymous namespace, which may be another source's.
    target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-subobject-linkage>
        $<$<CXX_COMPILER_ID:Clang>:-Wno-shadow>)
endfunction()
