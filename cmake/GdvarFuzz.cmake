# gdvar_fuzz(NAME SOURCE [LIBS target...]): makes the fuzz target fuzz_NAME from a file that defines
# LLVMFuzzerTestOneInput.
#
# Normally it gets a plain main that replays files, and ctest replays fuzz/corpus/NAME and
# fuzz/crashers/NAME with it: so every build compiles every target, and no past crash comes back unseen.
# With GDVAR_LIBFUZZER it becomes a real libFuzzer program; scripts/fuzz does that.

function(gdvar_fuzz name source)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBS")
    if(NOT arg_LIBS)
        set(arg_LIBS gdvar::gdvar)
    endif()
    set(target fuzz_${name})
    add_executable(${target} ${source})
    gdvar_compile_options(${target})
    target_link_libraries(${target} PRIVATE ${arg_LIBS})
    if(GDVAR_LIBFUZZER)
        target_link_options(${target} PRIVATE -fsanitize=fuzzer)
    else()
        target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp)
        add_test(NAME ${target} COMMAND ${target}
            ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name} ${PROJECT_SOURCE_DIR}/fuzz/crashers/${name})
        set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 600)
    endif()
endfunction()
