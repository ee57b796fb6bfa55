# gdvar_bench(NAME SOURCES file... [LIBS target...]): makes the benchmark program bench_NAME (Google
# Benchmark, the main included). scripts/bench runs all of them and reads their names as TASK/WORKLOAD.

find_package(benchmark REQUIRED)

function(gdvar_bench name)
    cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
    if(NOT arg_LIBS)
        set(arg_LIBS gdvar::gdvar)
    endif()
    set(target bench_${name})
    add_executable(${target} ${arg_SOURCES})
    gdvar_compile_options(${target})
    target_link_libraries(${target} PRIVATE ${arg_LIBS} benchmark::benchmark_main)
endfunction()
