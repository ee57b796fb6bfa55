# gdvar_fuzz(NAME SOURCE [LIBS target...] [EDGES n] [MEMORY n] [FREE_EDGES n] [FREE_MEMORY n]): makes the fuzz target
# fuzz_NAME from a file that defines LLVMFuzzerTestOneInput.
#
# EDGES and MEMORY are the budgets of a run for each byte of input: executed edges, and bytes of memory at the
# peak (fuzz/cost.cpp). FREE_EDGES and FREE_MEMORY are budgets on top, the same for every input.
#
# Normally it gets a plain main that replays files, and ctest replays fuzz/corpus/NAME and
# fuzz/crashers/NAME with it: so every build compiles every target, and no past crash comes back unseen.
# With GDVAR_LIBFUZZER it becomes a real libFuzzer program; scripts/fuzz does that.

if(NOT GDVAR_LIBFUZZER)
    add_library(gdvar_fuzz_replay OBJECT ${PROJECT_SOURCE_DIR}/fuzz/replay_main.cpp)
    gdvar_compile_options(gdvar_fuzz_replay)
endif()

function(gdvar_fuzz name source)
    cmake_parse_arguments(PARSE_ARGV 2 arg "" "EDGES;MEMORY;FREE_EDGES;FREE_MEMORY" "LIBS")
    if(NOT arg_LIBS)
        set(arg_LIBS gdvar::gdvar)
    endif()
    set(target fuzz_${name})
    if(NOT arg_EDGES)
        set(arg_EDGES 1000)
    endif()
    if(NOT arg_MEMORY)
        set(arg_MEMORY 100)
    endif()
    if(NOT arg_FREE_EDGES)
        set(arg_FREE_EDGES 4000000)
    endif()
    if(NOT arg_FREE_MEMORY)
        set(arg_FREE_MEMORY 8388608)
    endif()
    set(cost ${PROJECT_SOURCE_DIR}/fuzz/cost.cpp)
    add_executable(${target} ${source} ${cost})
    gdvar_compile_options(${target})
    gdvar_quick(${target})
    set_property(SOURCE ${source} APPEND PROPERTY
        COMPILE_DEFINITIONS LLVMFuzzerTestOneInput=gdvar_fuzz_target)
    target_compile_definitions(${target} PRIVATE
        GDVAR_FUZZ_EDGES=${arg_EDGES} GDVAR_FUZZ_MEMORY=${arg_MEMORY}
        GDVAR_FUZZ_FREE_EDGES=${arg_FREE_EDGES} GDVAR_FUZZ_FREE_MEMORY=${arg_FREE_MEMORY}
        $<$<BOOL:${GDVAR_LIBFUZZER}>:GDVAR_FUZZ_COUNT_EDGES>)
    target_link_libraries(${target} PRIVATE ${arg_LIBS})
    if(GDVAR_LIBFUZZER)
        # libFuzzer's runtime defines these functions, too, but only to refuse. So calls go to those of cost.cpp.
        target_link_options(${target} PRIVATE -fsanitize=fuzzer
            -Wl,--wrap=__sanitizer_cov_trace_pc_guard,--wrap=__sanitizer_cov_trace_pc_guard_init)
    else()
        target_link_libraries(${target} PRIVATE gdvar_fuzz_replay)
        add_test(NAME ${target} COMMAND ${target}
            ${PROJECT_SOURCE_DIR}/fuzz/corpus/${name} ${PROJECT_SOURCE_DIR}/fuzz/crashers/${name})
        set_tests_properties(${target} PROPERTIES LABELS fuzz TIMEOUT 600)
    endif()
endfunction()
